/** What the value of a declared field may be, besides what it is replaced by. */
export type Kind =
  /** A boolean or a number: it stays. */
  | 'plain'
  /** A sentence for people, whose words of the interface stay. */
  | 'message'
  /** A text that stays if it has the form. */
  | keyof typeof FORMS

const words = (text: string) => /^[A-Za-z]{1,24}(?:[ _-][A-Za-z]{1,24}){0,3}$/.test(text)

/** What the values of declared fields look like that are the service's own, and no person's. */
export const FORMS = {
  word: words,
  regions: (text: string) => words(text) || /^[a-z]{2,12}(?:-[a-z]{2,12}){0,3}-?\d{1,2}[a-z]?$/.test(text),
  versions: (text: string) => /^v?\d{1,4}(?:\.\d{1,4}){0,3}$/.test(text),
  workspace_types: (text: string) => /^[A-Za-z]{1,10}(?:[-. ][A-Za-z0-9]{1,8}){1,2}$/.test(text),
  quantity: (text: string) => /^\d{1,15}[A-Za-z]{0,3}$/.test(text),
  cron: (text: string) => /^[\d*/,-]{1,20}(?: (?:[\d*/,-]{1,20}|[A-Za-z,-]{3,30})){4}$/.test(text),
  repeat: words,
  weekdays: (text: string) => /^(?:\s?(?:mon|tue|wed|thu|fri|sat|sun)\s?,?){1,7}$/i.test(text),
  'calendar-date': (text: string) => /^\d{4}-\d\d-\d\d$/.test(text),
  'clock-time': (text: string) => /^\d\d:\d\d(?::\d\d)?$/.test(text),
  'time-zone': isZone,
  fieldPath: () => false
} as const satisfies Record<string, (text: string) => boolean>

/** What the interface, a profile and its catalogue declare, as plain data that a worker can get. */
export interface Vocabulary {
  /** Values that stay wherever they are the whole text. */
  readonly texts: readonly string[]
  /** Names of fields. */
  readonly names: readonly string[]
  /** By the name of a field, after the schema of its object and a dot where that matters. */
  readonly kinds: Readonly<Record<string, Kind>>
  /** Schemas of objects, by the field that they are in. */
  readonly schemas: Readonly<Record<string, string>>
  /** Parameters of queries. */
  readonly queries: readonly string[]
  /** Templates of paths. */
  readonly routes: readonly string[]
}

/** Whether a text is the name of a time zone. */
function isZone(text: string): boolean {
  if (!/^[A-Za-z_+-]{1,32}(?:\/[A-Za-z0-9_+-]{1,32}){0,2}$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

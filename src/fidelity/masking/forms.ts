import { hasFormat } from '../../interface/validation.js'

/** What the value of a declared field may be, besides what it is replaced by. */
export type Kind =
  /** A boolean or a number: it stays. */
  | 'plain'
  /** A sentence for people, whose words of the interface stay. */
  | 'message'
  /** What a reply is about: an id, a sentence, or the text of a JSON value. */
  | 'result'
  /** Ids and versions, between words of the interface. */
  | 'composed'
  /** The path of a field, whose names stay. */
  | 'path'
  /** A password: it is replaced wherever it occurs from then on. */
  | 'secret'
  /** A text that stays if it has the form. */
  | Form

type Form = keyof typeof FORMS | (typeof FORMATS)[number]

/** Formats of the interface, of which a value tells nothing. */
const FORMATS = ['repeat', 'weekdays', 'calendar-date', 'clock-time', 'time-zone'] as const
const isFormat = (name: unknown): name is (typeof FORMATS)[number] => FORMATS.some((format) => format === name)

const words = (text: string) => /^[A-Za-z]{1,24}(?:[ _-][A-Za-z]{1,24}){0,2}$/.test(text)

/** What the values of declared fields look like that are the service's own, and no person's. */
const FORMS = {
  word: words,
  regions: (text: string) => words(text) || /^[a-z]{2,12}(?:-[a-z]{2,12}){0,3}-?\d{1,2}[a-z]?$/.test(text),
  versions: (text: string) => /^v?(?:20\d\d|\d{1,3})(?:\.\d{1,3}){1,2}$/.test(text),
  workspace_types: (text: string) => /^[A-Za-z]{1,10}(?:[-. ][A-Za-z0-9]{1,8}){1,2}$/.test(text),
  quantity: (text: string) => /^\d{1,15}(?:[KMGT]i?B?)?$/i.test(text),
  cron: (text: string) =>
    /^(?:[\d*/,-]{1,20}|[a-z,-]{3,30})(?: (?:[\d*/,-]{1,20}|[a-z,-]{3,30})){4}$/i.test(text) && !/\d{3}/.test(text)
} as const satisfies Record<string, (text: string) => boolean>

/** Whether there is a form of that name. */
export const isForm = (name: unknown): name is Form =>
  isFormat(name) || (typeof name === 'string' && Object.hasOwn(FORMS, name))

/** Whether a text has a form. */
export const hasForm = (text: string, form: Form): boolean =>
  isFormat(form) ? hasFormat(form, text) : FORMS[form](text)

/** Whether a text has a form that any word has, so that only the service can say whether it is one of its own. */
export const isAnyWord = (text: string, form: Form): boolean =>
  (form === 'word' || form === 'regions' || form === 'workspace_types') && !/\d/.test(text)

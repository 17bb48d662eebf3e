import { hasFormat } from '../../interface/validation.js'

/** How the values of a declared field are masked. */
export type Kind =
  /** A boolean or a number: it stays. */
  | 'plain'
  /** A sentence: words of the interface and of messages stay. */
  | 'message'
  /** An id, a sentence, or the text of a JSON value. */
  | 'result'
  /** Ids, versions and words of the interface, separated by punctuation. */
  | 'composed'
  /** The path of a field: names of fields stay. */
  | 'path'
  /** A password: from now on, it is replaced wherever it occurs. */
  | 'secret'
  /** A text that stays if it has the form. */
  | Form

type Form = keyof typeof FORMS | (typeof FORMATS)[number]

/** Formats of the interface whose values are harmless. */
const FORMATS = ['repeat', 'weekdays', 'calendar-date', 'clock-time', 'time-zone'] as const
const isFormat = (name: unknown): name is (typeof FORMATS)[number] => FORMATS.some((format) => format === name)

const words = (text: string) => /^[A-Za-z]{1,24}(?:[ _-][A-Za-z]{1,24}){0,2}$/.test(text)

const DATES = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat'
const CRON_PART = String.raw`(?:[\d*/,-]|${DATES}){1,20}`
const CRON = new RegExp(`^${CRON_PART}(?: ${CRON_PART}){4}$`, 'i')

/** Forms of values that the service, not a person, has chosen. */
const FORMS = {
  word: words,
  regions: (text: string) => words(text) || /^[a-z]{2,12}(?:-[a-z]{2,12}){0,3}-?\d{1,2}[a-z]?$/.test(text),
  versions: (text: string) => /^v?(?:20\d\d|\d{1,3})(?:\.\d{1,3}){1,2}$/.test(text),
  workspace_types: (text: string) => /^[A-Za-z]{1,10}(?:[-. ][A-Za-z0-9]{1,8}){1,2}$/.test(text),
  quantity: (text: string) => /^\d{1,15}(?:[KMGT]i?B?)?$/i.test(text),
  cron: (text: string) => CRON.test(text) && !/\d{3}/.test(text)
} as const satisfies Record<string, (text: string) => boolean>

export const isForm = (name: unknown): name is Form =>
  isFormat(name) || (typeof name === 'string' && Object.hasOwn(FORMS, name))

export const hasForm = (text: string, form: Form): boolean =>
  isFormat(form) ? hasFormat(form, text) : FORMS[form](text)

/** Whether any word has the form of a text, so that only a reply can show that it is harmless. */
export const isAnyWord = (text: string, form: Form): boolean =>
  (form === 'word' || form === 'regions' || form === 'workspace_types') && !/\d/.test(text)

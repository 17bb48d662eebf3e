import { hash } from 'node:crypto'
import { isSecret, mask } from '../journal/mask.js'

/** Stands for text that each run invents. */
const INVENTED = '~'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const TIMESTAMP = /\d{4}-\d\d-\d\d[T _]\d\d[:.-]?\d\d(?:[:.-]?\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/
const LONG_NUMBER = /(?<![0-9A-Za-z])(?:\d{6,}|[0-9a-f]{8,})(?![0-9A-Za-z])/

/** They differ from run to run, whoever makes them. */
const ALWAYS = new RegExp([UUID, TIMESTAMP, LONG_NUMBER].map(({ source }) => source).join('|'), 'gi')

/** A word of letters and digits, such as a client draws for a name of its own. */
const WORD = /[0-9A-Za-z]+/g
const isDrawn = (word: string) =>
  /\d/.test(word) && (/^\d{3,}$/.test(word) || (word.length >= 4 && /[A-Za-z]/.test(word)))

/**
 * What to mask so that two runs of a client agree, from as little as possible to all texts. A level is chosen by the
 * reference runs, and holds for all others.
 */
export const MASKINGS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(ALWAYS, INVENTED),
  (text) => text.replaceAll(ALWAYS, INVENTED).replaceAll(WORD, (word) => (isDrawn(word) ? INVENTED : word)),
  () => INVENTED
]

/** An index of {@link MASKINGS}. */
export type Masking = number

/** Masks a text. */
export function maskText(text: string, masking: Masking): string {
  return MASKINGS[masking]!(text)
}

/** A value as JSON, with sorted fields, without secrets, and with its texts masked. */
export function canonical(value: unknown, masking: Masking): string {
  return JSON.stringify(mask(value ?? null), (name, item: unknown) => {
    if (name !== '' && isSecret(name)) return INVENTED
    if (typeof item === 'string') return maskText(item, masking)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** A short name for a text, always the same. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

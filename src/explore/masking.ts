import { hash } from 'node:crypto'
import { isSecret, mask } from '../lib/secrets.js'

/** Replaces text that differs from run to run. */
export const INVENTED = '~'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const TIMESTAMP = /\d{4}-\d\d-\d\d[T _-]\d\d[:.-]?\d\d(?:[:.-]?\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/
const LONG_NUMBER = /(?<![0-9A-Za-z])(?:\d{6,}|[0-9a-f]{8,})(?![0-9A-Za-z])/

const ALWAYS = new RegExp([UUID, TIMESTAMP, LONG_NUMBER].map(({ source }) => source).join('|'), 'gi')

/** A word. Numbers such as those of a time of day are one: if one differs in the next run, others may later. */
const WORD = /\d+(?:[-:.]\d+)+|[\p{L}\p{N}]+/gu
/** Adjacent masked words, whose number may differ in the next run. */
const IN_A_ROW = /~(?:[^\p{L}\p{N}~]*~)+/gu

/** Masks the parts of a text that differ from run to run. */
export type Masking = (text: string) => string

/** Masks only ids, timestamps and long numbers. */
export const maskInvented: Masking = (text) => text.replaceAll(ALWAYS, INVENTED)

/** Also masks words that are not in a vocabulary. */
export function maskUnless(vocabulary: ReadonlySet<string>): Masking {
  return (text) =>
    maskInvented(text)
      .replaceAll(WORD, (word) => (vocabulary.has(word) ? word : INVENTED))
      .replaceAll(IN_A_ROW, INVENTED)
}

/** The words that occur in every text. */
export function commonWords([first = '', ...others]: readonly string[]): Set<string> {
  const lists = others.map((text) => new Set(text.match(WORD)))
  return new Set(first.match(WORD)?.filter((word) => lists.every((words) => words.has(word))))
}

/** A value as JSON with sorted fields and masked texts, without secrets. */
export function canonical(value: unknown, masking: Masking): string {
  return JSON.stringify(mask(value), (name, item: unknown) => {
    if (isSecret(name)) return INVENTED
    if (typeof item === 'string') return masking(item)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** A short, stable name for a text. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

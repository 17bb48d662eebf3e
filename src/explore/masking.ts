import { hash } from 'node:crypto'
import { isSecret, mask } from '../lib/mask.js'

/** Stands for text that each run invents. */
const INVENTED = '~'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const TIMESTAMP = /\d{4}-\d\d-\d\d[T _]\d\d[:.-]?\d\d(?:[:.-]?\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/
const LONG_NUMBER = /(?<![0-9A-Za-z])(?:\d{6,}|[0-9a-f]{8,})(?![0-9A-Za-z])/

/** They differ from run to run, whoever makes them. */
const ALWAYS = new RegExp([UUID, TIMESTAMP, LONG_NUMBER].map(({ source }) => source).join('|'), 'gi')

const WORD = /[\p{L}\p{N}]+/gu
/** Invented words side by side: there may be more or fewer of them in the next run. */
const IN_A_ROW = /~(?:[^\p{L}\p{N}~]*~)+/gu

/** Masks what each run of a client invents in a text. */
export type Masking = (text: string) => string

/** Masks only what looks invented: ids, timestamps and long numbers. */
export const maskInvented: Masking = (text) => text.replaceAll(ALWAYS, INVENTED)

/** Masks the words that are not in a vocabulary as well. */
export function maskUnless(vocabulary: ReadonlySet<string>): Masking {
  const maskWord = (word: string) => (vocabulary.has(word) ? word : INVENTED)
  return (text) => maskInvented(text).replaceAll(WORD, maskWord).replaceAll(IN_A_ROW, INVENTED)
}

/** The words that occur in all of some texts. */
export function commonWords([first = '', ...others]: readonly string[]): Set<string> {
  const lists = others.map((text) => new Set(text.match(WORD)))
  return new Set(first.match(WORD)?.filter((word) => lists.every((words) => words.has(word))))
}

/** A value as JSON, with sorted fields, without secrets, and with its texts masked. */
export function canonical(value: unknown, masking: Masking): string {
  return JSON.stringify(mask(value ?? null), (name, item: unknown) => {
    if (name !== '' && isSecret(name)) return INVENTED
    if (typeof item === 'string') return masking(item)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** A short name for a text, always the same. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

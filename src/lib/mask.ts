import { cached } from './caches.js'
import { FORK_KEYS } from './keys.js'

/** Replaces a secret. */
export const MASKED = '***'

/** A name that contains one of these anywhere is secret. */
const SECRET = new RegExp(
  [
    'passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization',
    String.raw`(?<!as|ob|pos)sess(?:ion)?[\s_-]?id`,
    String.raw`(?:api|private|access)[\s_-]?key`
  ].join('|'),
  'i'
)

/** These are too short for that: they must be a whole word of the name, as in `authHeader` but not in `author`. */
const SECRET_WORD = /^(?:(?:session|cookie|jwt|dsn)s?|pass|o?auth|sig|signature)$/i

/** Whether a field with this name may hold a secret. Few names are in use, but a client may send any. */
export const isSecret = cached(
  1000,
  (field: string) => SECRET.test(field) || wordsOf(field).some((word) => SECRET_WORD.test(word))
)

/** The words of a name in snake case or camel case: `user_id`, `userId` and `UserID` have the same two. */
function wordsOf(field: string): string[] {
  return field.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').split(/[^A-Za-z]/)
}

/**
 * Masks every field that may hold a secret, at any depth, keys of forks, and the user info of URLs. Returns the value
 * itself if there is nothing to mask.
 */
export function mask<T>(value: T): T
export function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskUrls(maskForkKeys(value))
  // Numbers, booleans and null have no fields.
  return Array.isArray(value) ? maskItems(value) : maskFields(value as Record<string, unknown>)
}

// A body can be large, and few hold secrets, so copy only those that do.

function maskItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < items.length; i++) {
    const masked = mask(items[i])
    if (masked !== items[i]) (copy ??= [...items])[i] = masked
  }
  return copy ?? items
}

function maskFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const field in fields) {
    const masked = isSecret(field) ? MASKED : mask(fields[field])
    if (masked !== fields[field]) (copy ??= { ...fields })[field] = masked
  }
  return copy ?? fields
}

/** Keys of forks are random, so they are known by their form: a caller may put one anywhere. */
function maskForkKeys(text: string): string {
  return text.includes('fork_') ? text.replaceAll(FORK_KEYS, MASKED) : text
}

/**
 * Masks user info as in `postgres://user:password@host`. Does not match the scheme, because finding where it starts
 * would be slow.
 */
function maskUrls(text: string): string {
  return text.includes('://') ? text.replaceAll(/:\/\/[^\s/?#]*@/g, `://${MASKED}@`) : text
}

/** Whether anything in a masked value was secret. */
export function hasMasked(value: unknown): boolean {
  if (typeof value === 'string') return value === MASKED || value.includes(`://${MASKED}@`)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMasked)
}

/** Masks a text as {@link mask} does; if it is JSON, everything in it. */
export function maskText(text: string): string {
  if (!/^[[{]/.test(text)) return mask(text)
  try {
    const parsed = JSON.parse(text) as unknown
    const masked = mask(parsed)
    return masked === parsed ? text : JSON.stringify(masked)
  } catch {
    return mask(text)
  }
}

/** A quick look that finds every text with something to mask in it, and some without. */
const SUSPICIOUS = /pass|pwd|secret|token|credential|auth|sess|key|cookie|jwt|dsn|sig|fork_|:\/\//i

/** Whether there may be something to mask in a text. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text)
}

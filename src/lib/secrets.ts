import { hash } from 'node:crypto'
import { cached } from './caches.js'

/** SHA-256 of a credential, which identifies a sandbox, so that no credential is stored in clear text. */
export function sandboxIdOf(secret: string): string {
  return hash('sha256', secret)
}

/** Matches a key issued by the control API. */
const FORK_KEY = /fork_[0-9a-f]{24}/
const FORK_KEYS = new RegExp(FORK_KEY, 'g')
const WHOLE_FORK_KEY = new RegExp(`^${FORK_KEY.source}$`)

/** Whether the control API issued a key. Such a key must not create a new sandbox when its own is gone. */
export function isForkKey(key: string): boolean {
  return WHOLE_FORK_KEY.test(key)
}

export const MASKED = '***'

/** A field is secret if its name contains one of these, */
const SECRET = new RegExp(
  [
    'passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization',
    String.raw`(?<!as|ob|pos)sess(?:ion)?[\s_-]?id`,
    String.raw`(?:api|private|access)[\s_-]?key`
  ].join('|'),
  'i'
)

/** or if one of these is a whole word of it, as in `authHeader` but not in `author`. */
const SECRET_WORD = /^(?:(?:session|cookie|jwt|dsn)s?|pass|o?auth|sig|signature)$/i

/** Whether a field with this name may hold a secret. */
export const isSecret = cached(
  1000,
  (field: string) => SECRET.test(field) || wordsOf(field).some((word) => SECRET_WORD.test(word))
)

/** The words of a name in snake case or camel case, such as `user_id`, `userId` or `UserID`. */
function wordsOf(field: string): string[] {
  return field.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').split(/[^A-Za-z]/)
}

/** Whether the value of a field whose name is that of a secret is none. */
type IsHarmless = (value: unknown, field: string) => boolean

/**
 * Masks fields that may hold a secret, at any depth and in texts that are JSON, keys of forks, and the user info of
 * URLs, in a copy if needed.
 */
export function mask<T>(value: T, isHarmless?: IsHarmless): T
export function mask(value: unknown, isHarmless?: IsHarmless): unknown {
  if (typeof value === 'string') return maskText(value)
  // Numbers, booleans and null have no fields.
  return Array.isArray(value) ? maskItems(value, isHarmless) : maskFields(value as Record<string, unknown>, isHarmless)
}

// A body can be large, and few hold secrets, so copy only those that do.

function maskItems(items: readonly unknown[], isHarmless?: IsHarmless): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < items.length; i++) {
    const masked = mask(items[i], isHarmless)
    if (masked !== items[i]) (copy ??= [...items])[i] = masked
  }
  return copy ?? items
}

function maskFields(
  fields: Readonly<Record<string, unknown>>,
  isHarmless?: IsHarmless
): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const field in fields) {
    const value = fields[field]
    const isMasked = isSecret(field) && isHarmless?.(value, field) !== true
    const masked = isMasked ? MASKED : mask(value, isHarmless)
    if (masked !== value) (copy ??= { ...fields })[field] = masked
  }
  return copy ?? fields
}

function maskText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return maskPlain(text)
  try {
    const parsed = JSON.parse(text) as unknown
    const masked = mask(parsed)
    return masked === parsed ? text : JSON.stringify(masked)
  } catch {
    return maskPlain(text)
  }
}

/**
 * Masks keys of forks, whose form gives them away, and user info as in `postgres://user:password@host`. Finding the
 * start of the scheme would be slow.
 */
function maskPlain(text: string): string {
  const keyless = text.includes('fork_') ? text.replaceAll(FORK_KEYS, MASKED) : text
  return keyless.includes('://') ? keyless.replaceAll(/:\/\/[^\s/?#]*@/g, `://${MASKED}@`) : keyless
}

/** Names of numbers that count or limit secrets. */
const OF_COUNT = /^(?:max|min|total|num)(?=[A-Z_])|(?:count|limit|tokens|lifetime|ttl)$/i

/** Masks like {@link mask}, but keeps counts such as `max_tokens`, booleans and null, whose types matter. */
export const maskKeepingCounts = <T>(value: T): T =>
  mask(
    value,
    (item, field) => typeof item === 'boolean' || item === null || (typeof item === 'number' && OF_COUNT.test(field))
  )

/** Whether anything in a masked value was secret. */
export function hasMasked(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(MASKED)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMasked)
}

/** Finds every text with something to mask, and some without; JSON in a text can escape letters and slashes. */
const SUSPICIOUS = /pass|pwd|secret|token|credential|auth|sess|key|cookie|jwt|dsn|sig|fork_|:\/\/|\\[u/]/i

/** A quick check of whether there may be something to mask in a text. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text)
}

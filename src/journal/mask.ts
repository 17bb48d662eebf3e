/** What stands for a secret. */
export const MASKED = '***'

/** What a name may have anywhere in it. */
const SECRET = new RegExp(
  [
    'passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization',
    String.raw`(?<!as|ob|pos)sess(?:ion)?[\s_-]?id`,
    String.raw`(?:api|private|access)[\s_-]?key`
  ].join('|'),
  'i'
)

/** What is too short for that: a name must have it as a word, as `authHeader` has and `author` has not. */
const SECRET_WORD = /^(?:(?:session|cookie|jwt|dsn)s?|pass|o?auth|sig|signature)$/i

/** What is known of names; few are used, but a client may send any. */
const known = new Map<string, boolean>()
const KNOWN_LIMIT = 1000

/** Whether a field of this name may hold a secret. */
export function isSecret(field: string): boolean {
  let answer = known.get(field)
  if (answer === undefined) {
    if (known.size >= KNOWN_LIMIT) known.clear()
    known.set(field, (answer = SECRET.test(field) || wordsOf(field).some((word) => SECRET_WORD.test(word))))
  }
  return answer
}

/** The words of a name in snake case or camel case: `user_id`, `userId` and `UserID` have the same two. */
function wordsOf(field: string): string[] {
  return field.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').split(/[^A-Za-z]+/)
}

/**
 * A value in which every field that may hold a secret, at any depth, is masked, and so is who calls in a URL; the value
 * itself if there is none.
 */
export function mask<T>(value: T): T
export function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskUrls(value)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? maskItems(value) : maskFields(value as Record<string, unknown>)
}

// A body can be large, and few have anything to hide, so nothing is made for the others.

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

/**
 * As in `postgres://user:password@host`. The scheme is not looked for: it is where it begins that would take long to
 * find.
 */
function maskUrls(text: string): string {
  return text.includes('://') ? text.replaceAll(/:\/\/[^\s/?#]*@/g, `://${MASKED}@`) : text
}

/** Whether something in a masked value was secret. */
export function hasMasked(value: unknown): boolean {
  if (typeof value === 'string') return value === MASKED || value.includes(`://${MASKED}@`)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMasked)
}

import { instantOf } from '../timing.js'
import { wordsIn } from '../words.js'

/** A day of this century, or one of a timestamp that stands for none. */
const DAY = String.raw`20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|(?:0001|1970)-01-01(?=[T ]00:00)`
const CLOCK = String.raw`(?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:\.\d{1,9})?)?`
const ZONE = String.raw`(?: ?(?:Z|UTC|[+-]\d\d:?\d\d(?: UTC)?))?`
/** The default tag of a backup has a prefix. */
const TIMESTAMP = new RegExp(`^(?:(?:automatic|manual)-)?(?:${DAY})[T ]${CLOCK}${ZONE}$`)
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const HTTP_DATE = new RegExp(
  String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-3]\d ${MONTH} (?:20\d\d|1970) [0-2]\d:[0-5]\d:[0-6]\d GMT$`
)

/** Whether a text is a timestamp or an HTTP date. */
export function isTime(text: string): boolean {
  return TIMESTAMP.test(text) || HTTP_DATE.test(text)
}

/** Milliseconds since 1970 at the beginning of 2000 and of 2100. */
const CENTURY = [946_684_800_000, 4_102_444_800_000] as const

/** Whether a number is a time of this century, in seconds or milliseconds since 1970, in a field named after a time. */
export function isMoment(number: number, field: string): boolean {
  if (!Number.isInteger(number) || !/(?:time|_at|login)$/i.test(field)) return false
  const instant = instantOf(number)!
  return instant >= CENTURY[0] && instant < CENTURY[1]
}

const APPLICATION = String.raw`application/(?:(?:problem\+)?json|xml|octet-stream|x-www-form-urlencoded)`
const MEDIA_TYPE = `(?:text/(?:plain|html|csv)|multipart/form-data|${APPLICATION})`
const METHOD = '(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)'
const CHARSET = 'charset="?(?:utf-8|us-ascii|iso-8859-1)"?'
/** A service may name a policy after a customer. */
const PERIOD = '(?:per-)?(?:second|minute|hour|day|month)|hourly|daily|monthly'
const POLICY_NAME = String.raw`"?(?:default|burst|sustained|limit-\d{1,2}|${PERIOD})"?`
const POLICY = String.raw`${POLICY_NAME}; ?q=\d{1,6}; ?w=\d{1,6}`

/** The harmless parts of headers that are compared or learned. */
const HARMLESS_HEADERS: ReadonlyMap<string, RegExp> = new Map([
  ['content-type', new RegExp(`^${MEDIA_TYPE}(?:; ?${CHARSET})?(?=;|$)`, 'i')],
  ['allow', new RegExp(`^${METHOD}(?:, ?${METHOD}){0,6}$`)],
  ['retry-after', /^\d{1,5}$/],
  ['ratelimit-policy', new RegExp(`^${POLICY}(?:, ?${POLICY}){0,7}$`)],
  ['www-authenticate', /^(?:Basic|Bearer|Digest)(?=\s|$)/i]
])

const RATE_LIMIT = /^(?:x-)?rate-?limit-(?:limit|remaining|used|reset)(?:-(?:second|minute|hour|day|month))?$/

const RATE = /^(?:\d{1,6}|20\d{8}|1[7-9]\d{8})$/

/** The part of a header's value that is harmless; undefined if none is. */
export function harmlessPart(header: string, value: string): string | undefined {
  if (isTime(value)) return value
  const form = RATE_LIMIT.test(header) ? RATE : HARMLESS_HEADERS.get(header)
  return form?.exec(value)?.[0]
}

/** Headers about one connection, and those with the length of a body. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' ')
)

const LONGEST_NAME = 48
const MOST_WORDS = 6

/** Whether a text can be the name of a field or of a header: joined words. */
export function isPlainName(name: string): boolean {
  if (name.length > LONGEST_NAME || !/^[$_]?[A-Za-z][\w-]*$/.test(name)) return false
  const parts = name.split(/[^A-Za-z\d]+/).map(wordsIn)
  return parts.flat().length <= MOST_WORDS && !parts.some(isRandom) && parts.flat().every(isPlainWord)
}

/** Random letters change their case too often to be words. */
const isRandom = (words: readonly string[]) => words.length > 2 && words.join('').length / words.length < 3

/** Whether a word is pronounceable, or an abbreviation. */
const isPlainWord = (word: string) =>
  /^[a-z]{1,4}$/.test(word) || (/^[a-z]{5,15}$/.test(word) && !/[^aeiouy]{5}/.test(word))

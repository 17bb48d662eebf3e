const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d(?: UTC)?))?)?$/
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
const LONGEST = 48

/** Whether a text is a timestamp, a date as HTTP writes it, or the tag that a backup has by default. */
export function isTime(text: string): boolean {
  return text.length <= LONGEST && (TIMESTAMP.test(text.replace(/^(?:automatic|manual)-/, '')) || HTTP_DATE.test(text))
}

/** Whether a text can only be the name of a field or of a header: words, as programs join them. */
export function isPlainName(name: string): boolean {
  if (name.length > LONGEST || !/^[A-Za-z_$][A-Za-z_.$-]*\d{0,2}$/.test(name)) return false
  const parts = name
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .split(' ')
  // Letters drawn by lot change their case too often to be words.
  const letters = parts.reduce((sum, { length }) => sum + length, 0)
  return parts.length <= 3 || letters / parts.length >= 3
}

const MEDIA_TYPES = new Set(
  `*/* text/plain text/html text/csv text/event-stream application/json application/problem+json application/xml
  application/octet-stream application/x-www-form-urlencoded multipart/form-data`.split(/\s+/)
)
const CHARSET = /^charset="?(?:utf-8|us-ascii|iso-8859-1)"?$/i

/** Headers whose values stay if they have a harmless form, and that form. What is left of a value is returned. */
const HARMLESS_HEADERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  accept: mediaTypes,
  'accept-encoding': tokens(/^(?:gzip|deflate|br|identity|zstd|\*)$/i),
  'content-encoding': tokens(/^(?:x-)?(?:gzip|deflate|br|identity|zstd)$/i),
  'content-type': mediaTypes,
  allow: tokens(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/),
  'retry-after': (value) => (/^\d{1,7}$/.test(value) || isTime(value) ? value : undefined),
  date: (value) => (isTime(value) ? value : undefined),
  'last-modified': (value) => (isTime(value) ? value : undefined),
  expires: (value) => (isTime(value) ? value : undefined),
  'www-authenticate': (value) => /^(?:Basic|Bearer|Digest)(?=\s|$)/i.exec(value)?.[0]
}

const RATE_LIMIT = /^(?:x-)?rate-?limit(?:-[a-z]+)*$/

/** What stays of the value of a header; undefined: nothing. */
export function harmlessPart(header: string, value: string): string | undefined {
  if (RATE_LIMIT.test(header)) return /^\d{1,12}$/.test(value) ? value : undefined
  return HARMLESS_HEADERS[header]?.(value)
}

/** They are about one connection, or about the length of what is masked. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

function tokens(known: RegExp): (value: string) => string | undefined {
  return (value) => (value.split(',').every((token) => known.test(token.trim())) ? value : undefined)
}

/** Known media types, without parameters but for the character set. */
function mediaTypes(value: string): string | undefined {
  const types = value.split(',').map((item) => item.split(';').map((part) => part.trim()))
  if (!types.every(([type = '']) => MEDIA_TYPES.has(type.toLowerCase()))) return undefined
  return types.map(([type, ...rest]) => [type, ...rest.filter((part) => CHARSET.test(part))].join('; ')).join(', ')
}

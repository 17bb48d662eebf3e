import fc from 'fast-check'
import type { Body } from '../helper.js'

/** An operation as one of the published documents has it. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly params: readonly string[]
  readonly query: readonly string[]
  readonly body: Body
  readonly isBodyOptional: boolean
  readonly isControl: boolean
  readonly needsSession: boolean
}

export interface HostileRequest {
  readonly method: string
  /** Path and query, as they stand in the request line. */
  readonly url: string
  readonly headers: Record<string, string | string[]>
  readonly body: Buffer | undefined
  /** Whether its path leads to the operation that it was made for, whatever its parameters are. */
  readonly isPlain: boolean
}

/**
 * Texts that are right somewhere: ids of the fixture by the names of parameters, and whatever else stands in its
 * document.
 */
export interface Known {
  readonly params: Readonly<Record<string, readonly string[]>>
  readonly texts: readonly string[]
}

export const KEY = 'hostile'

/** Waits until it is called again, if a request names no moment. */
const WAITING = 'sleep'

/** The operations of a document, but for those that may not end: {@link WAITING}, and a stream. */
export function operationsOf(document: Body): Operation[] {
  const ends = ({ operationId, responses }: Body) =>
    operationId !== WAITING && !('text/event-stream' in (responses['200']?.content ?? {}))
  const entries = (item: Body) =>
    Object.entries(item as Record<string, Body>).filter(([, operation]) => ends(operation))
  return Object.entries(document.paths as Record<string, Body>).flatMap(([path, item]) =>
    entries(item).map(([method, operation]) => {
      const named = (place: string) =>
        ((operation.parameters ?? []) as Body[])
          .filter((parameter) => parameter.in === place)
          .map(({ name }) => name as string)
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        params: named('path'),
        query: named('query'),
        body: operation.requestBody?.content['application/json'].schema,
        isBodyOptional: operation.requestBody?.required === false,
        isControl: path.startsWith('/_mock/'),
        needsSession: (operation.security as object[]).every((scheme) => 'session' in scheme)
      }
    })
  )
}

/** Half a surrogate pair cannot be written in a URL. */
const encodeWhole = (text: string) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''))

/** Requests for one operation: a few are right, and most have something wrong in one or more places. */
export function requestsOf(operation: Operation, document: Body, known: Known): fc.Arbitrary<HostileRequest> {
  const body =
    operation.body === undefined
      ? fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: bodies(fc.jsonValue()) })
      : bodies(valuesOf(operation.body, document, known))
  return fc
    .record({
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(operation.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(operation.method === 'GET' ? 'HEAD' : operation.method, 'PATCH', 'OPTIONS')
        }
      ),
      segments: fc.tuple(...operation.params.map((name) => segments(known.params[name] ?? known.texts))),
      query: queries(operation, known),
      body,
      headers: headers(operation)
      // A client goes up a level by itself there, to another place than the operation's.
    })
    .filter(({ segments: chosen }) => !chosen.some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    .map(({ method, segments: chosen, query, body, headers }): HostileRequest => {
      let index = 0
      const path = operation.path.replaceAll(/\{\w+\}/g, () => chosen[index++]!)
      const type = body === undefined || body.type === undefined ? {} : { 'content-type': body.type }
      return {
        method,
        url: `${path}${query}`,
        headers: { ...type, ...headers },
        body: body?.bytes,
        // An id that is a word of a path, or ends the path, leads elsewhere.
        isPlain: method === operation.method && chosen.every((segment) => /^[\w-]{20,}$/.test(segment))
      }
    })
}

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 8) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

const ODD_SEGMENTS = [
  '%00',
  '%2f',
  '%2F..%2f',
  '%2e%2e',
  '%ff',
  '%zz',
  '%',
  '%E2%80%AE',
  '%F0%9F%9A%80',
  '%252e%252e',
  '%25%30%30',
  '%0d%0aX-Injected:%20yes',
  '%ED%A0%80',
  '%C0%AF',
  '..',
  '.',
  '...',
  ';',
  'a;b=c',
  ';jsessionid=1',
  '?',
  '?a=b',
  '*',
  '+',
  '~',
  "!$&'()",
  ':id',
  '{id}',
  '-1',
  '0',
  '1e309',
  'NaN',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '%27%20OR%201%3D1--',
  '%22%3E%3Cb%3E',
  '${7*7}',
  'current',
  'enable',
  'meta',
  'x'.repeat(256),
  'x'.repeat(257),
  'x'.repeat(8000),
  '%20'.repeat(1000),
  '00000000-0000-0000-0000-000000000000',
  'baseline',
  'con',
  'a\tb',
  'é',
  '\u202ex'
]

const segments = (known: readonly string[]) =>
  mostly(
    fc.constantFrom(...known),
    fc.oneof(
      fc.constantFrom(...ODD_SEGMENTS),
      fc
        .string({ unit: 'binary', maxLength: 20 })
        .map((text) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, '')))
    ),
    5
  )

const ODD_QUERIES = [
  '?',
  '??',
  '?&&&',
  '?=',
  '?=x',
  '?a',
  '?%',
  '?%zz=1',
  '?%00=%00',
  '?__proto__=1',
  '?__proto__[a]=1',
  '?constructor=1&constructor[prototype][a]=1',
  '?a[]=1&a[b]=2',
  '?toString=1',
  '?hasOwnProperty=1',
  `?${'a=1&'.repeat(500)}`,
  `?${'x'.repeat(8000)}`,
  '?a=%ED%A0%80',
  '?a=%ff',
  '?a=b;c=d',
  '?a=%0d%0aX-Injected:%20yes',
  '?#',
  '?a=?b=/../..'
]

function queries({ query }: Operation, known: Known): fc.Arbitrary<string> {
  const values = fc.oneof(
    fc.constantFrom(...known.texts),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e309',
      '200',
      '4xx',
      '[]',
      '{}',
      'null',
      'junit',
      'json',
      '__proto__',
      '\u0000',
      '9'.repeat(400)
    ),
    fc.string({ maxLength: 10 })
  )
  const named =
    query.length === 0
      ? fc.constant('')
      : fc
          .array(fc.tuple(fc.constantFrom(...query), values), { maxLength: 3 })
          .map((pairs) =>
            pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${encodeWhole(value)}`).join('&')}`
          )
  return mostly(
    query.length === 0 ? fc.constant('') : mostly(named, fc.constant(''), 2),
    fc.constantFrom(...ODD_QUERIES),
    9
  )
}

const LONG = 'x'.repeat(8000)
const ODD_HEADERS: Readonly<Record<string, readonly (string | string[])[]>> = {
  'x-api-key': ['', ' ', 'é', '__proto__', LONG, `fork_${'0'.repeat(24)}`, [KEY, KEY], `${KEY},${KEY}`, 'a\tb'],
  authorization: [
    '',
    'Bearer',
    'Bearer  ',
    'bearer x',
    'Basic aDpo',
    `Bearer ${LONG}`,
    'Bearer a b',
    'Bearer __proto__',
    ['Bearer a', 'Bearer b']
  ],
  'x-request-id': [
    '',
    ' ',
    '__proto__',
    'constructor',
    'é',
    'x'.repeat(128),
    'x'.repeat(129),
    'a b',
    'a,b',
    '<script>',
    ['a', 'b'],
    LONG
  ],
  host: [
    '',
    'evil.example',
    'localhost:1',
    '[::1]',
    '[',
    ':80',
    'a b',
    '127.0.0.1.evil.example',
    'LOCALHOST',
    LONG,
    '127.1'
  ],
  origin: ['null', 'http://evil.example', 'http://localhost', 'x', '', LONG],
  'x-forwarded-for': ['::1', '127.0.0.1', ',,,,', 'unknown', '1.2.3.4, "a"', LONG, '999.999.999.999'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['gopher'],
  'x-http-method-override': ['DELETE'],
  'x-mock-token': ['', 'x', LONG],
  'content-encoding': ['gzip', 'br', 'identity', 'x'],
  accept: ['application/xml', '', '*/*;q=0', LONG],
  'accept-encoding': ['gzip;q=0, *;q=0'],
  'if-match': ['*'],
  'if-none-match': ['*', '"x"'],
  range: ['bytes=0-0', 'bytes=-', 'bytes=9999999999999-'],
  cookie: [LONG, '__proto__=1'],
  expect: ['100-continue', 'x'],
  connection: ['close', 'upgrade', 'x-api-key'],
  upgrade: ['h2c', 'websocket'],
  te: ['trailers'],
  __proto__x: ['1'],
  constructor: ['1']
}

function headers({ needsSession }: Operation): fc.Arbitrary<Record<string, string | string[]>> {
  const usual = needsSession ? { authorization: `Bearer ${KEY}` } : { 'x-api-key': KEY }
  const odd = fc
    .constantFrom(...Object.keys(ODD_HEADERS))
    .chain((name) =>
      fc.constantFrom(...ODD_HEADERS[name]!).map((value): Record<string, string | string[]> => ({ [name]: value }))
    )
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    {
      weight: 3,
      arbitrary: fc
        .array(odd, { minLength: 1, maxLength: 4 })
        .map((some) => Object.assign({}, usual, ...some) as Record<string, string>)
    },
    {
      weight: 1,
      arbitrary: fc.array(odd, { maxLength: 2 }).map((some) => Object.assign({}, ...some) as Record<string, string>)
    }
  )
}

/** Text that is put into JSON as it is, for what no value can be written as. */
class Raw {
  constructor(readonly text: string) {}
}

/** At the end of a key: it stands there a second time. */
const TWICE = '\ue000'

function encode(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(encode).join()}]`
  if (value === undefined) return 'null'
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key.replace(TWICE, ''))}:${encode(item)}`)
    .join()}}`
}

const nest = (open: string, close: string, levels: number) => new Raw(`${open.repeat(levels)}1${close.repeat(levels)}`)

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1.5,
  1e15,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  5e-324,
  1.7976931348623157e308,
  new Raw('1e309'),
  new Raw('-1e400'),
  new Raw('9'.repeat(400)),
  new Raw('0.1e-9999'),
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f\u0085',
  '\u2028\u2029',
  '\u202egnp.exe',
  '👩‍👩‍👧‍👦',
  '\ufeffx',
  '\uffff',
  'ﷺ'.repeat(100),
  'e' + '\u0301'.repeat(500),
  '\r\nX: y',
  '%s%n%x',
  '../../..',
  new Raw('"\\ud800"'),
  new Raw('"\\udc00\\ud800"'),
  new Raw('"\\u0000"'),
  'x'.repeat(256),
  'x'.repeat(257),
  '🚀'.repeat(128),
  '🚀'.repeat(129),
  '🚀'.repeat(257),
  'x'.repeat(100_000),
  "'; --",
  '$where',
  '{{7*7}}',
  '<b>',
  '__proto__',
  'constructor',
  'toString',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  'P99999999Y',
  'PT0.0000000001S',
  '-P1D',
  '* * * * *',
  '0 0 31 2 *',
  '@reboot',
  '::ffff:1.2.3.4/96',
  '0.0.0.0/0',
  '1.2.3.4/33',
  '::/129',
  'Etc/GMT+14',
  [],
  {},
  [null],
  [[]],
  [{}],
  { length: 1 },
  { toJSON: 1 },
  { then: 1 },
  { $ref: '#' },
  { toString: null, valueOf: null },
  Array(300).fill(1),
  Array(300).fill('x'),
  nest('[', ']', 500),
  nest('{"a":', '}', 500),
  nest('[', ']', 990),
  nest('[', ']', 1000),
  nest('[', ']', 20_000),
  new Raw('{"__proto__":{"a":1}}'),
  new Raw('{"constructor":{"prototype":{"a":1}}}'),
  new Raw('{"\\u005f_proto__":1}'),
  new Raw('NaN'),
  new Raw('undefined'),
  new Raw('01'),
  new Raw('+1'),
  new Raw('.5'),
  new Raw('"\t"'),
  new Raw('/**/1'),
  new Raw("'x'")
]

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'toJSON',
  'then',
  'length',
  '',
  ' ',
  '\u0000',
  '🚀',
  '$ref',
  '$id',
  'a.b',
  '/',
  '~0',
  '0',
  '-1',
  'x'.repeat(5000),
  '\u202e',
  '__proto__.toString',
  'constructor.prototype.toString',
  '__defineGetter__',
  'password',
  'Error',
  'RequestID',
  'sandbox',
  'id',
  'workspace_id'
]

interface Damage {
  readonly way: 'replace' | 'remove' | 'add' | 'twice' | 'wrap'
  readonly at: number
  readonly key: string
  readonly value: unknown
}

const damages: fc.Arbitrary<Damage> = fc.record({
  way: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'add', 'twice', 'wrap'),
  at: fc.nat({ max: 1000 }),
  key: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ODD_KEYS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) }
  ),
  value: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) },
    { weight: 1, arbitrary: fc.jsonValue({ stringUnit: 'binary' }) }
  )
})

/** Does damage in one place of a value, which is not changed itself. */
function damage(value: unknown, { way, at, key, value: other }: Damage): unknown {
  const root = { value: copy(value) }
  const places: [parent: Record<string, unknown>, key: string][] = []
  const visit = (parent: Record<string, unknown>, key: string) => {
    places.push([parent, key])
    const child = parent[key]
    if (isTree(child)) for (const name of Object.keys(child)) visit(child as Record<string, unknown>, name)
  }
  visit(root, 'value')
  const [parent, name] = places[at % places.length]!
  const child = parent[name]
  if (way === 'remove') Reflect.deleteProperty(parent, name)
  else if (way === 'twice') define(parent, `${name}${TWICE}`, other)
  else if (way === 'wrap') define(parent, name, at % 2 === 0 ? [child] : { [key]: child })
  else if (way === 'add' && isTree(child) && !Array.isArray(child)) define(child, key, other)
  else define(parent, name, other)
  return root.value
}

const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Raw)

/** Sets a field of its own, whatever its name is. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function copy(value: unknown): unknown {
  if (!isTree(value)) return value
  if (Array.isArray(value)) return value.map(copy)
  const target = {}
  for (const [key, item] of Object.entries(value)) define(target, key, copy(item))
  return target
}

interface HostileBody {
  readonly bytes: Buffer
  readonly type: string | undefined
}

const JSON_TYPE = 'application/json'
const ODD_TYPES = [
  undefined,
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;',
  'application/json; charset',
  'Application/JSON',
  ';',
  '/',
  'application/json, text/plain',
  'application/vnd.api+json',
  'application/jsonx',
  LONG,
  'application/json;charset="utf-8";x=y',
  '*/*',
  '__proto__',
  'constructor'
]
const ODD_BODIES = [
  '',
  ' ',
  '\n',
  'null',
  '[]',
  '"x"',
  '5',
  'true',
  'undefined',
  'NaN',
  '{',
  '}',
  '{"a":',
  '{"a":1}}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{a:1}',
  '[1,]',
  '\u0000',
  '<x/>',
  'a=b&c=d',
  '//',
  '"',
  '\\',
  '[',
  '{}',
  '-',
  '1e',
  '"\\u12"',
  '['.repeat(5000),
  '{"a":'.repeat(5000),
  '1'.repeat(10_000),
  ' '.repeat(10_000),
  '{"__proto__":{}}',
  '{"constructor":{"prototype":{}}}',
  '\ufeff{}'
]
  .map((text) => Buffer.from(text))
  .concat(
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    Buffer.from([0x1f, 0x8b, 8, 0, 0]),
    Buffer.from([0x22, 0xc3, 0x28, 0x22])
  )

function bodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<HostileBody> {
  const encoded = fc
    .tuple(
      values,
      fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: fc.array(damages, { minLength: 1, maxLength: 3 }) }
      )
    )
    .map(([value, some]) => Buffer.from(encode(some.reduce<unknown>(damage, value))))
  const broken = fc
    .tuple(encoded, fc.nat({ max: 10_000 }), fc.constantFrom('cut', 'byte', 'bom', 'more', 'utf16'))
    .map(([bytes, at, way]) => {
      const place = bytes.length === 0 ? 0 : at % bytes.length
      switch (way) {
        case 'cut':
          return bytes.subarray(0, place)
        case 'byte':
          return Buffer.concat([bytes.subarray(0, place), Buffer.from([0x80 + (at % 128)]), bytes.subarray(place)])
        case 'bom':
          return Buffer.concat([Buffer.from('\ufeff'), bytes])
        case 'more':
          return Buffer.concat([bytes, bytes])
        default:
          return Buffer.from(bytes.toString(), 'utf16le')
      }
    })
  return fc.record({
    bytes: fc.oneof(
      { weight: 12, arbitrary: encoded },
      { weight: 2, arbitrary: broken },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_BODIES) }
    ),
    type: mostly<string | undefined>(fc.constant(JSON_TYPE), fc.constantFrom(...ODD_TYPES), 12)
  })
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  cidr: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  repeat: ['daily', 'weekly', 'none'],
  weekdays: ['Mon,Thu'],
  'calendar-date': ['2027-03-28'],
  'clock-time': ['02:30', '23:59'],
  'time-zone': ['Europe/Berlin', 'UTC'],
  timestamp: ['2026-01-02T03:04:05.678Z', '2026-06-01T00:00:00Z'],
  'readable-id': ['a', 'new-id']
}
/** What stands in a text whose form the schema does not say. */
const FORMS = [
  '0 3 * * *',
  'PT1H',
  'P1D',
  '2026-02-03T00:00:00.000Z',
  'hold',
  'fail',
  'createWorkgroup',
  'workspace.pause',
  'a text'
]

/**
 * Values that a schema allows, or nearly so: a field may be missing that only another part of the document requires.
 */
function valuesOf(schema: Body, document: Body, known: Known): fc.Arbitrary<unknown> {
  const of = (part: Body) => valuesOf(part, document, known)
  if (schema.$ref !== undefined)
    return of(
      (schema.$ref as string)
        .slice(2)
        .split('/')
        .reduce((part: Body, step) => part[step], document)
    )
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]))
  if (schema.anyOf !== undefined) return fc.oneof(...(schema.anyOf as Body[]).map(of))
  if (schema.allOf !== undefined)
    return fc.tuple(...(schema.allOf as Body[]).map(of)).map((parts) => Object.assign({}, ...parts) as unknown)
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Body>)
      if (properties.length === 0)
        return fc.dictionary(fc.constantFrom(...known.texts, 'a', 'status'), fc.jsonValue({ maxDepth: 2 }), {
          maxKeys: 2,
          noNullPrototype: true
        })
      return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, of(property)])), {
        requiredKeys: (schema.required ?? []) as string[],
        noNullPrototype: true
      })
    }
    case 'array':
      return fc.array(of(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 })
    case 'string': {
      const {
        format,
        minLength = 0,
        maxLength = 300
      } = schema as { format?: string; minLength?: number; maxLength?: number }
      if (format !== undefined && format in FORMATS)
        return fc.oneof(fc.constantFrom(...FORMATS[format]!), fc.constantFrom(...known.texts))
      return fc.oneof(
        fc.constantFrom(...known.texts, ...FORMS),
        fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 20) })
      )
    }
    case 'integer':
    case 'number': {
      const min = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0)
      return fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.ceil(min) + 20 }),
        fc.constantFrom(min, Number(schema.maximum ?? 1e6), min + 0.5)
      )
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

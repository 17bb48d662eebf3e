import fc from 'fast-check'
import type { Body } from '../helper.js'

/** An operation in one of the published documents. */
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
  /** Path and query, as in the request line. */
  readonly url: string
  readonly headers: Record<string, string | string[]>
  readonly body: Buffer | undefined
  /** Whether its path surely leads to the intended operation. */
  readonly isPlain: boolean
}

/** Valid texts: ids of the fixture by the names of parameters, and other texts in its document. */
export interface Known {
  readonly params: Readonly<Record<string, readonly string[]>>
  readonly texts: readonly string[]
}

export const KEY = 'hostile'

/** This operation may wait until it is called again. */
const WAITING = 'sleep'

/** The operations of a document, except those that may not end: {@link WAITING}, and a stream. */
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

/** The target of a reference in a document; any other schema is returned unchanged. */
export function resolved(schema: Body, document: Body): Body {
  const steps = (schema.$ref as string | undefined)?.slice(2).split('/')
  return steps === undefined ? schema : steps.reduce((part: Body, step) => part[step], document)
}

/** A body in which a list has as many items as there is room for. */
export function stuffed(before: string, item: string, after: string, bytes: number): string {
  const count = Math.floor((bytes - before.length - after.length) / (item.length + 1))
  return `${before}${Array(count).fill(item).join()}${after}`
}

/** Lone surrogates cannot be encoded in a URL. */
const encodeWhole = (text: string) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''))

/** Requests for one operation: a few valid ones, and most with errors in one or more places. */
export function requestsOf(operation: Operation, document: Body, known: Known): fc.Arbitrary<HostileRequest> {
  const body =
    operation.body === undefined
      ? mostly(fc.constant(undefined), bodies(fc.jsonValue()), 4)
      : bodies(valuesOf(operation.body, document, known))
  return fc
    .record({
      method: mostly(
        fc.constant(operation.method),
        fc.constantFrom(operation.method === 'GET' ? 'HEAD' : operation.method, 'PATCH', 'OPTIONS'),
        20
      ),
      segments: fc.tuple(...operation.params.map((name) => segments(known.params[name] ?? known.texts))),
      query: queries(operation, known),
      body,
      headers: headers(operation)
      // A client resolves these itself, and so requests another path.
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
        // A word of a path as an id, or one that ends the path, leads elsewhere.
        isPlain: method === operation.method && chosen.every((segment) => /^[\w-]{20,}$/.test(segment))
      }
    })
}

/** @param weight how many times as often the usual one is chosen */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

const LONG = 'x'.repeat(8000)

/** Texts with a special meaning, or hard to handle. */
const ODD_TEXTS: readonly string[] = [
  '__proto__ constructor prototype toString valueOf hasOwnProperty toJSON then length __defineGetter__ __proto__.a',
  'null undefined NaN 0 -1 200 4xx 1e309 [] {} ${7*7} {{7*7}} $ref $id $where %s%n%x ../../.. . .. ... / ~0 * + ~ ;',
  ":id {id} !$&'() '; -- <b> <script> a.b a,b a;b=c ;jsessionid=1 ? ?a=b con junit json current enable meta baseline",
  'id workspace_id password sandbox Error RequestID 00000000-0000-0000-0000-000000000000',
  '0001-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z +275760-09-13T00:00:00.000Z P99999999Y PT0.0000000001S -P1D',
  '::ffff:1.2.3.4/96 0.0.0.0/0 1.2.3.4/33 ::/129 Etc/GMT+14 é \u0000 a\u0000b \u0001\u001f\u007f\u0085 \uffff \ufeffx',
  '@reboot \u202egnp.exe 🚀 👩‍👩‍👧‍👦'
]
  .flatMap((line) => line.split(' '))
  .concat('', ' ', 'a b', 'a\tb', '\r\nX: y', '\u2028\u2029', '* * * * *', '0 0 31 2 *', 'e' + '\u0301'.repeat(500))
  .concat('x'.repeat(128), 'x'.repeat(129), 'x'.repeat(256), 'x'.repeat(257), LONG, '9'.repeat(400), 'ﷺ'.repeat(100))
  .concat(...[128, 129, 257].map((count) => '🚀'.repeat(count)))

/** Encoded parts of a path. */
const ODD_SEGMENTS = (
  '%00 %2f %2F..%2f %2e%2e %ff %zz % %E2%80%AE %252e%252e %25%30%30 %0d%0aX-Injected:%20yes %ED%A0%80 %C0%AF ' +
  '%27%20OR%201%3D1-- %22%3E%3Cb%3E .. ... ; ;jsessionid=1 ? ?a=b * + ~ :id {id} é \u202ex'
)
  .split(' ')
  .concat('%20'.repeat(1000))

const segments = (known: readonly string[]) =>
  mostly(
    fc.constantFrom(...known),
    fc.oneof(
      fc.constantFrom(...ODD_SEGMENTS, ...ODD_TEXTS.map(encodeWhole)),
      fc.string({ unit: 'binary', maxLength: 20 }).map(encodeWhole)
    ),
    5
  )

const ODD_QUERIES = (
  '? ?? ?&&& ?= ?=x ?a ?% ?%zz=1 ?%00=%00 ?__proto__=1 ?__proto__[a]=1 ?constructor=1&constructor[prototype][a]=1 ' +
  '?a[]=1&a[b]=2 ?toString=1 ?hasOwnProperty=1 ?a=%ED%A0%80 ?a=%ff ?a=b;c=d ?a=%0d%0aX-Injected:%20yes ?# ?a=?b=/../..'
)
  .split(' ')
  .concat(`?${'a=1&'.repeat(500)}`, `?${LONG}`)

function queries({ query }: Operation, known: Known): fc.Arbitrary<string> {
  const values = fc.oneof(fc.constantFrom(...known.texts, ...ODD_TEXTS), fc.string({ maxLength: 10 }))
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

/** Headers with a meaning for a server, a proxy or a library, with their particular errors. */
const ODD_HEADERS: Readonly<Record<string, readonly (string | string[])[]>> = {
  'x-api-key': [`fork_${'0'.repeat(24)}`, [KEY, KEY], `${KEY},${KEY}`],
  authorization: [
    'Bearer',
    'Bearer  ',
    'bearer x',
    'Basic aDpo',
    `Bearer ${LONG}`,
    'Bearer a b',
    ['Bearer a', 'Bearer b']
  ],
  'x-request-id': [['a', 'b']],
  host: ['evil.example', 'localhost:1', '[::1]', '[', ':80', '127.0.0.1.evil.example', 'LOCALHOST', '127.1'],
  origin: ['http://evil.example', 'http://localhost'],
  'x-forwarded-for': ['::1', '127.0.0.1', ',,,,', 'unknown', '1.2.3.4, "a"', '999.999.999.999'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['gopher'],
  'x-http-method-override': ['DELETE'],
  'x-mock-token': [],
  'content-encoding': ['gzip', 'br', 'identity'],
  accept: ['application/xml', '*/*;q=0'],
  'accept-encoding': ['gzip;q=0, *;q=0'],
  'if-match': ['*'],
  'if-none-match': ['*', '"x"'],
  range: ['bytes=0-0', 'bytes=-', 'bytes=9999999999999-'],
  cookie: ['__proto__=1'],
  expect: ['100-continue'],
  connection: ['close', 'upgrade', 'x-api-key'],
  upgrade: ['h2c', 'websocket'],
  te: ['trailers'],
  constructor: ['1']
}
/** Texts that any header can have. */
const HEADER_TEXTS = ODD_TEXTS.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))

function headers({ needsSession }: Operation): fc.Arbitrary<HostileRequest['headers']> {
  const usual = needsSession ? { authorization: `Bearer ${KEY}` } : { 'x-api-key': KEY }
  const odd = fc
    .constantFrom(...Object.keys(ODD_HEADERS))
    .chain((name) => fc.constantFrom(...ODD_HEADERS[name]!, ...HEADER_TEXTS).map((value) => ({ [name]: value })))
  return fc
    .tuple(
      fc.constantFrom(...Array<object>(11).fill(usual), {}),
      mostly<object[]>(fc.constant([]), fc.array(odd, { maxLength: 4 }), 2)
    )
    .map(([some, more]) => Object.assign({}, some, ...more) as HostileRequest['headers'])
}

/** Text that is put into JSON unchanged. */
class Raw {
  constructor(readonly text: string) {}
}

/** At the end of a key: repeats an existing key. */
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

const nest = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`

/** Values as JSON, some of them unusual or invalid. */
const ODD_JSON: readonly string[] = [
  'null true false 0 -0 -1 1 1.5 1e15 2147483648 9007199254740992 -9223372036854775808 5e-324 1.7976931348623157e308',
  '1e309 -1e400 0.1e-9999 "\\ud800" "\\udc00\\ud800" "\\u0000" "\t" [] {} [null] [[]] [{}] {"length":1} {"toJSON":1}',
  '{"then":1} {"$ref":"#"} {"toString":null,"valueOf":null} {"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}} {"\\u005f_proto__":1} NaN undefined 01 +1 .5 /**/1 \'x\''
]
  .flatMap((line) => line.split(' '))
  .concat('9'.repeat(400), `"${'x'.repeat(100_000)}"`, `[${'1,'.repeat(299)}1]`, `[${'"x",'.repeat(299)}"x"]`)
  .concat(
    nest('[', ']', 500),
    nest('{"a":', '}', 500),
    nest('[', ']', 990),
    nest('[', ']', 1000),
    nest('[', ']', 20_000)
  )

interface Damage {
  readonly way: 'replace' | 'remove' | 'add' | 'twice' | 'wrap'
  readonly at: number
  readonly key: string
  readonly value: unknown
}

const damages: fc.Arbitrary<Damage> = fc.record({
  way: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'add', 'twice', 'wrap'),
  at: fc.nat({ max: 1000 }),
  key: mostly(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 8 }), 4),
  value: mostly<unknown>(
    fc.constantFrom(...ODD_TEXTS, ...ODD_JSON.map((text) => new Raw(text))),
    fc.jsonValue({ stringUnit: 'binary' }),
    4
  )
})

/** A damaged copy of a value. */
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

/** Sets an own field, even one named `__proto__`. */
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

const ODD_TYPES = [
  undefined,
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  ...HEADER_TEXTS
].concat(
  (
    'text/plain application/x-www-form-urlencoded application/json; application/json;charset Application/JSON ' +
    'application/json,text/plain application/vnd.api+json application/jsonx application/json;charset="utf-8";x=y */*'
  ).split(' ')
)
const ODD_BODIES = '{ } {"a": {"a":1}} {"a":1}{"b":2} {\'a\':1} {a:1} [1,] <x/> a=b&c=d // " \\ [ - 1e "\\u12"'
  .split(' ')
  .concat('', ' ', '\n', '\u0000', '\ufeff{}', '['.repeat(5000), '{"a":'.repeat(5000), ' '.repeat(10_000), ...ODD_JSON)
  .map((text) => Buffer.from(text))
  .concat(
    ...[
      [0xff, 0xfe, 0x7b, 0x00],
      [0x1f, 0x8b, 8, 0, 0],
      [0x22, 0xc3, 0x28, 0x22]
    ].map((bytes) => Buffer.from(bytes))
  )

function bodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<HostileBody> {
  const encoded = fc
    .tuple(values, fc.array(damages, { maxLength: 3 }))
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
    type: mostly<string | undefined>(fc.constant('application/json'), fc.constantFrom(...ODD_TYPES), 12)
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
const FORMS = 'PT1H P1D 2026-02-03T00:00:00.000Z hold fail createWorkgroup workspace.pause a-text'
  .split(' ')
  .concat('0 3 * * *')

/**
 * Values that a schema allows, or nearly so: a field may be missing that only another part of the document requires.
 */
function valuesOf(schema: Body, document: Body, known: Known): fc.Arbitrary<unknown> {
  const of = (part: Body) => valuesOf(part, document, known)
  if (schema.$ref !== undefined) return of(resolved(schema, document))
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

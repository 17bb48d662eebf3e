import { type TSchema, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import t from 'tap'
import { fieldErrorsBy, fieldErrorsOf, lazyCompiler, MORE_FIELD_ERRORS } from '../../src/interface/validation.js'

const compile = lazyCompiler()

/** The reasons by field. */
function reasons(schema: TSchema, value: unknown): Record<string, string> {
  return Object.fromEntries(fieldErrorsBy(compile(schema), value).map(({ field, reason }) => [field, reason]))
}

const closed = { additionalProperties: false }

/** One of some values, another each time: what is known of a time zone stays in the process. */
const some = (values: fc.Arbitrary<string>) => fc.sample(fc.noBias(values), 1)[0]!
const zone = fc.mixedCase(fc.constant('America/Argentina/ComodRivadavia'))
const blank = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 60 })
const offset = fc
  .record({
    sign: fc.constantFrom('+', '-'),
    hours: fc.integer({ min: 10, max: 23 }),
    minutes: fc.integer({ min: 10, max: 59 })
  })
  .map(({ sign, hours, minutes }) => `${sign}${hours}:${minutes}`)

const FORMATS: Record<string, { right: string[]; wrong: string[] }> = {
  cidr: { right: ['10.0.0.0/8', '1.2.3.4', '2001:db8::/32'], wrong: ['', '10.0.0.0/33', 'x'] },
  repeat: {
    right: ['none', 'no repeat', 'daily', 'Weekdays', 'WEEKLY'],
    wrong: ['', 'monthly', 'xdaily', 'dailyx', 'nonedaily']
  },
  weekdays: {
    right: ['Mon', 'mon,TUE, wed ,Thu,fri,sat,sun'],
    wrong: ['', 'Mon,', 'Mon,x', 'x,Mon', 'Monday', 'xmon', 'Mon Tue']
  },
  'calendar-date': { right: ['2026-02-28', '2024-02-29'], wrong: ['', '2026-02-29', '2026-2-8', '28.02.2026'] },
  'clock-time': {
    right: ['00:00', '09:59', '19:07', '20:30', '23:59'],
    wrong: ['', '24:00', '1:00', '12:60', '12:5', 'x12:00', '12:00x', '1x:00', '12:3x']
  },
  'time-zone': {
    right: ['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'US/Pacific', some(zone)],
    wrong: ['', 'Berlin', 'Europe/', 'UTC+2', some(blank), some(offset), `${some(zone)}/Atlantis`, `/${some(zone)}`]
  },
  timestamp: {
    right: ['2026-01-02T03:04:05.678Z', '2026-01-31T00:00:00+01:00'],
    wrong: ['', '2026-01-02', '2026-02-30T00:00:00.000Z']
  },
  'readable-id': {
    right: ['a', '7', 'A.b_c~d-9', 'x'.repeat(256)],
    wrong: ['', '-a', '.a', 'a/b', 'a b', 'ä', 'x'.repeat(257), ' a', 'a ']
  }
}

for (const [format, { right, wrong }] of Object.entries(FORMATS)) {
  void t.test(`the format ${format} lets right texts through and says how others must be`, async (t) => {
    const schema = Type.Object({ a: Type.String({ format }) })
    // What is known of a text must not change what is said of it the next time.
    for (let times = 0; times < 2; times++) {
      for (const a of right) t.strictSame(reasons(schema, { a }), {}, a)
      for (const a of wrong) t.match(reasons(schema, { a }).a, /^must .*\w$/, a)
    }
  })
}

void t.test('errors that calls of the server do not show name their field, and say how it must be', async (t) => {
  const text = Type.String()
  const cases: [schema: TSchema, value: unknown, reasons: Record<string, string>][] = [
    [Type.Array(text), ['a', null, 5], { 1: 'must be a string, not null', 2: 'must be a string, not a number' }],
    [Type.Null(), 0, { '': 'must be a null, not a number' }],
    [Type.Object({ 'a/b~c': text }), { 'a/b~c': 1 }, { 'a/b~c': 'must be a string, not a number' }],
    [Type.Literal('a'), 'b', { '': 'must be "a"' }],
    [Type.Array(text, { minItems: 1 }), [], { '': 'must have at least 1 item' }],
    [Type.Array(text, { maxItems: 1 }), ['a', 'b'], { '': 'must have at most 1 item' }],
    [Type.Array(text, { uniqueItems: true }), ['a', 'a'], { '': 'must not have the same item twice' }],
    [Type.String({ maxLength: 3 }), 'long', { '': 'must be 0 to 3 characters long' }],
    [Type.String({ minLength: 2 }), 'x', { '': 'must be at least 2 characters long' }]
  ]
  for (const [schema, value, expected] of cases) t.strictSame(reasons(schema, value), expected, JSON.stringify(schema))
  t.match(reasons(Type.String({ pattern: '^a$' }), 'b')[''], /\^a\$/, 'what is rare is told in the words of Ajv')
})

const errorOf = (keyword: string, instancePath: string) => ({
  keyword,
  instancePath,
  schemaPath: `#/${keyword}`,
  params: { type: 'string', limit: 7 },
  data: 5,
  message: `its ${keyword}`
})

void t.test('a field has one error, the first', async (t) => {
  const errors = [errorOf('minimum', '/a'), errorOf('multipleOf', '/b'), errorOf('maximum', '/a')]
  t.strictSame(fieldErrorsOf(errors), [
    { field: 'a', reason: 'must be at least 7' },
    { field: 'b', reason: 'its multipleOf' }
  ])
})

void t.test('of several alternatives, those for the type of the value give the reasons', async (t) => {
  const Either = Type.Union([Type.Literal('all'), Type.Object({ x: Type.Number() })])
  t.strictSame(reasons(Either, { x: 'y' }), { x: 'must be a number, not a string' })
  t.strictSame(reasons(Type.Object({ u: Either, v: Either }), { u: { x: 'y' }, v: 'none' }), {
    'u.x': 'must be a number, not a string',
    v: 'must be "all"'
  })
  t.strictSame(reasons(Type.Array(Either), [{}, 'all', 5, {}]), {
    '0.x': 'is required',
    2: 'must be a string, not a number',
    '3.x': 'is required'
  })
  t.strictSame(
    reasons(Type.Union([Type.Number(), Type.Null()]), 'x'),
    { '': 'must be a number, not a string' },
    'if there is none for its type, the first tells'
  )
  const many = Type.Union([...Array.from({ length: 10 }, () => Type.Boolean()), Type.Number({ minimum: 5 })])
  t.strictSame(reasons(many, 3), { '': 'must be at least 5' })
  t.strictSame(reasons(Type.Union([Type.Null(), Type.Number({ minimum: 5 })]), 3), { '': 'must be at least 5' })
})

void t.test('of very many errors, a few thousand are collected, and the last says that there are more', async (t) => {
  t.match(MORE_FIELD_ERRORS, { field: '', reason: /\w/ })
  const items = Array.from({ length: 20_000 }, () => 'x')
  const fields = Object.fromEntries(items.map((item, index) => [`f${index}`, item]))
  for (const [schema, value] of [
    [Type.Array(Type.Number()), items],
    [Type.Object({}, closed), fields]
  ] as const) {
    const errors = fieldErrorsBy(compile(schema), value)
    t.equal(errors.at(-1), MORE_FIELD_ERRORS)
    t.ok(errors.length > 1000 && errors.length < 3000, `${errors.length} errors`)
  }
  for (const [count, isFull] of [
    [1999, false],
    [2000, true]
  ] as const) {
    const errors = fieldErrorsOf(Array.from({ length: count }, (_, index) => errorOf('pattern', `/${index}`)))
    t.equal(errors.length, isFull ? count + 1 : count)
    t.equal(errors.at(-1) === MORE_FIELD_ERRORS, isFull)
  }
})

void t.test('if collecting errors ends within alternatives, there is still a reason', async (t) => {
  const Lists = Type.Union([Type.Array(Type.Number()), Type.Array(Type.Boolean())])
  const errors = fieldErrorsBy(
    compile(Lists),
    Array.from({ length: 5000 }, () => 'x')
  )
  t.ok(errors.length > 0)
})

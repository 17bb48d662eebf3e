import fc from 'fast-check'
import t from 'tap'
import {
  assembleJson,
  BrokenJson,
  jsonInSlices,
  parseJson,
  type ParsePiece,
  planJson
} from '../../src/interface/json-pieces.js'
import { finish } from '../../src/lib/scheduler.js'
import { effort } from '../effort.js'

// A large body is parsed in pieces, and must be what it would be if it were parsed at once.

/** Parses in pieces of a few bytes. @returns 'broken' if it is not JSON, and how many pieces there were */
function parse(text: string, piece: number): { value: unknown; steps: number } {
  const bytes = Buffer.from(text)
  const { steps, isBroken } = finish(planJson(bytes, 1000, piece))
  if (isBroken) return { value: 'broken', steps: steps.length }
  try {
    const value =
      steps.length === 0
        ? (JSON.parse(text) as unknown)
        : finish(assembleJson(bytes, steps, (part) => JSON.parse(part)))
    return { value, steps: steps.length }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof BrokenJson)) throw error
    return { value: 'broken', steps: steps.length }
  }
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return 'broken'
  }
}

/** @param piece about as long as the pieces are to be; as on the server, if it is left out */
const plan = (text: string, maxDepth = 1000, piece?: number) => finish(planJson(Buffer.from(text), maxDepth, piece))

void t.test('a plan shows the depth and the cost of a text before it is parsed', async (t) => {
  for (const [text, levels, containers, items] of [
    ['', 0, 0, 0],
    ['1,2', 0, 0, 1],
    ['"[{,:"', 0, 0, 0],
    ['"\\"[,"', 0, 0, 0],
    ['"\\\\",[]', 1, 1, 1],
    ['[]', 1, 1, 0],
    ['[[],{}]', 2, 3, 1],
    ['{"a":{"b":[1,2]}}', 3, 3, 3]
  ] as const) {
    const { depth, cost, steps, isBroken } = plan(text)
    t.strictSame([depth, steps, isBroken], [levels, [], false], text)
    t.equal(cost, 2 * text.length + 64 * containers + 32 * items, `the cost of ${text}`)
  }
  const text = '[[1,2,3],4]'
  const { cost, steps } = plan(text, 1000, 1)
  t.equal(cost, plan(text).cost + 64 * steps.length, 'steps take memory, too')
})

void t.test('a piece can locate its fields in the whole', async (t) => {
  const located = (text: string, piece: number) => {
    const fields: string[] = []
    const parsePiece: ParsePiece = (part, locate) => {
      const value: unknown = JSON.parse(part)
      if (part.includes('"here"')) fields.push(locate(Array.isArray(value) ? `${value.indexOf('here')}.x` : 'k.x'))
      return value
    }
    finish(assembleJson(Buffer.from(text), plan(text, 1000, piece).steps, parsePiece))
    return fields
  }
  t.strictSame(located('{"k":"here","a":[1,2,{"b":[3,"here",4],"k":"here"},5,"here"]}', 1), [
    'k.x',
    'a.2.b.1.x',
    'a.2.k.x',
    'a.4.x'
  ])
  t.strictSame(located('[1,2,3,4,"here",5]', 4), ['4.x'])
})

/** JSON values, rather wide and deep, with keys that come twice when they are written. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(1, -2.5e3, true, null, '', 'a,b]}"\\', '{[', 'ü\u2028'),
    fc.array(tie('value'), { maxLength: 8 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '1', ',"', 'constructor', ''), tie('value')), { maxLength: 6 })
      .map((entries) => ({ entries }))
  )
})).value

/** Writes a value with some white space, objects with all their entries. */
function write(value: unknown, blank: string): string {
  if (Array.isArray(value))
    return `[${blank}${value.map((item) => write(item, blank)).join(`${blank},${blank}`)}${blank}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { entries } = value as { entries: [string, unknown][] }
  const fields = entries.map(([key, item]) => `${JSON.stringify(key)}${blank}:${blank}${write(item, blank)}`)
  return `{${blank}${fields.join(`${blank},`)}${blank}}`
}

const texts = fc.tuple(values, fc.constantFrom('', ' ', '\n\t ')).map(([value, blank]) => write(value, blank))

void t.test('parsing in pieces gives the same value as parsing at once', (t) => {
  let inPieces = 0
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, piece) => {
      const { value, steps } = parse(text, piece)
      if (steps > 0) inPieces++
      return JSON.stringify(value) === JSON.stringify(parseWhole(text))
    }),
    { numRuns: effort(2000, 20_000) }
  )
  t.ok(inPieces > 500, `${inPieces} came in pieces`)
  t.end()
})

void t.test('a text that is not JSON is not JSON in pieces either', (t) => {
  let broken = 0
  const changes = fc.tuple(
    fc.nat(),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', ' 0', '\\', ' \u00a0', ',,', '],[', '1 2')
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), changes, (text, piece, [at, gone, more]) => {
      const from = at % (text.length + 1)
      const changed = text.slice(0, from) + more + text.slice(from + gone)
      const whole = parseWhole(changed)
      if (whole === 'broken') broken++
      return JSON.stringify(parse(changed, piece).value) === JSON.stringify(whole)
    }),
    { numRuns: effort(5000, 50_000) }
  )
  t.ok(broken > 1000, `${broken} were broken`)
  t.end()
})

void t.test('a document of any size is parsed unchanged', (t) => {
  for (const count of [1, 5_000, 50_000]) {
    const document = { name: 'ü', list: Array.from({ length: count }, (_, id) => ({ id, of: { text: `"${id}"` } })) }
    const text = JSON.stringify(document)
    const parsing = parseJson(text)
    let pieces = 1
    let next
    while ((next = parsing.next()).done !== true) pieces++
    t.ok(JSON.stringify(next.value) === text)
    t.ok(pieces > count / 1_000, `in ${pieces} pieces`)
  }
  const long = 'x'.repeat(40_000)
  t.equal(finish(parseJson(JSON.stringify(long))), long, 'even if there is nothing to cut it at')
  t.end()
})

void t.test('writing in slices gives the same text as writing at once', (t) => {
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.constantFrom(undefined, null, 1, [], {})))
  fc.assert(
    fc.property(value, fc.nat(5), (value, depth) => finish(jsonInSlices(value, depth)) === JSON.stringify(value))
  )
  const writing = jsonInSlices({ list: Array.from({ length: 5_000 }, (_, id) => ({ id })) }, 3)
  let pieces = 1
  while (writing.next().done !== true) pieces++
  t.ok(pieces >= 50)
  t.end()
})

import fc from 'fast-check'
import t from 'tap'
import { assembleJson, BrokenJson, parseJson, planJson } from '../../src/lib/json-pieces.js'
import { finish } from '../../src/lib/slices.js'
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

void t.test('what is parsed in pieces is what is parsed at once', (t) => {
  let inPieces = 0
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, piece) => {
      const { value, steps } = parse(text, piece)
      if (steps > 0) inPieces++
      return JSON.stringify(value) === JSON.stringify(parseWhole(text))
    }),
    { numRuns: effort(2000, 50_000) }
  )
  t.ok(inPieces > 500, `${inPieces} came in pieces`)
  t.end()
})

void t.test('what is not JSON at once is not JSON in pieces', (t) => {
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
    { numRuns: effort(5000, 200_000) }
  )
  t.ok(broken > 1000, `${broken} were broken`)
  t.end()
})

void t.test('a document of any size is what it was', (t) => {
  for (const count of [1, 5_000, 50_000]) {
    const document = { name: 'ü', list: Array.from({ length: count }, (_, id) => ({ id, of: { text: `"${id}"` } })) }
    const parsing = parseJson(JSON.stringify(document))
    let pieces = 1
    let next
    while ((next = parsing.next()).done !== true) pieces++
    t.strictSame(next.value, document)
    t.ok(pieces > count / 2_000, `in ${pieces} pieces`)
  }
  t.end()
})

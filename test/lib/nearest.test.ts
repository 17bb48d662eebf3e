import fc from 'fast-check'
import t from 'tap'
import { didYouMean, nearest } from '../../src/lib/nearest.js'

const KNOWN = ['status', 'name', 'is_rw', 'Active', 'Stopped']

void t.test('a misspelt word is traced to the known one that differs least', async (t) => {
  for (const [word, meant] of [
    ['staus', 'status'],
    ['nmae', 'name'],
    ['NAME', 'name'],
    ['active', 'Active'],
    ['stoped', 'Stopped'],
    ['isrw', 'is_rw'],
    ['names', 'name']
  ] as const)
    t.equal(nearest(word, KNOWN), meant, word)
})

void t.test('a word that is known, or like no other, or too long to be a mistake, has no suggestion', async (t) => {
  for (const word of ['status', 'Active', '', 'x', 'region', 'mane_of', `status${'s'.repeat(80)}`])
    t.equal(nearest(word, KNOWN), undefined, word)
  t.equal(nearest('a', []), undefined)
})

void t.test('a word of 64 letters is compared, a longer one is not', async (t) => {
  const known = ['x'.repeat(64)]
  t.equal(nearest(`${'x'.repeat(63)}y`, known), known[0])
  t.equal(nearest(`${'x'.repeat(64)}y`, known), undefined)
})

/** The number of letters to insert, remove, replace or swap, by trying everything. */
function edits(from: string, to: string): number {
  if (from === '' || to === '') return from.length + to.length
  const [a, b, c, d] = [from[0], from[1], to[0], to[1]]
  return Math.min(
    edits(from.slice(1), to) + 1,
    edits(from, to.slice(1)) + 1,
    edits(from.slice(1), to.slice(1)) + (a === c ? 0 : 1),
    a === d && b === c && b !== undefined ? edits(from.slice(2), to.slice(2)) + 1 : Infinity
  )
}

void t.test('of the known words within a third of its letters, the first of the closest is meant', async (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '_'), maxLength: 6 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 4 }), (given, known) => {
      const most = Math.max(1, Math.floor(given.length / 3))
      const distances = known.map((one) => edits(given.toLowerCase(), one.toLowerCase()))
      const least = Math.min(...distances)
      const meant = known.includes(given) || least > most ? undefined : known[distances.indexOf(least)]
      t.equal(nearest(given, known), meant, `${given} of ${known.join()}`)
    }),
    { numRuns: 300 }
  )
})

void t.test('a suggestion ends a sentence', async (t) => {
  t.equal(didYouMean('name'), '; did you mean name?')
  t.equal(didYouMean(undefined), '')
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { assumptionsFor } from '../../src/fidelity/assumptions-for.js'
import type { Aspect, Assumption, FactKey } from '../../src/interface/assumption.js'

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })

/** Keys of facts, and patterns, of few values, so that they often fit. */
const keys: fc.Arbitrary<FactKey> = fc
  .record({
    aspect: fc.constantFrom<Aspect[]>('status', 'value'),
    operation: some('getWorkspace', 'pauseWorkspace'),
    schema: some('Workspace', 'Workgroup'),
    field: some('name', 'status'),
    condition: some('notFound', 'notAllowed'),
    subject: some('a', 'b')
  })
  .map(
    (key) => Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined)) as unknown as FactKey
  )

void t.test('no pattern that fits a fact is more specific than those of the assumptions that are found', async () => {
  const fits = (fact: FactKey, pattern: FactKey) =>
    Object.entries(pattern).every(([name, value]) => fact[name as keyof FactKey] === value)
  const lists = fc.array(fc.array(keys, { maxLength: 4 }), { maxLength: 12 })
  fc.assert(
    fc.property(lists, fc.array(keys, { minLength: 1, maxLength: 5 }), (patterns, facts) => {
      const assumptions = patterns.map((about, index): Assumption => {
        const assumption = { id: String(index), topic: 'T', says: 'It is so.', change: 'no' }
        return about.length === 0 ? assumption : { ...assumption, about }
      })
      // Twice: the second time, the answer has been kept.
      for (const fact of [...facts, ...facts]) {
        const best = ({ about = [] }: Assumption) =>
          Math.max(
            0,
            ...about
              .filter((pattern) => fits(fact, pattern))
              .map((pattern) => Object.keys(pattern).length + ('condition' in pattern ? 0.5 : 0))
          )
        const most = Math.max(0, ...assumptions.map(best))
        const expected = assumptions.filter((assumption) => most > 0 && best(assumption) === most)
        assert.deepEqual(
          assumptionsFor(fact, assumptions)
            .map(({ id }) => id)
            .sort(),
          expected.map(({ id }) => id).sort()
        )
      }
    }),
    { numRuns: 300 }
  )
})

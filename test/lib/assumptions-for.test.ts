import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { assumptionsFor } from '../../src/fidelity/assumptions-for.js'
import type { Aspect, Assumption, FactKey } from '../../src/interface/assumption.js'

const assume = (id: string, ...about: FactKey[]): Assumption => ({
  id,
  topic: 'T',
  says: 'It is so.',
  change: 'no',
  about
})
const idsFor = (fact: FactKey, assumptions: readonly Assumption[]) =>
  assumptionsFor(fact, assumptions).map(({ id }) => id)

void t.test('a fact is about the assumptions whose pattern has most values', async (t) => {
  const assumptions = [
    assume('any', { aspect: 'status' }),
    assume('refused', { aspect: 'status', condition: 'notAllowed' }),
    assume('deletion', { aspect: 'status', operation: 'deleteWorkgroup', condition: 'notAllowed' }),
    assume('fields', { aspect: 'field' }),
    { id: 'unseen', topic: 'T', says: 'It is so.', change: 'no' }
  ]
  t.strictSame(idsFor({ aspect: 'status' }, assumptions), ['any'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'deleteWorkgroup' }, assumptions), ['any'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'getWorkgroup', condition: 'notAllowed' }, assumptions), [
    'refused'
  ])
  t.strictSame(idsFor({ aspect: 'status', operation: 'deleteWorkgroup', condition: 'notAllowed' }, assumptions), [
    'deletion'
  ])
  t.strictSame(idsFor({ aspect: 'field', schema: 'Workspace' }, assumptions), ['fields'])
  t.strictSame(idsFor({ aspect: 'order' }, assumptions), [], 'an aspect that no assumption is about')
})

void t.test('of patterns with equally many values, those that name the condition count, otherwise all', async (t) => {
  const assumptions = [
    assume('pause', { aspect: 'status', operation: 'pauseWorkspace' }),
    assume('missing', { aspect: 'status', condition: 'notFound' }),
    assume('one', { aspect: 'value', schema: 'Workspace' }),
    assume('two', { aspect: 'value', operation: 'getWorkspace' }, { aspect: 'value', schema: 'Workspace' })
  ]
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace' }, assumptions), ['pause'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace', condition: 'notFound' }, assumptions), [
    'missing'
  ])
  t.strictSame(idsFor({ aspect: 'value', operation: 'getWorkspace', schema: 'Workspace' }, assumptions), ['one', 'two'])
})

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
      const assumptions = patterns.map((about, index) => assume(String(index), ...about))
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

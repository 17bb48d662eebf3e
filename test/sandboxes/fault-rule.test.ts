import t from 'tap'
import { faultIdErrors, faultRuleErrors, storedFaults } from '../../src/sandboxes/fault-rule.js'

const effect = { status: 503 }
const fieldsOf = (rule: unknown, path = '') => faultRuleErrors(rule, path).map(({ field }) => field)

void t.test('errors of the schema are not repeated, whatever the rule is', async (t) => {
  for (const rule of [undefined, null, 5, 'text', [], {}, { effect: null }, { effect: 'text' }])
    t.strictSame(fieldsOf(rule), [])
  for (const delay of [
    5,
    null,
    [],
    {},
    { min: 'PT1S' },
    { max: 'PT1S' },
    { min: 5, max: 'PT1S' },
    { min: 'PT1S', max: 5 }
  ])
    t.strictSame(fieldsOf({ effect: { delay } }), [], JSON.stringify(delay))
})

void t.test('the limits of a random delay may be equal, but not reversed', async (t) => {
  const errors = (min: string, max: string) => fieldsOf({ effect: { delay: { min, max } } }, 'faults.0')
  t.strictSame(errors('PT1S', 'PT1S'), [])
  t.strictSame(errors('PT1S', 'PT1.001S'), [])
  t.strictSame(errors('PT1.001S', 'PT1S'), ['faults.0.effect.delay.max'])
  t.strictSame(errors('PT11M', 'PT1S'), ['faults.0.effect.delay.min'])
  t.strictSame(errors('PT1S', 'x'), ['faults.0.effect.delay.max'])
})

void t.test('rules of a document get the numbers in their ids, or the next ones, and zero counters', async (t) => {
  const faults = [{ effect }, { effect }, { id: 'fault-10', effect, seen: 5, hits: 3 }, { effect }]
  t.match(storedFaults(faults), [
    { id: 'fault-1', seen: 0, hits: 0 },
    { id: 'fault-2' },
    { id: 'fault-10', seen: 5, hits: 3 },
    { id: 'fault-11', seen: 0, hits: 0 }
  ])
  t.strictSame(faultIdErrors(faults, 'faults'), [])
})

void t.test('a delay is stored in ISO 8601, both of its limits if it is random', async (t) => {
  const [fixed, random, none] = storedFaults([
    { effect: { delay: '90s' } },
    { effect: { delay: { min: '500ms', max: '1m' } } },
    { effect }
  ])
  t.strictSame(fixed!.effect, { delay: 'PT90S' })
  t.strictSame(random!.effect, { delay: { min: 'PT0.5S', max: 'PT1M' } })
  t.strictSame(none!.effect, effect)
})

void t.test('numbers in a document must ascend', async (t) => {
  const errors = (...ids: (string | undefined)[]) =>
    faultIdErrors(
      ids.map((id) => (id === undefined ? {} : { id })),
      'faults'
    ).map(({ field }) => field)
  t.strictSame(errors('fault-1', 'fault-2', undefined, 'fault-4'), [])
  t.strictSame(errors('fault-2', 'fault-2'), ['faults.1.id'])
  t.match(faultIdErrors([{ id: 'fault-2' }, { id: 'fault-1' }], 'faults'), [{ reason: /^must .*fault-2$/ }])
  t.strictSame(errors(undefined, 'fault-1', 'fault-3', 'fault-2', 'fault-4'), ['faults.1.id', 'faults.3.id'])
})

import t from 'tap'
import { effectOf, NEW_FAULT, PRESETS, ruleOf } from '../../src/console/model/fault-draft.js'
import { check } from '../../src/interface/check.js'
import { faultRuleErrors } from '../../src/sandboxes/fault-rule.js'
import { FaultRuleSchema } from '../../src/sandboxes/fault-schemas.js'

void t.test('a new fault is one error 500, and what is left empty is left out', async (t) => {
  t.strictSame(ruleOf(NEW_FAULT), { effect: { status: 500 }, times: 1 })
  t.strictSame(
    ruleOf({
      ...NEW_FAULT,
      operation: 'getWorkspace',
      workspace: ' w ',
      workgroup: 'g',
      after: '2',
      times: '',
      probability: '0.5',
      isLate: true,
      reason: 'No.',
      retryAfter: '7',
      delay: '1s'
    }),
    {
      effect: { status: 500, reason: 'No.', retry_after: 7, delay: '1s' },
      operation: 'getWorkspace',
      workspace_id: 'w',
      workgroup_id: 'g',
      after: 2,
      probability: 0.5,
      phase: 'after-commit'
    }
  )
})

void t.test('a delay is fixed, or random up to the longest', async (t) => {
  const effect = (delay: string, longest: string) => ruleOf({ ...NEW_FAULT, effect: 'delay', delay, longest }).effect
  t.strictSame(effect('2s', ''), { delay: '2s' })
  t.strictSame(effect('1s', '2s'), { delay: { min: '1s', max: '2s' } })
  t.strictSame(effect('', '2s'), { delay: { min: '0s', max: '2s' } })
  t.strictSame(effect('', ''), {})
})

void t.test('a preset is a rule that the server accepts, and does not say where it applies', async (t) => {
  t.strictSame(
    PRESETS.map(({ name, fields }) => [name, ruleOf({ ...NEW_FAULT, ...fields })]),
    [
      ['Lost reply', { effect: { reply: 'drop' }, times: 1, phase: 'after-commit' }],
      ['Rate limit', { effect: { status: 429, reason: 'Too many requests.', retry_after: 5 }, times: 3 }],
      ['Slow', { effect: { delay: { min: '1s', max: '3s' } } }]
    ]
  )
  for (const { name, fields } of PRESETS) {
    const rule = ruleOf({ ...NEW_FAULT, ...fields })
    t.doesNotThrow(() => {
      check(FaultRuleSchema, rule, faultRuleErrors(rule, ''))
    }, name)
    t.notOk('operation' in fields || 'workspace' in fields)
  }
})

void t.test('the effect of a fault is told in words', async (t) => {
  const words = (fault: object) => effectOf({ id: 'fault-1', seen: 0, hits: 0, effect: {}, ...fault })
  t.equal(words({ effect: { status: 429, retry_after: 5, delay: 'PT1S' } }), 'error 429, Retry-After 5, delay PT1S')
  t.equal(
    words({ effect: { reply: 'drop' }, phase: 'after-commit', after: 2, probability: 0.5 }),
    'no reply, after the work is done, after 2, in 50 %'
  )
  t.equal(words({ effect: { delay: { min: 'PT1S', max: 'PT3S' } }, after: 0, probability: 1 }), 'delay PT1S to PT3S')
})

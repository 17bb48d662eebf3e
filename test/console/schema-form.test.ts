import t from 'tap'
import { NEW_FAULT, PRESETS } from '../../src/console/model/fault.js'
import {
  type DraftGroup,
  draftOf,
  inWords,
  kindOf,
  labelOf,
  readDraft,
  type Schema
} from '../../src/console/model/schema-form.js'
import { check } from '../../src/interface/check.js'
import { faultRuleErrors } from '../../src/sandboxes/fault-rule.js'
import { FaultRuleSchema } from '../../src/sandboxes/fault-schemas.js'
import { ExpectationSchema } from '../../src/test-control/requests/schemas.js'

const rule = (draft: DraftGroup) => readDraft(FaultRuleSchema as unknown as Schema, draft)
const expectation = (draft: DraftGroup) => readDraft(ExpectationSchema as unknown as Schema, draft)

void t.test('the server accepts the body of a form, which leaves out empty fields', async (t) => {
  const { value, errors } = rule({
    operation: 'getWorkspace',
    workspace_id: ' w ',
    workgroup_id: '',
    body: '{"a": [1]}',
    after: '2',
    probability: '0.5',
    phase: 'after-commit',
    effect: { status: '500', reason: 'No.', retry_after: '7', delay: '1s', stale: { by: '' } }
  })
  t.strictSame(value, {
    operation: 'getWorkspace',
    workspace_id: 'w',
    body: { a: [1] },
    after: 2,
    probability: 0.5,
    phase: 'after-commit',
    effect: { status: 500, reason: 'No.', retry_after: 7, delay: '1s' }
  })
  t.strictSame(errors, {})
  t.doesNotThrow(() => check(FaultRuleSchema, value))
  t.equal(rule({}).value, undefined)
})

void t.test('a field may take a text or an object, a list, or null', async (t) => {
  const delay = (text: string) => rule({ effect: { delay: text } }).value
  t.strictSame(delay('2s'), { effect: { delay: '2s' } })
  t.strictSame(delay('{"min": "1s", "max": "2s"}'), { effect: { delay: { min: '1s', max: '2s' } } })
  t.strictSame(expectation({ sequence: '[{"operation": "a"}]' }).value, { sequence: [{ operation: 'a' }] })
  const limit: Schema = {
    properties: { most: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, isOn: { type: 'boolean' } }
  }
  t.strictSame(readDraft(limit, { most: '', isOn: 'false' }).value, { most: null, isOn: false })
  t.equal(readDraft(limit, {}).value, undefined, 'an untouched field is not null')
})

void t.test('text that should be JSON is an error at its path, below that of the form', async (t) => {
  const draft = { where: { body: '{', query: ' ' }, sequence: '[' }
  t.strictSame(readDraft(ExpectationSchema as unknown as Schema, draft, 'rules.2').errors, {
    'rules.2.where.body': 'must be JSON',
    'rules.2.sequence': 'must be JSON'
  })
  t.strictSame(rule({ effect: { delay: '{' } }).errors, { 'effect.delay': 'must be JSON' })
})

void t.test('a choice keeps the type of its values', async (t) => {
  const properties: Schema['properties'] = {
    level: { type: 'integer', enum: [1, 2] },
    isOn: { anyOf: [{ type: 'boolean', enum: [true] }, { type: 'null' }] },
    size: { type: 'string', enum: ['1', '2'] }
  }
  const entered = readDraft({ type: 'object', properties }, { level: '2', isOn: 'true', size: '2' })
  t.strictSame(entered.value, { level: 2, isOn: true, size: '2' })
})

void t.test('a schema determines the kind of control, and a name its label', async (t) => {
  const kinds: Record<string, Schema> = {
    choice: { type: 'string', enum: ['a'] },
    flag: { type: 'boolean' },
    number: { anyOf: [{ type: 'null' }, { type: 'number' }] },
    text: { type: 'string' },
    mixed: { anyOf: [{ type: 'string' }, { type: 'object', properties: {} }] },
    group: { type: 'object', properties: {} },
    json: { type: 'array', items: { type: 'string' } }
  }
  t.strictSame(Object.values(kinds).map(kindOf), Object.keys(kinds))
  t.strictSame(['retry_after', 'atLeast', 'svc_database_id', 'is_rw'].map(labelOf), [
    'Retry after',
    'At least',
    'Database id',
    'Is read-write'
  ])
})

void t.test('the server accepts each preset, and none says where it applies', async (t) => {
  for (const given of [NEW_FAULT, ...PRESETS.map((preset) => preset.rule)]) {
    const { value } = rule(draftOf(given) as DraftGroup)
    t.strictSame(value, given, 'the form shows all of it')
    t.doesNotThrow(() => check(FaultRuleSchema, value, faultRuleErrors(given, '')))
    t.notOk('operation' in given || 'workspace_id' in given)
  }
})

void t.test('a rule fits a line', async (t) => {
  const words = inWords({ phase: 'before', effect: { status: 429, delay: { min: 'PT1S', max: 'PT3S' } } })
  t.equal(words, 'phase before, effect (status 429, delay (min PT1S, max PT3S))')
})

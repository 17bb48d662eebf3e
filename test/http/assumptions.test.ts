import t from 'tap'
import { assumptionFinder } from '../../src/fidelity/ledger.js'
import type { Aspect, FactKey } from '../../src/interface/assumption.js'
import { type Condition, ERRORS } from '../../src/interface/errors.js'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { TRANSITION_NAMES } from '../../src/profile/durations.js'
import { QUOTAS } from '../../src/profile/quotas.js'
import { ProfileSchema } from '../../src/profile/schemas.js'
import { ASSUMPTIONS } from '../../src/resources/all-assumptions.js'
import { STATES } from '../../src/resources/states.js'
import { NAMED_SCHEMAS } from '../../src/resources/vocabulary.js'
import { DELETED } from '../../src/sim/state-machine.js'
import { type Body, buildMock } from '../helper.js'

const CONDITIONS = Object.keys(ERRORS) as Condition[]

/** All aspects; the compiler finds a missing one. */
const ASPECTS = Object.keys({
  status: 0,
  'error type': 0,
  envelope: 0,
  message: 0,
  header: 0,
  field: 0,
  'further field': 0,
  type: 0,
  word: 0,
  form: 0,
  value: 0,
  order: 0,
  state: 0,
  transition: 0,
  duration: 0,
  catalogue: 0,
  quota: 0
} satisfies Record<Aspect, 0>) as Aspect[]

const assumptionsFor = assumptionFinder(ASSUMPTIONS)
const idsFor = (fact: FactKey) => assumptionsFor(fact).map(({ id }) => id)

/** The facts for which no assumption has a pattern with exactly their values. */
const unnamed = (facts: readonly FactKey[]) =>
  facts.filter(
    (fact) =>
      !ASSUMPTIONS.some(({ about = [] }) =>
        about.some((pattern) => JSON.stringify(sorted(pattern)) === JSON.stringify(sorted(fact)))
      )
  )

const sorted = (fact: FactKey) => Object.entries(fact).sort()

void t.test('every assumption has a unique id, a text, and a way to change it', async (t) => {
  t.equal(new Set(ASSUMPTIONS.map(({ id }) => id)).size, ASSUMPTIONS.length, 'no id is there twice')
  for (const { id, topic, says, change, about } of ASSUMPTIONS) {
    t.match(id, /^P-\d{3}$/)
    for (const text of [topic, says, change]) t.match(text, /\S/, id)
    t.match(says, /\.$/, `${id} is a sentence`)
    t.not(about?.length, 0, `${id} is about facts, or it does not say so`)
  }
})

void t.test('every published schema is an assumption, except the envelope, which the interface shows', async (t) => {
  const shown = NAMED_SCHEMAS.filter((schema) => schema['x-assumption'] === undefined).map(({ $id }) => $id)
  t.strictSame(shown, ['middleware.Response'])
  for (const { $id: schema, 'x-assumption': id } of NAMED_SCHEMAS) {
    if (id === undefined) continue
    for (const aspect of ['field', 'type'] as const)
      t.strictSame(idsFor({ aspect, schema }), [id], `${aspect} of ${schema}`)
  }
})

void t.test('every state, transition, condition, quota and list of the catalogue is an assumption', async (t) => {
  const subjects: readonly (readonly [aspect: Aspect, subjects: readonly string[]])[] = [
    [
      'state',
      Object.entries(STATES).flatMap(([kind, states]) =>
        states.filter((state) => state !== DELETED).map((state) => `${kind} ${state}`)
      )
    ],
    ['transition', TRANSITION_NAMES],
    ['duration', TRANSITION_NAMES],
    ['quota', QUOTAS],
    ['catalogue', Object.keys(ProfileSchema.properties.catalogue.properties).filter((name) => name !== 'defaults')]
  ]
  for (const [aspect, its] of subjects) t.strictSame(unnamed(its.map((subject) => ({ aspect, subject }))), [], aspect)
  for (const aspect of ['status', 'error type'] as const)
    t.strictSame(unnamed(CONDITIONS.map((condition) => ({ aspect, condition }))), [], aspect)
})

void t.test('every mark in the OpenAPI documents is the id of an assumption', async (t) => {
  const { app } = await buildMock(t)
  const marks: unknown[] = []
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      if (key === 'x-assumption') marks.push(value)
      else visit(value)
    }
  }
  for (const path of ['/openapi.json', '/_mock/openapi.json']) visit((await app.inject(path)).json())
  const known = new Set<unknown>(ASSUMPTIONS.map(({ id }) => id))
  t.ok(marks.length > 500, 'there are many')
  const unknown = [...new Set(marks)].filter((mark) => !known.has(mark))
  t.strictSame(unknown, [])
})

void t.test('every possible fact confirms or refutes an assumption', async (t) => {
  const fieldsOf = ({ properties, items }: Body): string[] =>
    Object.keys((properties ?? items?.properties ?? {}) as object)
  const missing: FactKey[] = []
  const expectOne = (fact: FactKey) => {
    if (assumptionsFor(fact).length === 0) missing.push(fact)
  }
  // There are no assumptions about undeclared fields.
  for (const aspect of ASPECTS.filter((one) => one !== 'further field')) {
    expectOne({ aspect, subject: 'anything else' })
    for (const operation of OPERATION_IDS) {
      expectOne({ aspect, operation })
      for (const condition of CONDITIONS) expectOne({ aspect, operation, condition })
      for (const schema of NAMED_SCHEMAS)
        for (const field of [undefined, 'another', ...fieldsOf(schema)])
          expectOne({ aspect, operation, schema: schema.$id, ...(field === undefined ? {} : { field }) })
    }
  }
  t.strictSame(missing, [])
})

void t.test('a difference leads to the assumption that it refutes, not to a general one', async (t) => {
  const says = (fact: FactKey) => assumptionsFor(fact).map(({ says }) => says)
  const examples: readonly (readonly [fact: FactKey, ...says: RegExp[]])[] = [
    [{ aspect: 'status', operation: 'getWorkspace' }, /Every success is a 200/],
    [{ aspect: 'status', operation: 'pauseWorkspace' }, /^`workspace.pause` \(.*\) starts in `Active`/],
    [{ aspect: 'status', operation: 'pauseWorkspace', condition: 'notAllowed' }, /^`workspace.pause` \(/],
    [{ aspect: 'status', operation: 'pauseWorkspace', condition: 'notFound' }, /^The reply is a 404 `Not-Found`/],
    [{ aspect: 'status', operation: 'createWorkspace', condition: 'notAllowed' }, /^The reply is a 400 .* constraint/],
    [
      { aspect: 'status', operation: 'deleteWorkgroup', condition: 'notAllowed' },
      /^`deleteWorkgroup`: a 400 while it has workspaces or databases/
    ],
    [{ aspect: 'status', operation: 'listOrgUsers', condition: 'forbidden' }, /accept only a session/],
    [{ aspect: 'envelope', operation: 'getWorkspace', field: 'ErrorDetails', subject: 'error' }, /at least one entry/],
    [{ aspect: 'envelope', operation: 'getWorkspace', field: 'ErrorDetails' }, /`ErrorDetails` is null in a success/],
    [{ aspect: 'envelope', operation: 'enableAllowList', field: 'Result', subject: 'error' }, /repeats the message/],
    [{ aspect: 'envelope', operation: 'enableAllowList', field: 'Result' }, /^A reply has .* `Result`, in this order/],
    [{ aspect: 'type', operation: 'pauseWorkspace', field: 'Result' }, /where the interface gives a success none/],
    [{ aspect: 'envelope', operation: 'listOrgUsers' }, /`listOrgUsers`: it is an array/],
    [{ aspect: 'message', operation: 'createWorkgroup' }, /`Message` of a success/],
    [{ aspect: 'header', operation: 'createWorkgroup', subject: 'x-request-id' }, /`X-Request-Id`/],
    [{ aspect: 'header', operation: 'createWorkgroup', subject: 'x-ratelimit-limit' }, /no rate limit/],
    [{ aspect: 'header', operation: 'createWorkgroup', subject: 'server' }, /only these two headers/],
    [{ aspect: 'field', operation: 'getWorkspace', schema: 'Workspace', field: 'colour' }, /^`Workspace` has/],
    [{ aspect: 'field', operation: 'getWorkspace', schema: 'Workspace', field: 'snapshot_time' }, /no `snapshot_time`/],
    [
      { aspect: 'catalogue', operation: 'getWorkgroup', schema: 'Workgroup', field: 'region', subject: 'regions' },
      /these regions/
    ],
    [{ aspect: 'value', operation: 'getWorkspace', schema: 'Workspace', field: 'enable_ha' }, /^`Workspace` has/],
    [{ aspect: 'form', operation: 'getWorkspace', schema: 'Workspace', field: 'workspace_id', subject: 'id' }, /UUIDs/],
    [{ aspect: 'order', operation: 'listWorkgroups' }, /in the order of creation/],
    [
      { aspect: 'state', operation: 'getWorkspace', schema: 'Workspace', field: 'status', subject: 'workspace Idle' },
      /^A workspace can be `Idle`/
    ],
    [
      {
        aspect: 'state',
        operation: 'getWorkspace',
        schema: 'Workspace',
        field: 'status',
        subject: 'workspace Thawing'
      },
      /no other states/
    ],
    [
      { aspect: 'transition', operation: 'getWorkspace', subject: 'workspace.create' },
      /^`workspace.create` \(createWorkspace\) starts with the resource/
    ],
    [{ aspect: 'quota', operation: 'createWorkspace', subject: 'ro_workspaces' }, /^The quota `ro_workspaces`/]
  ]
  for (const [fact, ...expected] of examples) {
    const found = says(fact)
    t.equal(found.length, expected.length, `${JSON.stringify(fact)}: ${found.join(' | ')}`)
    for (const [index, text] of expected.entries()) t.match(found[index], text)
  }
})

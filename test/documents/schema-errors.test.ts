import fc from 'fast-check'
import t from 'tap'
import { documentErrors } from '../../src/documents/schema-errors.js'
import { StateSchema } from '../../src/documents/schemas.js'
import { schemaErrors } from '../../src/interface/check.js'
import { MORE_FIELD_ERRORS } from '../../src/interface/validation.js'
import { finish } from '../../src/lib/scheduler.js'
import { MOST_TRANSITION_RULES } from '../../src/sim/schemas.js'
import { pluck } from '../helper.js'

const FIELDS = ['id', 'name', 'status', 'workspaces', 'databases', 'users', 'backups', 'at', 'event', 'payload', 'a.b']
const LISTS = ['workgroups', 'org_users', 'events', 'timeline', 'transitions', 'faults', 'clock', 'format']

/** Documents that have the shape of a state document here and there. */
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...LISTS), tie('value')) },
    { weight: 1, arbitrary: tie('value') }
  ),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom<unknown>(null, 1, 1.5, '', 'x', 'Active', '2026-01-01T00:00:00Z', true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'))
  )
}))

const sorted = (errors: readonly object[]) => errors.map((error) => JSON.stringify(error)).sort()

void t.test('checking in pieces finds the same errors as checking at once', async (t) => {
  // The pieces of a schema are made once, so one that is new is taken to pieces here.
  const schema = { ...StateSchema }
  const check = (value: unknown) => {
    const found = sorted(finish(documentErrors(value, schema)))
    t.strictSame(found, sorted(schemaErrors(StateSchema, value)))
    t.equal(found.length, new Set(found).size)
    return found
  }
  fc.assert(
    fc.property(document, (value) => {
      check(value)
    }),
    { numRuns: 300 }
  )
  const rule = { transition: 'workspace.pause', outcome: 'hold' }
  t.strictSame(check({ transitions: Array(MOST_TRANSITION_RULES).fill(rule) }), [])
  t.equal(check({ transitions: Array(MOST_TRANSITION_RULES + 1).fill(rule) }).length, 1, 'a list that is too long')
})

void t.test('the last error says once that there are too many, in one piece or in all', async (t) => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]))
  // Two of the errors that are collected make one, so the piece has fewer than the limit.
  const rows = Array.from({ length: 30 }, () => ({ ...unknown(100), from: 5, reason: 5 }))
  for (const document of [
    unknown(2500),
    { ...unknown(1990), events: Array<object>(64).fill({}) },
    { events: [unknown(2500), {}] },
    { timeline: rows }
  ]) {
    const errors = finish(documentErrors(document, StateSchema))
    t.equal(errors.indexOf(MORE_FIELD_ERRORS), errors.length - 1)
  }
})

void t.test('an error in a long list has its index, and the number of errors is bounded', async (t) => {
  const workspaces = Array.from({ length: 1000 }, (_, index) => (index === 777 ? { id: 7 } : {}))
  const users = Array.from({ length: 1000 }, () => ({ username: 'someone' }))
  users[999] = {} as never
  const errors = finish(documentErrors({ workgroups: [{}, { workspaces: [...workspaces, { users }] }] }, StateSchema))
  t.strictSame(pluck(errors, 'field'), [
    'workgroups.1.workspaces.777.id',
    'workgroups.1.workspaces.1000.users.999.username'
  ])
  const many = finish(documentErrors({ events: Array.from({ length: 100_000 }, () => ({})) }, StateSchema))
  t.equal(many.at(-1), MORE_FIELD_ERRORS)
  t.ok(many.length < 5000)
})

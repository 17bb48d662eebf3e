import { Type } from '@sinclair/typebox'
import { notFound, ServiceError } from '../../interface/errors.js'
import { faultId, faultRuleErrors, numberOf, withDefaults } from '../../sandboxes/fault-rule.js'
import { FaultRuleSchema, FaultSchema, FaultsRemovedSchema, MOST_FAULT_RULES } from '../../sandboxes/fault-schemas.js'
import { defineCall } from '../control-call.js'
import { withWholeIds } from '../cut-ids.js'

const tag = 'Faults'

export const FAULT_CALLS = [
  defineCall({
    name: 'addFault',
    method: 'POST',
    path: '/faults',
    tag,
    summary: 'Add a fault',
    body: FaultRuleSchema,
    result: FaultSchema,
    program: { name: 'fault.add', throws: 'naming all errors of the rule' },
    command: {
      usage: 'fault add JSON',
      examples: [
        `fault add '{"operation": "getWorkspace", "times": 1, "effect": {"status": 503}}'`,
        `fault add '{"effect": {"delay": "500ms"}}'`
      ]
    },
    problems: ({ body }) => faultRuleErrors(body, ''),
    run: (call) =>
      call.plane.write(call, ({ sandbox }) => {
        const { plane, body } = call
        if (plane.faults.count(sandbox.key) >= MOST_FAULT_RULES) {
          throw new ServiceError(
            'quotaExceeded',
            `The sandbox has ${MOST_FAULT_RULES} faults, the maximum; remove some first.`
          )
        }
        const id = faultId(plane.faults.nextNumber(sandbox.key))
        if (numberOf(id) === undefined)
          throw new ServiceError('quotaExceeded', 'A fault from a document has the last id; remove it first.')
        const fault = withDefaults({ ...body, id, seen: 0, hits: 0 })
        return plane.faults.insert(sandbox, withWholeIds(plane, sandbox, fault))
      }),
    says: ({ id }) => `Fault added: ${id}.`
  }),

  defineCall({
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    tag,
    summary: 'List the faults, and how often each has fired',
    result: Type.Array(FaultSchema),
    program: { name: 'fault.list' },
    command: {
      usage: 'fault list',
      help: 'List the faults.',
      examples: ['fault list'],
      tables: [
        {
          what: 'faults',
          columns: {
            ID: 'id',
            OPERATION: 'operation',
            PHASE: 'phase',
            TIMES: 'times',
            SEEN: 'seen',
            HITS: 'hits',
            EFFECT: 'effect'
          }
        }
      ]
    },
    run: ({ plane, sandbox }) => plane.faults.list(sandbox.key)
  }),

  defineCall({
    name: 'removeFaults',
    method: 'DELETE',
    path: '/faults',
    tag,
    summary: 'Remove all faults',
    result: FaultsRemovedSchema,
    program: { name: 'fault.clear', gives: 'removed', returns: 'how many there were' },
    command: {
      usage: 'fault clear [ID]',
      // With an id, the command makes the call below.
      arguments: ['id'],
      help: 'Remove all faults, or one.',
      examples: ['fault clear', 'fault clear fault-1']
    },
    run: (call) => call.plane.write(call, ({ sandbox }) => ({ removed: call.plane.faults.remove(sandbox) })),
    says: removal
  }),

  defineCall({
    name: 'removeFault',
    method: 'DELETE',
    path: '/faults/:id',
    tag,
    summary: 'Remove a fault',
    params: { id: 'Id of the fault.' },
    result: FaultsRemovedSchema,
    program: { name: 'fault.remove', gives: 'removed', returns: 'how many: one', throws: 'if no rule has the id' },
    run: (call) =>
      call.plane.write(call, ({ sandbox }) => {
        const id = call.params['id']!
        const number = numberOf(id)
        if (number === undefined || call.plane.faults.remove(sandbox, number) === 0) throw notFound('fault', id)
        return { removed: 1 }
      }),
    says: removal
  })
]

function removal({ removed }: { readonly removed: number }): string {
  return `Faults removed: ${removed}.`
}

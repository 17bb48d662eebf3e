import { Type } from '@sinclair/typebox'
import { faultRuleErrors } from '../../sandboxes/fault-rule.js'
import { FaultRuleSchema, FaultSchema, FaultsRemovedSchema } from '../../sandboxes/fault-schemas.js'
import { defineCall } from '../control-call.js'
import { addFault, clearFaults, listFaults, removeFault } from './faults.js'

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
    run: (call) => addFault(call.plane, call, call.body),
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
          },
          flexible: 'EFFECT'
        }
      ]
    },
    run: ({ plane, sandbox }) => listFaults(plane, sandbox),
    says: ({ length }) => `Faults: ${length}.`
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
      // Another part of the path: with it, it is the call below.
      arguments: ['id'],
      help: 'Remove all faults, or one.',
      ids: { path: '/faults', field: 'id' },
      examples: ['fault clear', 'fault clear fault-1']
    },
    run: async (call) => ({ removed: await clearFaults(call.plane, call) }),
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
    run: async (call) => {
      await removeFault(call.plane, call, call.params['id']!)
      return { removed: 1 }
    },
    says: removal
  })
]

function removal({ removed }: { readonly removed: number }): string {
  return `Faults removed: ${removed}.`
}

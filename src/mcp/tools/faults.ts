import { Type } from '@sinclair/typebox'
import { id } from '../../lib/closed.js'
import { callNamed } from '../../test-control/calls.js'
import { defineActions } from '../tool.js'

export const faultsTool = defineActions({
  name: 'faults',
  title: 'Faults',
  description: `Faults make a request of a client go wrong: an error status, a delay, a lost or cut reply, a stale read.
(To make what a request has begun fail later, such as a resume, use the tool transitions.)

- add: a rule, such as {"operation": "getWorkspace", "times": 1, "effect": {"status": 503, "retry_after": 5}}. With
  "phase": "after-commit" the operation is carried out and only its reply is lost: the case of a client that retries.
- list: the rules, and how often each has fired (hits).
- clear: remove the rule with an id, or all.`,
  input: {
    rule: Type.Optional({ ...callNamed('addFault').body!, description: 'For add: the rule.' }),
    id: Type.Optional(id('For clear: id of the rule; all if absent.'))
  },
  actions: {
    add: { takes: ['rule'], needs: ['rule'], run: ({ rule }, { control }) => control('addFault', rule as object) },
    list: { run: (_, { control }) => control('listFaults') },
    clear: {
      takes: ['id'],
      run: ({ id }, { control }) => (id === undefined ? control('removeFaults') : control('removeFault', { id }))
    }
  }
})

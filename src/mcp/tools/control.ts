import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { TRANSITIONS } from '../../resources/states.js'
import { callNamed, CALLS } from '../../test-control/calls.js'
import { isPerformed } from '../../test-control/control-call.js'
import { defineActions, defineTool } from '../tool.js'

// Tools for calls of test control: one for each subject, and one for any call.

export const clockTool = defineActions({
  name: 'clock',
  title: 'Clock',
  description: `The clock of the sandbox. It ends transitions such as Creating, Resuming or Resizing, so move it
instead of waiting.

- advance: move it forward and run everything that is due, with exactly one of by ("30s", "1h30m"), to (a timestamp)
  and until ("idle": no transition is under way; or {"workspace_id": "…", "status": "Active"}). If until is not reached
  within max, nothing changes. The result lists the events that fired.
- set: mode frozen (time stands still), poll (each read of a workspace leads to its next state) or real, with a rate.
- read: the time and the mode.`,
  actions: { advance: 'advanceClock', set: 'setClock', read: 'readClock' }
})

export const faultsTool = defineActions({
  name: 'faults',
  title: 'Faults',
  description: `Faults make a client's request go wrong: an error status, a delay, a lost or cut reply, a stale read.
(For work that fails later, such as a resume, use the tool transitions.)

- add: for example, with "operation": "getWorkspace", "times": 1, "effect": {"status": 503, "retry_after": 5}. With
  "phase": "after-commit", the operation is carried out and only its reply is lost, so that you can test retries.
- list: the faults, and how often each has fired (hits).
- remove: the fault with an id.
- clear: remove all.`,
  actions: { add: 'addFault', list: 'listFaults', remove: 'removeFault', clear: 'removeFaults' }
})

export const transitionsTool = defineActions({
  name: 'transitions',
  title: 'Transition rules',
  description: `Rules decide how future transitions end:
${TRANSITIONS.map(({ name }) => name).join(', ')}.

- set: rules, which replace all others; the first one that applies counts. For example, the next resume fails after
  ten seconds: [{"transition": "workspace.resume", "outcome": "fail", "reason": "No capacity.", "after": "10s",
  "times": 1}]. With the outcome hold, a transition does not end until it is released. [] removes all rules.
- list: the rules in force, and how long each transition takes.
- release: end held transitions now: all, or those with a name (transition) or of a workspace (resource_id).`,
  actions: { set: 'replaceTransitionRules', list: 'listTransitionRules', release: 'releaseTransitions' }
})

export const sandboxTool = defineActions({
  name: 'sandbox',
  title: 'Sandboxes',
  description: `Sandboxes are worlds of their own: resources, clock, faults and rules. A key names one.

- save: keep the state of the sandbox as a snapshot, by name. restore returns to it: later changes are lost.
- new: a sandbox that starts from a snapshot (from), or the baseline (the seed of the server, or empty). The result has
  its key. To experiment in a copy that leaves the original unchanged, save, then make a new one from that.
- reset: return the sandbox to its baseline. Later changes are lost.
- remove: remove the sandbox.

Pass the key to the other tools as key, or to a client as its API key (header x-api-key).`,
  isDestructive: true,
  actions: {
    save: 'saveSnapshot',
    restore: 'restoreSnapshot',
    new: 'forkSandbox',
    reset: 'resetSandbox',
    remove: 'removeSandbox'
  }
})

export const stateTool = defineActions({
  name: 'state',
  title: 'State document',
  description: `The whole sandbox as one document: workgroups with their databases and workspaces, clock, faults, rules,
scheduled events, timeline, quotas.

- read: the document. Select a part, such as workgroups[].workspaces[].{id: id, name: name, status: status}.
- put: replace the sandbox with a document, in which nearly everything is optional:
  {"clock": {"mode": "frozen"}, "workgroups": [{"id": "main", "workspaces": [{"id": "writer", "status": "Stopped"}]}]}.
- seed: likewise, and a reset returns to it.`,
  isDestructive: true,
  actions: { read: 'readState', put: 'replaceState', seed: 'seedSandbox' }
})

/** The calls that answer in the envelope, and need no token. */
const KNOWN = CALLS.filter((call) => isPerformed(call) && call.needsToken !== true)

export const controlTool = defineTool({
  name: 'control',
  title: 'Test control',
  description: `Make calls of test control, including those without a tool of their own: quotas, coverage, snapshots,
backups, data-plane activity, the report, and the assumptions about the service.

With describe, the result describes the call instead. To start: {"call": "setQuotas", "input":
{"rw_workspaces": 1}} makes the next creation of a second writer fail; {"call": "runBackup", "input": {"workspaceID":
"…"}} starts a backup.`,
  input: {
    call: enumeration(
      KNOWN.map(({ name }) => name),
      'The call.'
    ),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The ids in its path, and the fields of its body or query, such as {"rw_workspaces": 1}.'
      })
    ),
    describe: Type.Optional(Type.Boolean({ description: 'Describe the call instead of making it.' }))
  },
  isDestructive: true,
  run: async ({ call: name, input = {}, describe }, { control }) => {
    const { summary, params = {}, body, query } = callNamed(name)
    if (describe === true) return { result: { summary, ids: params, body: body ?? null, query: query ?? null } }
    return control(name, input)
  }
})

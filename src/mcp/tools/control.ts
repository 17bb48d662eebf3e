import { type TArray, Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { duration, id } from '../../lib/strict.js'
import { TRANSITIONS } from '../../resources/states.js'
import { callNamed, CALLS } from '../../test-control/calls.js'
import { isPerformed } from '../../test-control/control-call.js'
import type { TransitionRule } from '../../test-control/handle/types.js'
import { type Answer, defineActions, defineTool, fieldsOf, type ToolCall } from '../tool.js'

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
  actions: {
    advance: { takes: ['by', 'to', 'until', 'max'], run: 'advanceClock' },
    set: { takes: ['mode', 'now', 'rate'], run: 'setClock' },
    read: { run: 'readClock' }
  }
})

export const faultsTool = defineActions({
  name: 'faults',
  title: 'Faults',
  description: `Faults make a client's request go wrong: an error status, a delay, a lost or cut reply, a stale read.
(For work that fails later, such as a resume, use the tool transitions.)

- add: a rule, such as {"operation": "getWorkspace", "times": 1, "effect": {"status": 503, "retry_after": 5}}. With
  "phase": "after-commit", the operation is carried out and only its reply is lost, so that you can test retries.
- list: the rules, and how often each has fired (hits).
- clear: remove the rule with an id, or all.`,
  input: {
    rule: Type.Optional({ ...callNamed('addFault').body!, description: 'For add: the rule.' }),
    id: Type.Optional(id('For clear: id of the rule; all if absent.'))
  },
  actions: {
    add: { takes: ['rule'], needs: ['rule'], run: ({ rule }, { control }) => control('addFault', rule as object) },
    list: { run: 'listFaults' },
    clear: {
      takes: ['id'],
      run: ({ id }, { control }) => (id === undefined ? control('removeFaults') : control('removeFault', { id }))
    }
  }
})

const NAMES = TRANSITIONS.map(({ name }) => name)

const { items: RULE } = fieldsOf('replaceTransitionRules', ['rules']).rules as unknown as TArray
const WHICH = ['transition', 'resource_id'] as const
type Which = Partial<Record<(typeof WHICH)[number], string | undefined>>

export const transitionsTool = defineActions({
  name: 'transitions',
  title: 'Transition rules',
  description: `Rules decide how future transitions end:
${NAMES.join(', ')}.

- add: a rule, which goes before the existing ones. For example, the next resume fails after ten seconds:
  {"transition": "workspace.resume", "outcome": "fail", "reason": "No capacity.", "after": "10s", "times": 1}.
  With the outcome hold, a transition does not end until it is released.
- list: the rules in force, and how long each transition takes.
- clear: remove the rules for a transition or a workspace, or all.
- release: end held transitions now.`,
  input: {
    rule: Type.Optional({ ...RULE, description: 'For add: the rule.' }),
    transition: Type.Optional(enumeration(NAMES, 'For clear and release: name of the transition; any if absent.')),
    resource_id: Type.Optional(id('For clear and release: the workspace; any if absent.'))
  },
  actions: {
    add: {
      takes: ['rule'],
      needs: ['rule'],
      run: ({ rule }, call) => replace(call, (rules) => [rule as TransitionRule, ...rules])
    },
    list: { run: 'listTransitionRules' },
    clear: {
      takes: WHICH,
      run: (which, call) => replace(call, (rules) => rules.filter((rule) => !isMeant(rule, which)))
    },
    release: { takes: WHICH, run: 'releaseTransitions' }
  }
})

const isMeant = (rule: TransitionRule, which: Which) =>
  WHICH.every((field) => which[field] === undefined || which[field] === rule[field])

type Change = (rules: readonly TransitionRule[]) => readonly TransitionRule[]

/** The last change on each server. The next one waits for it, so that parallel calls lose no rule. */
const changes = new Map<string, Promise<unknown>>()

function replace(call: ToolCall, change: Change): Promise<Answer> {
  const { url } = call.client
  const next = () => replaceNow(call, change)
  const changed = (changes.get(url) ?? Promise.resolve()).then(next, next)
  changes.set(url, changed)
  return changed
}

async function replaceNow({ control }: ToolCall, change: Change): Promise<Answer> {
  const { rules: before } = (await control('listTransitionRules')).result as { rules: TransitionRule[] }
  const answer = await control('replaceTransitionRules', { rules: change(before) })
  const { rules } = answer.result as { rules: TransitionRule[] }
  return { ...answer, result: { rules } }
}

export const sandboxTool = defineActions({
  name: 'sandbox',
  title: 'Sandboxes',
  description: `Sandboxes are worlds of their own: resources, clock, faults and rules. A key names one.

- new: a sandbox that starts from the baseline (the seed of the server, or empty). The result has its key.
- fork: a copy of the sandbox as it is now, for experiments that leave the original unchanged. The result has its key.
- reset: return the sandbox to its baseline. Later changes are lost.
- remove: remove the sandbox.

Pass the key to the other tools as key, or to a client as its API key (header x-api-key).`,
  input: {
    ttl: Type.Optional(duration('For new and fork: lifetime.')),
    keep: Type.Optional({ ...fieldsOf('resetSandbox', ['keep']).keep, description: 'For reset: parts to keep.' })
  },
  isDestructive: true,
  actions: {
    new: { takes: ['ttl'], run: (input, call) => create(call, input) },
    fork: { takes: ['ttl'], run: (input, call) => fork(call, input) },
    reset: { takes: ['keep'], run: 'resetSandbox' },
    remove: { run: 'removeSandbox' }
  }
})

async function fork(call: ToolCall, input: { readonly ttl?: string | undefined }): Promise<Answer> {
  // Only a snapshot can be forked. This one has a unique name, and is deleted afterwards.
  const { requestId } = await call.send({ method: 'GET', path: '/_mock/clock' })
  const name = `fork-${requestId.replaceAll(/\W/g, '').slice(0, 12)}`
  try {
    await call.control('saveSnapshot', { name })
    return await create(call, { from: name, ...input })
  } finally {
    await call.control('deleteSnapshot', { name }).catch(() => undefined)
  }
}

async function create(
  { control, client: { url } }: ToolCall,
  fork: { readonly from?: string; readonly ttl?: string | undefined }
): Promise<Answer> {
  const answer = await control('forkSandbox', fork)
  return { ...answer, result: { ...(answer.result as object), url } }
}

export const stateTool = defineActions({
  name: 'state',
  title: 'State document',
  description: `The whole sandbox as one document: workgroups with their databases and workspaces, clock, faults, rules,
scheduled events, timeline, quotas.

- read: the document. Select a part, such as workgroups[].workspaces[].{id: id, name: name, status: status}.
- put: replace the sandbox with a document, in which nearly everything is optional:
  {"clock": {"mode": "frozen"}, "workgroups": [{"id": "main", "workspaces": [{"id": "writer", "status": "Stopped"}]}]}.
  With as_baseline, a reset returns to it.`,
  input: {
    document: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'For put: the document, in the form of read.' })
    ),
    as_baseline: Type.Optional(
      Type.Boolean({ description: 'For put: whether a reset returns to it; false if absent.' })
    )
  },
  isDestructive: true,
  actions: {
    read: { run: async (_, { control }) => ({ result: (await control('readState')).result }) },
    put: {
      takes: ['document', 'as_baseline'],
      needs: ['document'],
      run: ({ document, as_baseline: isBaseline }, { control }) =>
        control(isBaseline === true ? 'seedSandbox' : 'replaceState', document)
    }
  }
})

/** The calls that answer in the envelope, and need no token. */
const KNOWN = CALLS.filter((call) => isPerformed(call) && call.needsToken !== true)

export const controlTool = defineTool({
  name: 'control',
  title: 'Test control',
  description: `Make any call of test control, including those without a tool of their own: quotas, coverage, snapshots,
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

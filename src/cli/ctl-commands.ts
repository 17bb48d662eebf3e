import { DURATION_FORMS } from '../lib/time.js'
import type { Subcommand } from './command.js'
import { documentOf, type Flags, given, jsonOf, type NamedDocument, query, rulesOf, untilOf } from './ctl-arguments.js'
import type { ControlCall } from './ctl-call.js'
import { idsOf, pathOfCall, timeOfDay } from './ctl-cells.js'
import type { RequestFilter } from './ctl-follow.js'
import type { IdList } from './ctl-ids.js'
import {
  checkOperations,
  checkValue,
  count,
  duration,
  goal,
  number,
  oneOf,
  operation,
  someOf,
  status,
  timestamp,
  traceId
} from './ctl-values.js'
import type { Table } from './table.js'
import { UsageError } from './usage.js'

/** What a command does. */
interface CommandCall extends ControlCall {
  /** File to write the result to, instead of standard output. */
  readonly into?: string
  /** What the body has been read from. */
  readonly source?: NamedDocument
  /** Print the requests that follow instead of the result, which only shows that the filter is valid. */
  readonly follow?: RequestFilter
}

/** A command of `svc-mock ctl`. Its arguments in brackets are optional; its flags come besides the common ones. */
export interface ControlCommand extends Subcommand {
  /** How it is used, without `svc-mock ctl`. */
  readonly examples: readonly string[]
  /** How a terminal shows its result; absent: as JSON. */
  readonly tables?: readonly Table[]
  /** The ids that its first argument can be the beginning of. */
  readonly ids?: IdList
  readonly call: (args: readonly string[], flags: Flags) => CommandCall | Promise<CommandCall>
}

const get = (path: string) => (): ControlCall => ({ method: 'GET', path })
const remove = (path: string) => (): ControlCall => ({ method: 'DELETE', path })
const importing = async (path: string, file: string): Promise<CommandCall> => {
  const source = await documentOf(file)
  return { method: 'PUT', path, body: source.document, source }
}
const segment = encodeURIComponent

const WORKSPACES: IdList = { path: '/overview', member: 'workspaces', field: 'workspace_id' }

/** Ends the help of what takes JSON. */
const JSON_FORMS = 'JSON is the text itself, @FILE, or - for standard input.'

/** All commands, in the order of the help. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = [
  {
    usage: 'workspaces',
    help: 'List the workspaces.',
    examples: ['workspaces'],
    tables: [
      {
        what: 'workspaces',
        list: 'workspaces',
        columns: {
          ID: 'workspace_id',
          NAME: 'name',
          STATUS: 'status',
          TYPE: 'workspace_type_name',
          WRITES: 'is_rw',
          WORKGROUP: 'workgroup_id'
        },
        flexible: 'NAME'
      }
    ],
    call: get('/overview')
  },
  {
    usage: 'reset',
    help: 'Return the sandbox to its baseline.',
    flags: {
      keep: {
        value: 'PARTS',
        help: 'Parts to leave alone: clock,faults,transitions,journal.',
        check: someOf('clock', 'faults', 'transitions', 'journal'),
        isList: true
      }
    },
    examples: ['reset', 'reset --keep clock,faults'],
    call: (_, { keep }) => ({
      method: 'POST',
      path: '/reset',
      body: keep === undefined ? {} : { keep: keep.split(',') }
    })
  },
  {
    usage: 'state export [FILE]',
    help: 'Export the sandbox as one JSON document to a file, or to standard output.',
    examples: ['state export state.json'],
    call: ([into]) => ({ method: 'GET', path: '/state', ...(into === undefined || into === '-' ? {} : { into }) })
  },
  {
    usage: 'state import FILE',
    help: 'Import a document (JSON or YAML; - is standard input), replacing the sandbox.',
    examples: ['state import state.json'],
    call: ([file]) => importing('/state', file!)
  },
  {
    usage: 'seed FILE',
    help: 'Import a document, and make it the baseline that a reset returns to.',
    examples: ['seed seed.yaml'],
    call: ([file]) => importing('/seed', file!)
  },
  {
    usage: 'snapshot list',
    help: 'List the snapshots.',
    examples: ['snapshot list'],
    tables: [{ what: 'snapshots', columns: { NAME: 'name', SAVED: 'created_at' }, flexible: 'NAME' }],
    call: get('/snapshots')
  },
  {
    usage: 'snapshot save NAME',
    help: 'Save a snapshot.',
    examples: ['snapshot save before-resize'],
    call: ([name]) => ({ method: 'PUT', path: `/snapshots/${segment(name!)}` })
  },
  {
    usage: 'snapshot restore NAME',
    help: 'Restore a snapshot.',
    examples: ['snapshot restore before-resize'],
    call: ([name]) => ({ method: 'POST', path: `/snapshots/${segment(name!)}/restore` })
  },
  {
    usage: 'snapshot delete NAME',
    help: 'Delete a snapshot.',
    examples: ['snapshot delete before-resize'],
    call: ([name]) => ({ method: 'DELETE', path: `/snapshots/${segment(name!)}` })
  },
  {
    usage: 'sandbox create [FROM]',
    help: 'Create a sandbox with its own key from a snapshot or the baseline.',
    flags: {
      ttl: { value: 'DURATION', help: `Its lifetime, ${DURATION_FORMS}; unlimited by default.`, check: duration }
    },
    examples: ['sandbox create', 'sandbox create before-resize --ttl 1h30m'],
    call: ([from = 'baseline'], { ttl }) => ({ method: 'POST', path: '/sandboxes', body: { from, ...given({ ttl }) } })
  },
  {
    usage: 'sandbox delete',
    help: 'Remove the sandbox with everything in it.',
    examples: ['sandbox delete --key KEY'],
    call: remove('/sandboxes')
  },
  {
    usage: 'sandboxes',
    help: 'List the sandboxes of the server; needs --token.',
    flags: {
      limit: { value: 'N', help: 'How many at most; 100 by default.', check: count },
      after: { value: 'NEXT', help: 'Continue after the list before; it has the value as next.', check: count }
    },
    examples: ['sandboxes --token TOKEN'],
    tables: [
      {
        what: 'sandboxes',
        list: 'sandboxes',
        columns: {
          ID: 'id',
          NAME: 'name',
          WORKGROUPS: 'workgroups',
          WORKSPACES: 'workspaces',
          USED: 'last_used_at',
          EXPIRES: 'expires_at'
        },
        flexible: 'NAME',
        note: ({ next, total }) =>
          typeof next === 'number' ? `There are ${String(total)}; for the next ones, use --after ${next}.` : undefined
      }
    ],
    call: (_, { limit, after }) => ({ method: 'GET', path: `/sandboxes${query({ limit, after })}` })
  },
  {
    usage: 'sandboxes purge IDLE',
    help: `Remove the sandboxes unused for a duration (${DURATION_FORMS}); needs --token.`,
    examples: ['sandboxes purge 7d --token TOKEN'],
    call: ([idle]) => ({
      method: 'POST',
      path: '/sandboxes/purge',
      body: { idle: checkValue('IDLE', idle!, duration) }
    })
  },
  { usage: 'clock', help: 'Read the clock.', examples: ['clock'], call: get('/clock') },
  {
    usage: 'clock set',
    help: 'Set the clock. What you leave out keeps its value.',
    flags: {
      mode: { value: 'MODE', help: 'How time passes: real, frozen or poll.', check: oneOf('real', 'frozen', 'poll') },
      now: { value: 'TIMESTAMP', help: 'The time that it shows, such as 2027-01-01T00:00:00Z.', check: timestamp },
      rate: { value: 'N', help: 'Seconds per second of the machine, in mode real.', check: number }
    },
    examples: ['clock set --mode frozen --now 2027-01-01T00:00:00Z', 'clock set --mode real --rate 60'],
    call: (_, { rate, ...rest }) => ({
      method: 'PUT',
      path: '/clock',
      body: { ...rest, ...(rate === undefined ? {} : { rate: Number(rate) }) }
    })
  },
  {
    usage: 'clock advance',
    help: 'Move the clock: by a duration, to a time, or until something has happened.',
    flags: {
      by: { value: 'DURATION', help: `How far, ${DURATION_FORMS}.`, check: duration },
      to: { value: 'TIMESTAMP', help: 'A time that has not passed, such as 2027-01-01T00:00:00Z.', check: timestamp },
      until: {
        value: 'idle|WORKSPACE=STATUS',
        help: 'No transition is under way, or a workspace has a status.',
        check: goal
      },
      max: { value: 'DURATION', help: 'How far an --until may go; 1d by default.', check: duration }
    },
    examples: [
      'clock advance --by 1h30m',
      'clock advance --until idle',
      'clock advance --until writer=Stopped --max 10m'
    ],
    call: (_, { by, to, until, max }) => {
      if (Object.keys(given({ by, to, until })).length !== 1)
        throw new UsageError('give exactly one of --by, --to and --until')
      const body = { ...given({ by, to, max }), ...(until === undefined ? {} : { until: untilOf(until) }) }
      return { method: 'POST', path: '/clock/advance', body }
    }
  },
  {
    usage: 'events',
    help: 'List the scheduled events.',
    examples: ['events'],
    tables: [
      {
        what: 'events',
        columns: { DUE: 'due', EVENT: 'event', RESOURCE: 'resource_id', HELD: 'held', REQUEST: 'request_id' }
      }
    ],
    call: get('/events')
  },
  {
    usage: 'timeline [ID]',
    help: 'List the state changes: all, or those of a workspace, a backup or a restore job.',
    flags: { limit: { value: 'N', help: 'Only the newest ones.', check: count } },
    examples: ['timeline', 'timeline writer --limit 10'],
    tables: [
      {
        what: 'state changes',
        columns: {
          AT: 'at',
          RESOURCE: 'resource_id',
          TRANSITION: 'transition',
          FROM: 'from',
          TO: 'to',
          REASON: 'reason'
        },
        flexible: 'REASON'
      }
    ],
    call: ([id], { limit }) => ({ method: 'GET', path: `/timeline${query({ workspace_id: id, limit })}` })
  },
  {
    usage: 'transitions',
    help: 'List the rules, and the transitions they can apply to.',
    examples: ['transitions'],
    tables: [
      {
        what: 'rules',
        list: 'rules',
        columns: {
          RULE: 'transition',
          RESOURCE: 'resource_id',
          OUTCOME: 'outcome',
          AFTER: 'after',
          TIMES: 'times',
          REASON: 'reason'
        },
        flexible: 'REASON'
      },
      {
        what: 'transitions',
        list: 'transitions',
        columns: {
          TRANSITION: 'name',
          'MIN MS': 'min_ms',
          'MAX MS': 'max_ms'
        }
      }
    ],
    call: get('/transitions')
  },
  {
    usage: 'transitions set JSON',
    help: `Replace the rules: a list, or what lists them. ${JSON_FORMS}`,
    examples: [
      `transitions set '[{"transition": "workspace.resume", "outcome": "fail", "after": "10s"}]'`,
      'transitions set @rules.json'
    ],
    call: async ([rules]) => ({ method: 'PUT', path: '/transitions', body: { rules: rulesOf(await jsonOf(rules!)) } })
  },
  {
    usage: 'transitions release',
    help: 'Release held transitions: all, or some of them.',
    flags: {
      transition: { value: 'NAME', help: 'Only those of this name.' },
      resource: { value: 'ID', help: 'Only those of this workspace.' }
    },
    examples: ['transitions release', 'transitions release --resource writer'],
    call: (_, { transition, resource }) => ({
      method: 'POST',
      path: '/transitions/release',
      body: given({ transition, resource_id: resource })
    })
  },
  {
    usage: 'profile',
    help: 'Read what the server assumes about the service, as a profile.',
    examples: ['profile'],
    call: get('/profile')
  },
  {
    usage: 'placeholders',
    help: 'List the built-in assumptions about the service.',
    examples: ['placeholders'],
    tables: [
      {
        what: 'assumptions',
        columns: { ID: 'id', TOPIC: 'topic', ASSUMPTION: 'says' },
        flexible: 'ASSUMPTION'
      }
    ],
    call: get('/placeholders')
  },
  { usage: 'quotas', help: 'Read the quotas.', examples: ['quotas'], call: get('/quotas') },
  {
    usage: 'quotas set JSON',
    help: `Set quotas; null means no limit. ${JSON_FORMS}`,
    examples: [`quotas set '{"rw_workspaces": 1}'`],
    call: async ([quotas]) => ({ method: 'PUT', path: '/quotas', body: await jsonOf(quotas!) })
  },
  {
    usage: 'backup WORKSPACE',
    help: 'Start a manual backup of a workspace.',
    flags: { tag: { value: 'NAME', help: 'The name of the backup.' } },
    examples: ['backup writer --tag before-resize'],
    ids: WORKSPACES,
    call: ([workspace], { tag }) => ({
      method: 'POST',
      path: `/workspaces/${segment(workspace!)}/backups`,
      body: given({ tag })
    })
  },
  {
    usage: 'activity WORKSPACE',
    help: 'Simulate data-plane activity on a workspace.',
    examples: ['activity writer'],
    ids: WORKSPACES,
    call: ([workspace]) => ({ method: 'POST', path: `/workspaces/${segment(workspace!)}/activity` })
  },
  {
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
    ],
    call: get('/faults')
  },
  {
    usage: 'fault add JSON',
    help: `Add a fault. ${JSON_FORMS}`,
    examples: [
      `fault add '{"operation": "getWorkspace", "times": 1, "effect": {"status": 503}}'`,
      `fault add '{"effect": {"delay": "500ms"}}'`
    ],
    call: async ([rule]) => ({ method: 'POST', path: '/faults', body: checkOperations(await jsonOf(rule!)) })
  },
  {
    usage: 'fault clear [ID]',
    help: 'Remove all faults, or one.',
    examples: ['fault clear', 'fault clear fault-1'],
    ids: { path: '/faults', field: 'id' },
    call: ([id]) => ({ method: 'DELETE', path: `/faults${id === undefined ? '' : `/${segment(id)}`}` })
  },
  {
    usage: 'requests',
    help: 'List the requests.',
    flags: {
      operation: { value: 'ID', help: 'Only calls of this operation.', check: operation },
      status: { value: '404|4xx', help: 'Only replies with this status, or of this class.', check: status },
      'request-id': { value: 'ID', help: 'Only requests with this RequestID.' },
      trace: { value: 'ID', help: 'Only requests of this trace.', check: traceId },
      since: { value: 'TIMESTAMP', help: 'Only those received then or later.', check: timestamp },
      limit: { value: 'N', help: 'Only the newest ones.', check: count },
      follow: { help: 'Print requests as they come, one line each, until Ctrl-C.' }
    },
    examples: [
      'requests --status 4xx --limit 10',
      'requests --follow --operation getWorkspace',
      'requests --trace 4bf92f3577b34da6a3ce929d0e0e4736'
    ],
    tables: [
      {
        what: 'requests',
        list: 'requests',
        columns: {
          RECEIVED: 'received',
          METHOD: 'method',
          PATH: 'path',
          STATUS: 'status',
          MS: 'duration_ms',
          OPERATION: 'operation',
          REQUEST: 'request_id'
        },
        show: { received: timeOfDay, path: pathOfCall },
        flexible: 'PATH',
        note: ({ dropped }) =>
          typeof dropped === 'number' && dropped > 0 ? `Older requests no longer kept: ${dropped}.` : undefined
      }
    ],
    call: (_, { 'request-id': requestId, follow, ...others }) => {
      const filter = given({ ...others, request_id: requestId })
      if (follow === undefined) return { method: 'GET', path: `/requests${query(filter)}` }
      for (const flag of ['since', 'limit'])
        if (filter[flag] !== undefined) throw new UsageError(`--follow prints only new requests, so omit --${flag}`)
      return { method: 'GET', path: `/requests${query({ ...filter, limit: '1' })}`, follow: filter }
    }
  },
  {
    usage: 'requests show ID',
    help: 'Show the record of one request: changes, events, state changes.',
    examples: ['requests show resize-1'],
    ids: { path: '/requests', member: 'requests', field: 'request_id' },
    call: ([id]) => ({ method: 'GET', path: `/requests/${segment(id!)}` })
  },
  {
    usage: 'requests verify JSON',
    help: `Verify calls. ${JSON_FORMS}`,
    examples: [`requests verify '{"operation": "resumeWorkspace", "times": {"exactly": 2}}'`],
    call: async ([expectation]) => ({
      method: 'POST',
      path: '/requests/verify',
      body: checkOperations(await jsonOf(expectation!))
    })
  },
  {
    usage: 'requests clear',
    help: 'Clear the journal.',
    examples: ['requests clear'],
    call: remove('/requests')
  },
  {
    usage: 'recording',
    help: 'Print a recording of what memory still has, for svc-mock recording.',
    examples: ['recording > run.svcmock'],
    call: get('/recording')
  },
  {
    usage: 'coverage',
    help: 'Show which operations, statuses and states were exercised.',
    flags: { format: { value: 'json|junit', help: 'JSON, the default, or JUnit XML.', check: oneOf('json', 'junit') } },
    examples: ['coverage', 'coverage --format junit'],
    tables: [
      {
        what: 'coverage',
        list: 'summary',
        columns: { WHAT: 'name', EXERCISED: 'exercised', TOTAL: 'total' },
        note: () => 'With --json, every item is listed.'
      }
    ],
    call: (_, { format }) => ({ method: 'GET', path: `/coverage${query({ format })}` })
  },
  {
    usage: 'coverage clear',
    help: 'Reset the coverage.',
    examples: ['coverage clear'],
    call: remove('/coverage')
  },
  {
    usage: 'report',
    help: 'Review the calls of the client, and list what it left behind.',
    examples: ['report'],
    tables: [
      { what: 'findings', list: 'findings', columns: { FINDING: 'rule', MESSAGE: 'message' }, flexible: 'MESSAGE' },
      {
        what: 'leftovers',
        list: 'left_behind',
        columns: { LEFT: 'kind', IDS: 'ids', MESSAGE: 'message' },
        show: { ids: idsOf },
        flexible: 'MESSAGE'
      }
    ],
    call: get('/report')
  }
]

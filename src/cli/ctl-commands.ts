import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { DocumentError, readDocument } from '../state/file.js'
import { UsageError } from './usage.js'

/** A call of the control API. */
export interface ControlCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Path below `/_mock`. */
  readonly path: string
  readonly body?: unknown
  /** File to write the result to, instead of standard output. */
  readonly into?: string
}

/** A command of `svc-mock ctl`. */
export interface ControlCommand {
  /** Its name and its arguments; those in brackets are optional. */
  readonly usage: string
  readonly help: string
  /** Flags besides the common ones, each with a value. */
  readonly flags?: readonly string[]
  readonly call: (
    args: readonly string[],
    flags: Readonly<Record<string, string | undefined>>
  ) => ControlCall | Promise<ControlCall>
}

const get = (path: string) => (): ControlCall => ({ method: 'GET', path })
const remove = (path: string) => (): ControlCall => ({ method: 'DELETE', path })
const segment = encodeURIComponent

/** All commands, in the order of the help. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = [
  {
    usage: 'reset',
    flags: ['keep'],
    help: 'Return the sandbox to its baseline. --keep PARTS: parts to leave alone (clock,faults,transitions,journal).',
    call: (_, { keep }) => ({
      method: 'POST',
      path: '/reset',
      body: keep === undefined ? {} : { keep: keep.split(',') }
    })
  },
  {
    usage: 'state export [FILE]',
    help: 'Export the sandbox as one JSON document to a file, or to standard output.',
    call: ([into]) => ({ method: 'GET', path: '/state', ...(into === undefined || into === '-' ? {} : { into }) })
  },
  {
    usage: 'state import FILE',
    help: 'Import a document (JSON or YAML; - is standard input), replacing the sandbox.',
    call: async ([file]) => ({ method: 'PUT', path: '/state', body: await documentOf(file!) })
  },
  {
    usage: 'seed FILE',
    help: 'Import a document, and make it the baseline that a reset returns to.',
    call: async ([file]) => ({ method: 'PUT', path: '/seed', body: await documentOf(file!) })
  },
  { usage: 'snapshot list', help: 'List the snapshots.', call: get('/snapshots') },
  {
    usage: 'snapshot save NAME',
    help: 'Save a snapshot.',
    call: ([name]) => ({ method: 'PUT', path: `/snapshots/${segment(name!)}` })
  },
  {
    usage: 'snapshot restore NAME',
    help: 'Restore a snapshot.',
    call: ([name]) => ({ method: 'POST', path: `/snapshots/${segment(name!)}/restore` })
  },
  {
    usage: 'snapshot delete NAME',
    help: 'Delete a snapshot.',
    call: ([name]) => ({ method: 'DELETE', path: `/snapshots/${segment(name!)}` })
  },
  {
    usage: 'sandbox create [FROM]',
    flags: ['ttl'],
    help: 'Create a sandbox with its own key from a snapshot or the baseline. --ttl DURATION: its lifetime (ISO 8601).',
    call: ([from = 'baseline'], { ttl }) => ({ method: 'POST', path: '/sandboxes', body: { from, ...given({ ttl }) } })
  },
  { usage: 'sandbox delete', help: 'Remove the sandbox with everything in it.', call: remove('/sandboxes') },
  {
    usage: 'sandboxes',
    flags: ['limit', 'after'],
    help: 'List the sandboxes of the server; needs --token. --limit N, --after NEXT.',
    call: (_, { limit, after }) => ({ method: 'GET', path: `/sandboxes${query({ limit, after })}` })
  },
  {
    usage: 'sandboxes purge IDLE',
    help: 'Remove the sandboxes unused for a duration (ISO 8601, such as P1D); needs --token.',
    call: ([idle]) => ({ method: 'POST', path: '/sandboxes/purge', body: { idle } })
  },
  { usage: 'clock', help: 'Read the clock.', call: get('/clock') },
  {
    usage: 'clock set',
    flags: ['mode', 'now', 'rate'],
    help: 'Set the clock. --mode real|frozen|poll, --now TIMESTAMP, --rate N.',
    call: (_, { rate, ...rest }) => ({
      method: 'PUT',
      path: '/clock',
      body: { ...rest, ...(rate === undefined ? {} : { rate: number('rate', rate) }) }
    })
  },
  {
    usage: 'clock advance',
    flags: ['by', 'to', 'until', 'max'],
    help: 'Move the clock. --by DURATION, --to TIMESTAMP, or --until idle|WORKSPACE=STATUS with --max DURATION.',
    call: (_, { until, ...rest }) => ({
      method: 'POST',
      path: '/clock/advance',
      body: { ...rest, ...(until === undefined ? {} : { until: untilOf(until) }) }
    })
  },
  { usage: 'events', help: 'List the scheduled events.', call: get('/events') },
  {
    usage: 'timeline [ID]',
    help: 'List the state changes: all, or those of a workspace, a backup or a restore job.',
    call: ([id]) => ({ method: 'GET', path: `/timeline${query({ workspace_id: id })}` })
  },
  { usage: 'transitions', help: 'List the rules, and the transitions they can apply to.', call: get('/transitions') },
  {
    usage: 'transitions set JSON',
    help:
      'Replace the rules, e.g. \'[{"transition": "workspace.resume", "outcome": "fail"}]\' (@FILE reads a ' +
      'file, - standard input).',
    call: async ([rules]) => ({ method: 'PUT', path: '/transitions', body: { rules: await jsonOf(rules!) } })
  },
  {
    usage: 'transitions release',
    flags: ['transition', 'resource'],
    help: 'Release held transitions: all, or by --transition NAME and --resource ID.',
    call: (_, { transition, resource }) => ({
      method: 'POST',
      path: '/transitions/release',
      body: given({ transition, resource_id: resource })
    })
  },
  { usage: 'quotas', help: 'Read the quotas.', call: get('/quotas') },
  {
    usage: 'quotas set JSON',
    help: 'Set quotas, e.g. \'{"rw_workspaces": 1}\'; null means no limit.',
    call: async ([quotas]) => ({ method: 'PUT', path: '/quotas', body: await jsonOf(quotas!) })
  },
  {
    usage: 'backup WORKSPACE',
    flags: ['tag'],
    help: 'Start a manual backup of a workspace. --tag NAME.',
    call: ([workspace], { tag }) => ({
      method: 'POST',
      path: `/workspaces/${segment(workspace!)}/backups`,
      body: given({ tag })
    })
  },
  {
    usage: 'activity WORKSPACE',
    help: 'Simulate data-plane activity on a workspace.',
    call: ([workspace]) => ({ method: 'POST', path: `/workspaces/${segment(workspace!)}/activity` })
  },
  { usage: 'fault list', help: 'List the faults.', call: get('/faults') },
  {
    usage: 'fault add JSON',
    help:
      'Add a fault, e.g. \'{"operation": "getWorkspace", "effect": {"status": 503}}\' (@FILE reads a file, - ' +
      'standard input).',
    call: async ([rule]) => ({ method: 'POST', path: '/faults', body: await jsonOf(rule!) })
  },
  {
    usage: 'fault clear [ID]',
    help: 'Remove all faults, or one.',
    call: ([id]) => ({ method: 'DELETE', path: `/faults${id === undefined ? '' : `/${segment(id)}`}` })
  },
  {
    usage: 'requests',
    flags: ['operation', 'status', 'request-id', 'since', 'limit'],
    help: 'List the requests. --operation ID, --status 404|4xx, --request-id ID, --since TIMESTAMP, --limit N.',
    call: (_, { 'request-id': requestId, ...filter }) => ({
      method: 'GET',
      path: `/requests${query({ ...filter, request_id: requestId })}`
    })
  },
  {
    usage: 'requests show ID',
    help: 'Show the record of one request: changes, events, state changes.',
    call: ([id]) => ({ method: 'GET', path: `/requests/${segment(id!)}` })
  },
  {
    usage: 'requests verify JSON',
    help:
      'Verify calls, e.g. \'{"operation": "resumeWorkspace", "times": {"exactly": 2}}\' (@FILE reads a file, - ' +
      'standard input).',
    call: async ([expectation]) => ({ method: 'POST', path: '/requests/verify', body: await jsonOf(expectation!) })
  },
  { usage: 'requests clear', help: 'Clear the journal.', call: remove('/requests') },
  {
    usage: 'coverage',
    flags: ['format'],
    help: 'Show which operations, statuses and states were exercised. --format json|junit.',
    call: (_, { format }) => ({ method: 'GET', path: `/coverage${query({ format })}` })
  },
  { usage: 'coverage clear', help: 'Reset the coverage.', call: remove('/coverage') },
  { usage: 'report', help: 'Review the calls of the client, and list what it left behind.', call: get('/report') }
]

/** Keeps only the flags that are set. */
function given(flags: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(flags).filter((flag): flag is [string, string] => flag[1] !== undefined))
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const text = new URLSearchParams(given(parameters)).toString()
  return text === '' ? '' : `?${text}`
}

function number(flag: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new UsageError(`--${flag} must be a number, but is ${text}`)
  return value
}

function untilOf(text: string): unknown {
  const equals = text.lastIndexOf('=')
  return equals < 0 ? text : { workspace_id: text.slice(0, equals), status: text.slice(equals + 1) }
}

async function documentOf(file: string): Promise<unknown> {
  if (file === '-') return jsonOf('-')
  return readDocument(file).catch((error: unknown) => {
    throw error instanceof DocumentError ? new UsageError(`${file} ${error.message}`) : error
  })
}

async function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  })
}

/** Reads JSON from an argument, from a file (`@FILE`), or from standard input (`-`). */
async function jsonOf(argument: string): Promise<unknown> {
  const source =
    argument === '-'
      ? await readAll(process.stdin)
      : argument.startsWith('@')
        ? await contentOf(argument.slice(1))
        : argument
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(
      `${argument === '-' ? 'the standard input' : argument} is not JSON (${(error as Error).message})`
    )
  }
}

import type { Test } from 'tap'
import { TRANSITION_NAMES } from '../src/profile/durations.js'
import { table } from './doc-tables.js'
import { withWorkspace } from './documents/parts.js'
import { type Body, buildMock, type Reply } from './helper.js'
import { patternOf } from './messages.js'
import { openSandbox, type TestSandbox } from './sandbox.js'

// The table of requests against transitions under way: every pair is tried with a frozen clock.

/** A request, and how the transition ends that it starts. */
interface Step {
  readonly send: readonly [method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object]
  readonly ends: 'at once' | 'never' | 'badly'
}

const step = (ends: Step['ends'], ...send: Step['send']): Step => ({ ends, send })
const WORKSPACE = '/workgroups/g/workspaces/w'
const PAUSE = ['POST', `${WORKSPACE}/pause`] as const
const RESTORE = ['POST', `${WORKSPACE}/backups/restore`, { backup_id: 'b' }] as const
const READ_ONLY = ['POST', '/workgroups/g/workspaces', { svc_database_id: 'd', is_rw: false }] as const

/** What is under way, and the steps there from an Active workspace. */
const ROWS: readonly (readonly [name: string, ...steps: Step[]])[] = [
  [
    '`Creating`',
    step('at once', 'DELETE', WORKSPACE),
    step('never', 'POST', '/workgroups/g/workspaces', { svc_database_id: 'd' })
  ],
  ['nothing: `Active`'],
  ['a refresh, in `Active`', step('never', 'POST', `${WORKSPACE}/refresh`)],
  ['a backup, in `Active`', step('never', 'POST', '/_mock/workspaces/w/backups')],
  ['`Pausing`', step('never', ...PAUSE)],
  ['nothing: `Stopped`', step('at once', ...PAUSE)],
  ['nothing: `Idle`', step('at once', 'PUT', WORKSPACE, { enable_auto_start: true }), step('at once', ...PAUSE)],
  ['`Resuming`', step('at once', ...PAUSE), step('never', 'POST', `${WORKSPACE}/resume`)],
  ['`Resizing`', step('never', 'PUT', WORKSPACE, { workspace_type_name: 'SVC-1' })],
  ['`Restoring`', step('never', ...RESTORE)],
  ['`Terminating`', step('never', 'DELETE', WORKSPACE)],
  ['nothing: `Failed`', step('badly', ...RESTORE)],
  ['nothing: read-only, `Active`', step('at once', ...READ_ONLY)],
  ['nothing: it is gone', step('at once', 'DELETE', WORKSPACE)]
]

/** The requests; `w` stands for the workspace. */
const COLUMNS: readonly (readonly [name: string, ...send: Step['send']])[] = [
  ['pause', ...PAUSE],
  ['resume', 'POST', `${WORKSPACE}/resume`],
  ['refresh', 'POST', `${WORKSPACE}/refresh`],
  ['another type', 'PUT', WORKSPACE, { workspace_type_name: 'SVC-2' }],
  ['high availability', 'PUT', WORKSPACE, { enable_ha: true }],
  ['another auto-stop', 'PUT', WORKSPACE, { auto_stop_minutes: 5 }],
  ['restore', ...RESTORE],
  ['backup (control API)', 'POST', '/_mock/workspaces/w/backups'],
  ['set backup schedule', 'POST', `${WORKSPACE}/backups/schedule`, { schedule: '0 3 * * *' }],
  ['activity (control API)', 'POST', '/_mock/workspaces/w/activity'],
  ['delete', 'DELETE', WORKSPACE],
  ['create read-write, same database', 'POST', '/workgroups/g/workspaces', { svc_database_id: 'd' }],
  ['create read-only, same database', ...READ_ONLY],
  ['delete database', 'DELETE', '/workgroups/g/databases/d'],
  ['delete workgroup', 'DELETE', '/workgroups/g']
]

const RULE = { 'at once': { after: 'PT0S' }, never: { outcome: 'hold' }, badly: { after: 'PT0S', outcome: 'fail' } }

const RULES: readonly (readonly [RegExp, string])[] = [
  [patternOf('notAllowed', 'state'), 'state'],
  [patternOf('notAllowed', 'readOnly'), 'read-only'],
  [patternOf('notAllowed', { is_rw: 'secondWriter' }), 'taken'],
  [patternOf('notAllowed', 'databaseInUse'), 'in use'],
  [patternOf('notAllowed', 'workgroupInUse'), 'in use']
]

const LEGEND =
  '"200" alone means that no state changes. The 400s are *state* (the state of the workspace does not allow it), ' +
  '*read-only*, *taken* (the database has a read-write workspace) and *in use* (it still has workspaces or databases).'

export async function conflictTable(t: Test): Promise<string> {
  const b = await openSandbox(await buildMock(t))
  const rows: string[][] = []
  for (const [name, ...steps] of ROWS) {
    await b.controlResult('PUT', '/state', withWorkspace({ backups: [{ id: 'b' }] }))
    const target = await follow(b, steps)
    await b.setRules(...TRANSITION_NAMES.map((transition) => ({ transition, ...RULE.never })))
    await b.control('PUT', '/snapshots/row')
    const cells: string[] = []
    for (const [, ...send] of COLUMNS) {
      cells.push(await cellOf(b, await ask(b, send, target)))
      await b.control('POST', '/snapshots/row/restore')
    }
    rows.push([name, ...cells])
  }
  return `${LEGEND}\n\n${table(['under way', ...COLUMNS.map(([name]) => name)], rows)}`
}

/** Follows the steps to a row. @returns its workspace */
async function follow(b: TestSandbox, steps: readonly Step[]): Promise<string> {
  let target = 'w'
  for (const { send, ends } of steps) {
    await b.setRules(...TRANSITION_NAMES.map((transition) => ({ transition, ...RULE[ends] })))
    const { status, body } = await ask(b, send, target)
    if (status !== 200) throw new Error(`${send[0]} ${send[1]}: ${JSON.stringify(body)}`)
    if (send[1] === '/workgroups/g/workspaces') target = body.Result.workspace_id as string
  }
  return target
}

function ask({ call, control }: TestSandbox, [method, url, body]: Step['send'], target: string): Promise<Reply> {
  const path = url.replace('/w/', `/${target}/`).replace(/\/w$/, `/${target}`)
  return path.startsWith('/_mock') ? control(method, path.slice('/_mock'.length), body) : call(method, path, body)
}

async function cellOf(b: TestSandbox, { status, body }: Reply): Promise<string> {
  if (status === 404) return '404'
  if (status === 400) {
    const rule = RULES.find(([pattern]) => pattern.test(body.Message as string))
    if (rule === undefined) throw new Error(`a rule without a name: ${body.Message}`)
    return `400 ${rule[1]}`
  }
  if (status !== 200) throw new Error(`status ${status}: ${body.Message}`)
  const changes = (await b.timeline()).filter(({ request_id: id }) => id === body.RequestID)
  return ['200', changes.map(inWords).join(', ')].join(' ').trim()
}

function inWords({ transition, attribute, from, to }: Body): string {
  return `${whatChanges(transition as string, attribute as string, from as string | null, to as string)}\`${to}\``
}

function whatChanges(transition: string, attribute: string, from: string | null, to: string): string {
  if (attribute === 'refresh_status') return 'refresh '
  if (transition === 'backup.run') return 'backup '
  if (transition === 'restore.run' && to !== 'Restoring') return 'job '
  return from === null ? 'new ' : ''
}

import { readFileSync } from 'node:fs'
import { groupBy } from '../src/lib/group-by.js'

/** The prefix of the interface, below the base path. */
export const CONTROLLER = '/controller/v4/v2'

/** An operation in docs/interface.md. */
export interface InterfaceOperation {
  readonly number: number
  /** Lower case, as in an OpenAPI document. */
  readonly method: string
  /** Below the base path, its parameters in braces. */
  readonly path: string
  readonly operationId: string
  /** Name of the schema of the request's body. */
  readonly body: string | undefined
  /** Name of the schema of the payload, or of its items; `string` or `object` if it has none. */
  readonly result: string | undefined
  readonly isArray: boolean
  /** The payload is the whole body of the reply, without the envelope. */
  readonly isBare: boolean
  /** The one status of success. */
  readonly success: number
  /** Statuses that the interface declares, the success included. */
  readonly declared: readonly number[]
}

/** The operationId, in the OpenAPI document, of the three operations that share a method and path. */
export const SHARED_ID = 'changeSchedule'

const DOCUMENT = new URL('../docs/interface.md', import.meta.url)

/** The abbreviations of the tables. */
const PREFIXES = [
  ['{W}', '{G}/workspaces/{workspaceID}'],
  ['{G}', '{C}/workgroups/{workgroupID}'],
  ['{C}', CONTROLLER]
] as const

const HEADER = '| # | method | path | operationId | body | result | declared | assumed |'

/** Reads the operations from the tables of docs/interface.md, in the order of their numbers. */
export function readOperations(): InterfaceOperation[] {
  const text = readFileSync(DOCUMENT, 'utf8')
  for (const [header] of text.matchAll(/^\| #.*/gm)) {
    if (header !== HEADER) throw new Error(`a table has other columns: ${header}`)
  }
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map(readRow)
    .sort((a, b) => a.number - b.number)
}

function readRow(line: string): InterfaceOperation {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  const [number, method = '', path = '', operationId = '', body = '', result = '', declared = ''] = cells
  const statuses = declared.split(', ').map(Number)
  const name = /^(?:array of )?(?:`(.+?)`|(string|object))(?:, bare)?$/.exec(result)
  if (
    cells.length !== 8 ||
    statuses.some(Number.isNaN) ||
    (name === null && result !== 'none' && result !== 'no content')
  ) {
    throw new Error(`this row cannot be read: ${line}`)
  }
  return {
    number: Number(number),
    method: method.toLowerCase(),
    path: PREFIXES.reduce((whole, [short, long]) => whole.replace(short, long), unquoted(path)),
    operationId: unquoted(operationId),
    body: body === 'none' ? undefined : unquoted(body),
    result: name?.[1] ?? name?.[2],
    isArray: result.startsWith('array of '),
    isBare: result.endsWith(', bare'),
    success: statuses[0]!,
    declared: statuses
  }
}

const unquoted = (cell: string) => cell.replaceAll('`', '')

/** The operations by method and path, such as `get /users`; three of them share one. */
export function routesOf(operations: readonly InterfaceOperation[]): ReadonlyMap<string, InterfaceOperation[]> {
  return groupBy(operations, ({ method, path }) => `${method} ${path}`)
}

/** The operationId of a route in the OpenAPI document. */
export function publishedId(operations: readonly InterfaceOperation[]): string {
  return operations.length === 1 ? operations[0]!.operationId : SHARED_ID
}

/** It is outside the controller's path, and accepts a session only. */
export const needsSession = ({ path }: Pick<InterfaceOperation, 'path'>): boolean => !path.startsWith(CONTROLLER)

/** Error bodies carry their message as `Result` too. */
export const hasErrorResult = ({ number }: InterfaceOperation) => number >= 6 && number <= 12

/** A body that each operation accepts, if it takes one; some name ids. */
export const bodiesWith = ({ backup, schedule, workspaceID }: Record<string, string>): Record<string, object> => ({
  createWorkgroup: { cloud_provider_id: 'a' },
  updateWorkgroup: { workgroup_name: 'x' },
  addAllowedIP: { cidr: '::/0' },
  updateAllowedIP: { cidr: '::/0' },
  updateDatabase: { svc_database_name: 'x' },
  createWorkspace: {},
  updateWorkspace: { workspace_name: 'x' },
  deleteBackup: { backup_id: backup },
  restoreBackup: { backup_id: backup },
  setBackupSchedule: { schedule: '0 4 * * *' },
  updateWorkspaceSchedule: { workspace_id: workspaceID, repeat: 'daily', time: '05:00', timezone: 'UTC', id: schedule },
  deleteWorkspaceSchedule: { id: schedule },
  createDatabaseUser: { username: 'bob', password: 'secret' },
  updateDatabaseUserPassword: { username: 'ann', password: 'x' },
  deleteDatabaseUser: { username: 'ann' },
  updateOrgUserRoles: { roles: ['workspace-member'] }
})

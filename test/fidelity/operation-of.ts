import type { Exchange } from '../../src/fidelity/exchange.js'
import { OPERATION_IDS, type OperationId } from '../../src/interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../src/interface/operation-routes.js'

interface Pattern {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
  readonly parameters: number
}

/** Paths without parameters come first: `current` is no id. */
const PATTERNS: readonly Pattern[] = OPERATION_IDS.map((operation) => {
  const { method, path } = OPERATION_ROUTES[operation]
  const parts = path.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part))
  const parameters = parts.filter((part) => part === '[^/]+').length
  return { operation, method, path: new RegExp(`${parts.join('/')}$`), parameters }
}).sort((one, other) => one.parameters - other.parameters)

/** The operation that a request means; undefined: there is none at its path. The base path can be any. */
export function operationOf({ method, path, query, requestBody }: Exchange): OperationId | undefined {
  const found = PATTERNS.find((pattern) => pattern.method === method && pattern.path.test(path))?.operation
  if (found !== 'setBackupSchedule') return found
  const named = /operation=(\w+)/.exec(query)?.[1]
  const fields = Object.keys(requestBody ?? {})
  if (named === 'set_backup_schedule' || (named === undefined && fields.includes('schedule'))) return found
  const isDeletion = named === 'delete_workspace_schedule' || (named === undefined && !fields.includes('time'))
  return isDeletion ? 'deleteWorkspaceSchedule' : 'updateWorkspaceSchedule'
}

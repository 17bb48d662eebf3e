import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { DELETED_WORKSPACES, type WorkspaceRecord } from './fields.js'

/** Maximum number in a sandbox; the newest stay. */
const MOST = 1000

/** The deleted workspaces that a profile keeps readable. Every function takes the sandbox key first. */
export function deletedWorkspaceStore(db: Database) {
  const table = new Table(db, DELETED_WORKSPACES)
  const replace = table.replacer()
  const forget = table.pruner('deleted_at', MOST)
  return {
    /** Keeps a workspace, and forgets those that were deleted by some time. */
    add(sandbox: number, workspace: WorkspaceRecord, deletedAt: number, forgetBy: number): void {
      const { workgroup, id } = workspace
      replace(sandbox, { workgroup, id, workspace, deletedAt })
      forget(sandbox, forgetBy)
    },

    find: table.finder('workgroup', 'id'),
    /** Finds one by its id alone, as a path without its workgroup names it. */
    findAnywhere: table.finder('id')
  }
}

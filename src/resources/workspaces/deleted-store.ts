import type { Database } from '../../db/database.js'
import type { WorkspaceRecord } from './fields.js'

/** A workspace as it was when it was deleted. */
interface DeletedWorkspace {
  readonly workspace: WorkspaceRecord
  /** In milliseconds since 1970. */
  readonly deletedAt: number
}

/** Maximum number in a sandbox; the newest stay. */
const MOST = 1000

/** The deleted workspaces that a profile keeps readable. Every method takes the sandbox key first. */
export class DeletedWorkspaceStore {
  readonly #insert
  readonly #find
  readonly #forget

  constructor(db: Database) {
    this.#insert = db.prepare<[number, string, string, string, number]>(
      `INSERT INTO deleted_workspaces (sandbox, workgroup, id, workspace, deleted_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET workspace = excluded.workspace, deleted_at = excluded.deleted_at`
    )
    this.#find = db.prepare<[number, string, string], { workspace: string; deletedAt: number }>(
      `SELECT workspace, deleted_at AS deletedAt FROM deleted_workspaces WHERE sandbox = ? AND workgroup = ? AND id = ?`
    )
    this.#forget = db.prepare<[number, number, number, number]>(
      `DELETE FROM deleted_workspaces WHERE sandbox = ? AND (deleted_at <= ? OR rowid IN (
         SELECT rowid FROM deleted_workspaces WHERE sandbox = ? ORDER BY deleted_at DESC LIMIT -1 OFFSET ?))`
    )
  }

  /** Keeps a workspace, and forgets those that were deleted by some time. */
  add(sandbox: number, { workspace, deletedAt }: DeletedWorkspace, forgetBy: number): void {
    this.#insert.run(sandbox, workspace.workgroup, workspace.id, JSON.stringify(workspace), deletedAt)
    this.#forget.run(sandbox, forgetBy, sandbox, MOST)
  }

  find(sandbox: number, workgroup: string, id: string): DeletedWorkspace | undefined {
    const row = this.#find.get(sandbox, workgroup, id)
    return row && { ...row, workspace: JSON.parse(row.workspace) as WorkspaceRecord }
  }
}

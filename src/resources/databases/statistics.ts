import type { FolderStatistics } from './parts.js'

/** The mock stores no data, so all sizes are 0. */
export function toStatisticsView(workspaceIds: readonly string[]): FolderStatistics {
  return {
    backup_size: 0,
    billed_size: 0,
    log_size: 0,
    total_size: 0,
    milvus_size: 0,
    workspaces: workspaceIds.map((id) => ({ workspace_id: id, size: 0 }))
  }
}

import type { Row } from '../../db/row-watcher.js'
import type { StateWords } from '../../profile/states.js'
import type { DatabaseRecord } from '../../resources/databases/fields.js'
import type { WorkgroupRecord } from '../../resources/workgroups/fields.js'
import type { BriefWorkspace } from '../../resources/workspaces/fields.js'
import type { DatabaseSummary, WorkgroupSummary, WorkspaceSummary } from './schemas.js'

export function summarizeWorkspace(
  { id, workgroup, database, name, status, refreshStatus, typeName, svcVersion, isRw }: BriefWorkspace,
  words: StateWords,
  host: string
): WorkspaceSummary {
  return {
    workspace_id: id,
    workgroup_id: workgroup,
    database_id: database,
    name,
    status: words.workspace.toWire(status),
    refresh_status: words.refresh.toWire(refreshStatus),
    workspace_type_name: typeName,
    svc_version: svcVersion,
    is_rw: isRw,
    host
  }
}

export function summarizeWorkgroup({ id, name, platform, region }: WorkgroupRecord): WorkgroupSummary {
  return { workgroup_id: id, name, platform, region }
}

export function summarizeDatabase({ id, workgroup, name }: DatabaseRecord): DatabaseSummary {
  return { database_id: id, workgroup_id: workgroup, name }
}

/** Converts a raw row to a workspace. */
export function workspaceOfRow(row: Row): BriefWorkspace {
  const { refresh_status: refreshStatus, type_name: typeName, svc_version: svcVersion, is_rw: isRw, ...same } = row
  return { ...same, refreshStatus, typeName, svcVersion, isRw: isRw === 1 } as BriefWorkspace
}

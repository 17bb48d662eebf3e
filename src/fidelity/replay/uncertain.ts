import { OPERATION_IDS, type OperationId } from '../../interface/operation-ids.js'
import type { Call } from '../api.js'
import { isAboutTheSame } from './about.js'
import type { Uncertain } from './session.js'
import { BEGUN_BY } from './transitions.js'

const OF_WORKSPACE = OPERATION_IDS.filter((id) => BEGUN_BY[id]!.length > 0 && id !== 'createWorkspace')
const OF_WORKGROUP: readonly OperationId[] = [
  'createWorkgroup',
  'updateWorkgroup',
  'deleteWorkgroup',
  'enableAllowList',
  'disableAllowList',
  'createWorkspace',
  'updateDatabase',
  'deleteDatabase',
  ...OF_WORKSPACE
]

/** The reads that show the effects of operations. */
const SHOWS: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  listWorkgroups: OF_WORKGROUP,
  getWorkgroup: OF_WORKGROUP,
  getWorkspace: OF_WORKSPACE,
  getDatabase: ['updateDatabase', 'deleteDatabase'],
  listAllowedIPs: ['addAllowedIP', 'updateAllowedIP', 'deleteAllowedIP'],
  listBackups: ['deleteBackup'],
  getBackupSchedule: ['setBackupSchedule'],
  getWorkspaceSchedules: ['updateWorkspaceSchedule', 'deleteWorkspaceSchedule'],
  listDatabaseUsers: ['createDatabaseUser', 'updateDatabaseUserPassword', 'deleteDatabaseUser'],
  listOrgUsers: ['updateOrgUserRoles']
}

/** Those of which a read that agrees has not shown that they had no effect. */
export function leftAfter(read: Call, uncertain: readonly Uncertain[]): readonly Uncertain[] {
  const shown = SHOWS[read.operation]
  if (shown === undefined || uncertain.length === 0) return uncertain
  return uncertain.filter(({ call }) => !shown.includes(call.operation) || !isAboutTheSame(read.params, call.params))
}

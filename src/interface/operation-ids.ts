import { didYouMean, nearest } from '../lib/nearest.js'

/** The operationIds of the interface, in its order. */
export const OPERATION_IDS = [
  'createWorkgroup',
  'listWorkgroups',
  'getWorkgroup',
  'updateWorkgroup',
  'deleteWorkgroup',
  'addAllowedIP',
  'listAllowedIPs',
  'getCurrentIP',
  'disableAllowList',
  'enableAllowList',
  'updateAllowedIP',
  'deleteAllowedIP',
  'getDatabase',
  'updateDatabase',
  'deleteDatabase',
  'createWorkspace',
  'getWorkspace',
  'updateWorkspace',
  'deleteWorkspace',
  'deleteBackup',
  'restoreBackup',
  'setBackupSchedule',
  'createDatabaseUser',
  'listDatabaseUsers',
  'updateDatabaseUserPassword',
  'deleteDatabaseUser',
  'pauseWorkspace',
  'refreshWorkspace',
  'resumeWorkspace',
  'getMetadata',
  'listBackups',
  'getRestoreStatus',
  'getBackupSchedule',
  'getWorkspaceSchedules',
  'updateWorkspaceSchedule',
  'deleteWorkspaceSchedule',
  'listOrgUsers',
  'updateOrgUserRoles'
] as const
export type OperationId = (typeof OPERATION_IDS)[number]

/** Whether a text is an operationId. */
export const isOperation = (id: string): id is OperationId => OPERATION_IDS.some((known) => known === id)

/** What is wrong with an operationId, if anything is. */
export const operationProblem = (id: string): string | undefined =>
  isOperation(id) ? undefined : `is not an operationId${didYouMean(nearest(id, OPERATION_IDS))}`

/** The operations of the interface by their operationId, in the order in which it lists them. */
export const OPERATION_IDS = [
  'createWorkgroup', 'listWorkgroups', 'getWorkgroup', 'updateWorkgroup', 'deleteWorkgroup', 'addAllowedIP', 'listAllowedIPs',
  'getCurrentIP', 'disableAllowList', 'enableAllowList', 'updateAllowedIP', 'deleteAllowedIP', 'getDatabase', 'updateDatabase',
  'deleteDatabase', 'createWorkspace', 'getWorkspace', 'updateWorkspace', 'deleteWorkspace', 'deleteBackup', 'restoreBackup',
  'setBackupSchedule', 'createDatabaseUser', 'listDatabaseUsers', 'updateDatabaseUserPassword', 'deleteDatabaseUser',
  'pauseWorkspace', 'refreshWorkspace', 'resumeWorkspace', 'getMetadata', 'listBackups', 'getRestoreStatus', 'getBackupSchedule',
  'getWorkspaceSchedules', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule', 'listOrgUsers', 'updateOrgUserRoles'
] as const
export type OperationId = (typeof OPERATION_IDS)[number]

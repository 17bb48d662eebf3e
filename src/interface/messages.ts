import type { OperationId } from './operation-ids.js'

/** The operations whose success has an envelope, and so a message. */
export type EnvelopedOperationId = Exclude<OperationId, 'listOrgUsers' | 'updateOrgUserRoles'>

/** `Message` of a success. Those for a workspace were observed; the others follow them. */
export const MESSAGES: Readonly<Record<EnvelopedOperationId, string>> = {
  createWorkgroup: 'Successfully created the workgroup.',
  listWorkgroups: 'Successfully listed the workgroups.',
  getWorkgroup: 'Successfully got the workgroup.',
  updateWorkgroup: 'Successfully updated the workgroup.',
  deleteWorkgroup: 'Successfully deleted the workgroup.',
  addAllowedIP: 'Successfully added the allowed IP.',
  listAllowedIPs: 'Successfully listed the allowed IPs.',
  getCurrentIP: 'Successfully got the current IP.',
  disableAllowList: 'Successfully disabled the allow list.',
  enableAllowList: 'Successfully enabled the allow list.',
  updateAllowedIP: 'Successfully updated the allowed IP.',
  deleteAllowedIP: 'Successfully deleted the allowed IP.',
  getDatabase: 'Successfully got the database.',
  updateDatabase: 'Successfully updated the database.',
  deleteDatabase: 'Successfully deleted the database.',
  createWorkspace: 'Successfully created the workspace.',
  getWorkspace: 'Successfully got the workspace.',
  updateWorkspace: 'Successfully updated the workspace.',
  deleteWorkspace: 'Successfully deleted the workspace.',
  deleteBackup: 'Successfully deleted the backup.',
  restoreBackup: 'Successfully restored the backup.',
  setBackupSchedule: 'Successfully set the backup schedule.',
  createDatabaseUser: 'Successfully created the user.',
  listDatabaseUsers: 'Successfully listed the users.',
  updateDatabaseUserPassword: 'Successfully updated the password.',
  deleteDatabaseUser: 'Successfully deleted the user.',
  pauseWorkspace: 'Successfully paused the workspace.',
  refreshWorkspace: 'Successfully refreshed the workspace.',
  resumeWorkspace: 'Successfully resumed the workspace.',
  getMetadata: 'Successfully got the metadata.',
  listBackups: 'Successfully listed the backups.',
  getRestoreStatus: 'Successfully got the restore status.',
  getBackupSchedule: 'Successfully got the backup schedule.',
  getWorkspaceSchedules: 'Successfully got the workspace schedules.',
  updateWorkspaceSchedule: 'Successfully updated the workspace schedule.',
  deleteWorkspaceSchedule: 'Successfully deleted the workspace schedule.'
}

// Made from the schemas by test/handle-types.ts. Do not edit it: `npm run docs` updates it.

import type { OperationId } from './operation-ids.js'

/** How an operation is sent. */
export interface OperationRoute {
  readonly method: string
  /** Below the base path, with ids in braces. */
  readonly path: string
  readonly query?: string
  readonly hasBody?: true
  /** It accepts a session only, and no API key. */
  readonly needsSession?: true
}

/** The routes of the interface, without a profile. */
export const OPERATION_ROUTES: Readonly<Record<OperationId, OperationRoute>> = {
  createWorkgroup: { method: 'POST', path: '/controller/v4/v2/workgroups', hasBody: true },
  listWorkgroups: { method: 'GET', path: '/controller/v4/v2/workgroups' },
  getWorkgroup: { method: 'GET', path: '/controller/v4/v2/workgroups/{workgroupID}' },
  updateWorkgroup: { method: 'PUT', path: '/controller/v4/v2/workgroups/{workgroupID}', hasBody: true },
  deleteWorkgroup: { method: 'DELETE', path: '/controller/v4/v2/workgroups/{workgroupID}' },
  addAllowedIP: { method: 'POST', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list', hasBody: true },
  listAllowedIPs: { method: 'GET', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list' },
  getCurrentIP: { method: 'GET', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list/current' },
  disableAllowList: { method: 'PUT', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list/disable' },
  enableAllowList: { method: 'PUT', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list/enable' },
  updateAllowedIP: { method: 'PUT', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list/{id}', hasBody: true },
  deleteAllowedIP: { method: 'DELETE', path: '/controller/v4/v2/workgroups/{workgroupID}/allow_list/{id}' },
  getDatabase: { method: 'GET', path: '/controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID}' },
  updateDatabase: {
    method: 'PUT',
    path: '/controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID}',
    hasBody: true
  },
  deleteDatabase: { method: 'DELETE', path: '/controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID}' },
  createWorkspace: { method: 'POST', path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces', hasBody: true },
  getWorkspace: { method: 'GET', path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}' },
  updateWorkspace: {
    method: 'PUT',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}',
    hasBody: true
  },
  deleteWorkspace: { method: 'DELETE', path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}' },
  deleteBackup: {
    method: 'DELETE',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups',
    hasBody: true
  },
  restoreBackup: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/restore',
    hasBody: true
  },
  setBackupSchedule: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule',
    query: 'operation=set_backup_schedule',
    hasBody: true
  },
  createDatabaseUser: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser',
    hasBody: true
  },
  listDatabaseUsers: {
    method: 'GET',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser'
  },
  updateDatabaseUserPassword: {
    method: 'PUT',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser',
    hasBody: true
  },
  deleteDatabaseUser: {
    method: 'DELETE',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser',
    hasBody: true
  },
  pauseWorkspace: { method: 'POST', path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/pause' },
  refreshWorkspace: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/refresh'
  },
  resumeWorkspace: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/resume'
  },
  getMetadata: { method: 'GET', path: '/controller/v4/v2/workspaces/meta' },
  listBackups: { method: 'GET', path: '/controller/v4/v2/workspaces/{workspaceID}/backups' },
  getRestoreStatus: { method: 'GET', path: '/controller/v4/v2/workspaces/{workspaceID}/backups/{job}/status' },
  getBackupSchedule: {
    method: 'GET',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule'
  },
  getWorkspaceSchedules: {
    method: 'GET',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/schedules'
  },
  updateWorkspaceSchedule: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule',
    query: 'operation=update_workspace_schedule',
    hasBody: true
  },
  deleteWorkspaceSchedule: {
    method: 'POST',
    path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule',
    query: 'operation=delete_workspace_schedule',
    hasBody: true
  },
  listOrgUsers: { method: 'GET', path: '/users', needsSession: true },
  updateOrgUserRoles: { method: 'PUT', path: '/users/{userId}/roles', hasBody: true, needsSession: true }
}

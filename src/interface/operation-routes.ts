// Made from docs/interface.md by test/operation-routes.ts. Do not edit it: `npm run docs` updates it.

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

const BASE = '/controller/v4/v2'
const GROUP = `${BASE}/workgroups/{workgroupID}`
const WORKSPACE = `${GROUP}/workspaces/{workspaceID}`

const ROUTES = {
  createWorkgroup: { method: 'POST', path: `${BASE}/workgroups`, hasBody: true },
  listWorkgroups: { method: 'GET', path: `${BASE}/workgroups` },
  getWorkgroup: { method: 'GET', path: GROUP },
  updateWorkgroup: { method: 'PUT', path: GROUP, hasBody: true },
  deleteWorkgroup: { method: 'DELETE', path: GROUP },
  addAllowedIP: { method: 'POST', path: `${GROUP}/allow_list`, hasBody: true },
  listAllowedIPs: { method: 'GET', path: `${GROUP}/allow_list` },
  getCurrentIP: { method: 'GET', path: `${GROUP}/allow_list/current` },
  disableAllowList: { method: 'PUT', path: `${GROUP}/allow_list/disable` },
  enableAllowList: { method: 'PUT', path: `${GROUP}/allow_list/enable` },
  updateAllowedIP: { method: 'PUT', path: `${GROUP}/allow_list/{id}`, hasBody: true },
  deleteAllowedIP: { method: 'DELETE', path: `${GROUP}/allow_list/{id}` },
  getDatabase: { method: 'GET', path: `${GROUP}/databases/{databaseID}` },
  updateDatabase: { method: 'PUT', path: `${GROUP}/databases/{databaseID}`, hasBody: true },
  deleteDatabase: { method: 'DELETE', path: `${GROUP}/databases/{databaseID}` },
  createWorkspace: { method: 'POST', path: `${GROUP}/workspaces`, hasBody: true },
  getWorkspace: { method: 'GET', path: WORKSPACE },
  updateWorkspace: { method: 'PUT', path: WORKSPACE, hasBody: true },
  deleteWorkspace: { method: 'DELETE', path: WORKSPACE },
  deleteBackup: { method: 'DELETE', path: `${WORKSPACE}/backups`, hasBody: true },
  restoreBackup: { method: 'POST', path: `${WORKSPACE}/backups/restore`, hasBody: true },
  setBackupSchedule: {
    method: 'POST',
    path: `${WORKSPACE}/backups/schedule`,
    query: 'operation=set_backup_schedule',
    hasBody: true
  },
  createDatabaseUser: { method: 'POST', path: `${WORKSPACE}/dbuser`, hasBody: true },
  listDatabaseUsers: { method: 'GET', path: `${WORKSPACE}/dbuser` },
  updateDatabaseUserPassword: { method: 'PUT', path: `${WORKSPACE}/dbuser`, hasBody: true },
  deleteDatabaseUser: { method: 'DELETE', path: `${WORKSPACE}/dbuser`, hasBody: true },
  pauseWorkspace: { method: 'POST', path: `${WORKSPACE}/pause` },
  refreshWorkspace: { method: 'POST', path: `${WORKSPACE}/refresh` },
  resumeWorkspace: { method: 'POST', path: `${WORKSPACE}/resume` },
  getMetadata: { method: 'GET', path: `${BASE}/workspaces/meta` },
  listBackups: { method: 'GET', path: `${BASE}/workspaces/{workspaceID}/backups` },
  getRestoreStatus: { method: 'GET', path: `${BASE}/workspaces/{workspaceID}/backups/{job}/status` },
  getBackupSchedule: { method: 'GET', path: `${WORKSPACE}/backups/schedule` },
  getWorkspaceSchedules: { method: 'GET', path: `${WORKSPACE}/schedules` },
  updateWorkspaceSchedule: {
    method: 'POST',
    path: `${WORKSPACE}/backups/schedule`,
    query: 'operation=update_workspace_schedule',
    hasBody: true
  },
  deleteWorkspaceSchedule: {
    method: 'POST',
    path: `${WORKSPACE}/backups/schedule`,
    query: 'operation=delete_workspace_schedule',
    hasBody: true
  },
  listOrgUsers: { method: 'GET', path: '/users', needsSession: true },
  updateOrgUserRoles: { method: 'PUT', path: '/users/{userId}/roles', hasBody: true, needsSession: true }
} as const satisfies Readonly<Record<string, OperationRoute>>

export type OperationId = keyof typeof ROUTES

/** The routes of the interface, in its order, without a profile. */
export const OPERATION_ROUTES: Readonly<Record<OperationId, OperationRoute>> = ROUTES

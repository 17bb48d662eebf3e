import type { StateKind } from './states.js'

/** The kinds of resources whose rows store further fields, with the request bodies that create or change one. */
export const STORED_KINDS = {
  workgroup: ['CreateWorkgroupRequest', 'UpdateWorkgroupRequest'],
  allowed_ip: ['AllowedIP'],
  workspace: ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest'],
  // A workspace can be created with a database.
  database: ['UpdateSvcDatabaseRequest', 'CreateWorkspaceRequest'],
  restore_job: ['RestoreBackupRequest'],
  backup_schedule: ['BackupSchedule'],
  schedule: ['WorkspaceSchedule'],
  database_user: ['InDatabaseUserRequest'],
  org_user: ['org_handler.PutOrgUsersRoles']
} as const satisfies Readonly<Record<string, readonly string[]>>

export type StoredKind = keyof typeof STORED_KINDS

/** The possible parents of a resource, with their schemas. */
export const RELATED = { workgroup: 'Workgroup', database: 'SvcDatabase', workspace: 'Workspace' } as const

export type Relation = keyof typeof RELATED

export const RELATIONS = Object.keys(RELATED) as Relation[]

/** A resource as replies show it. */
interface ShownResource {
  /** Its possible parents. */
  readonly parents: readonly Relation[]
  /** The kind of its state, if it has one. */
  readonly state: StateKind | undefined
  readonly kind: StoredKind | undefined
}

/** By schema. */
export type ShownResources = ReadonlyMap<string, ShownResource>

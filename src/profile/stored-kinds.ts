/** A kind of resource whose rows store further fields that requests set. */
export interface Kind {
  /** The schemas of replies that show it. */
  readonly schemas: readonly string[]
  /** The request bodies that create or change it. */
  readonly requests: readonly string[]
}

export const STORED_KINDS = {
  workgroup: { schemas: ['Workgroup'], requests: ['CreateWorkgroupRequest', 'UpdateWorkgroupRequest'] },
  allowed_ip: { schemas: ['AllowedIP'], requests: ['AllowedIP'] },
  workspace: { schemas: ['Workspace'], requests: ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest'] },
  // A workspace can be created with a database.
  database: { schemas: ['SvcDatabase'], requests: ['UpdateSvcDatabaseRequest', 'CreateWorkspaceRequest'] },
  restore_job: { schemas: ['BackupRestoreStatus'], requests: ['RestoreBackupRequest'] },
  backup_schedule: { schemas: ['BackupSchedule'], requests: ['BackupSchedule'] },
  schedule: { schemas: ['WorkspaceSchedule'], requests: ['WorkspaceSchedule'] },
  database_user: { schemas: ['svcIAM.IAMUser'], requests: ['InDatabaseUserRequest'] },
  org_user: { schemas: ['org_handler.OrgListUserResponse'], requests: ['org_handler.PutOrgUsersRoles'] }
} as const satisfies Record<string, Kind>

export type StoredKind = keyof typeof STORED_KINDS

export const KIND_NAMES = Object.keys(STORED_KINDS) as StoredKind[]

/** The possible parents of a resource, with their schemas. */
export const RELATED = { workgroup: 'Workgroup', database: 'SvcDatabase', workspace: 'Workspace' } as const

export type Relation = keyof typeof RELATED

/** The parents of the resource of each schema. */
export const RELATIONS: Readonly<Record<string, readonly Relation[]>> = {
  SvcDatabase: ['workgroup'],
  Workspace: ['workgroup', 'database'],
  AllowedIP: ['workgroup'],
  Backup: ['workspace'],
  BackupRestoreStatus: ['workspace'],
  BackupSchedule: ['workspace'],
  WorkspaceSchedule: ['workspace'],
  'svcIAM.IAMUser': ['workspace']
}

// Made from the schemas by test/handle-types.ts. Do not edit it: `npm run docs` updates it.

import type { Options as Values } from '../../options.js'

/** The options of `startMock()`. */
export interface Options {
  /** Address to listen on. Default: `'127.0.0.1'`. */
  readonly host: Values['host']
  /** Port to listen on; 0 picks a free one. Default: `0`. */
  readonly port: Values['port']
  /** SQLite file that holds everything; `:memory:` keeps nothing. Default: `':memory:'`. */
  readonly db: Values['db']
  /**
   * Who may call: `any` credential, each with its own sandbox; `strict`: only the keys of `apiKeys`;
   * `off`: everyone, in one sandbox. Default: `'any'`.
   */
  readonly auth: Values['auth']
  /**
   * A key that `auth` strict accepts, and the name of its sandbox in the log. Repeatable; in the
   * environment, a comma-separated list. Default: none.
   */
  readonly apiKeys: Values['apiKeys']
  /**
   * Maximum number of sandboxes. Another one replaces an empty or idle one (see `sandboxIdle`), or is
   * refused. Default: `10000`.
   */
  readonly maxSandboxes: Values['maxSandboxes']
  /**
   * How long a sandbox must be unused before a new one may replace it (a duration such as 7d, or `off`:
   * never). Sandboxes of `apiKeys` keys are never replaced. Default: `'P7D'`.
   */
  readonly sandboxIdle: Values['sandboxIdle']
  /**
   * Maximum size of the database, or `off`. Near it, requests that add data are refused (507) until
   * something is deleted. Default: `4294967296`.
   */
  readonly maxDatabaseBytes: Values['maxDatabaseBytes']
  /**
   * Maximum number of resources (workgroups, workspaces, databases, backups, users and so on) per
   * sandbox. Further ones are refused. Default: `20000`.
   */
  readonly maxResources: Values['maxResources']
  /**
   * Maximum number of snapshots per sandbox. Further ones are refused, unless they replace one. Default:
   * `20`.
   */
  readonly maxSnapshots: Values['maxSnapshots']
  /**
   * Maximum number of state changes in the timeline of a sandbox. The oldest are dropped first. Default:
   * `20000`.
   */
  readonly timelineEntries: Values['timelineEntries']
  /**
   * Makes ids repeatable: every new sandbox generates the same ones, in the order of its requests.
   * Default: `'random'`.
   */
  readonly seed: Values['seed']
  /**
   * State document (JSON or YAML) that every new sandbox starts from, and that a reset returns to.
   * Default: none.
   */
  readonly seedFile: Values['seedFile']
  /** Start every new sandbox with the workgroup `demo`, instead of a `seedFile`. Default: `false`. */
  readonly demo: Values['demo']
  /**
   * Profile (a file in JSON or YAML, or `observed`, or `conventional`): where the service differs from
   * svc-mock's assumptions about what it offers and how it behaves. Default: none.
   */
  readonly profile: string | Profile
  /**
   * Duration of state transitions: `instant`, `fast` (1 to 3 s) or `realistic` (up to 5 min). Default:
   * `'fast'`.
   */
  readonly transitions: Values['transitions']
  /**
   * The `nginx_host` of a workspace, e.g. `localhost:9000`. `{workspace_id}`, `{workgroup_id}`,
   * `{org_id}` and `{region}` are replaced by its own. Default: `'{workspace_id}.workspaces.svc.test'`.
   */
  readonly workspaceHostTemplate: Values['workspaceHostTemplate']
  /** Path under which the interface is mounted. Default: `'/'`. */
  readonly basePath: Values['basePath']
  /** Address or block of a proxy whose X-Forwarded-For is trusted. Repeatable. Default: none. */
  readonly trustProxy: Values['trustProxy']
  /** Origin that a browser may call from. Repeatable; without it, CORS is off. Default: none. */
  readonly corsOrigin: Values['corsOrigin']
  /**
   * Who may use the control API under /_mock: only callers on this machine, or everyone who can reach
   * the server. Default: `'loopback'`.
   */
  readonly control: Values['control']
  /**
   * Token that the control API requires in the header X-Mock-Token, wherever the caller is. Default:
   * none.
   */
  readonly controlToken: Values['controlToken']
  /**
   * Host name by which the control API may be called, in addition to localhost and `host`. Repeatable.
   * Default: none.
   */
  readonly allowedHost: Values['allowedHost']
  /** Minimum level of log lines; `info` logs every request. Default: `'silent'`. */
  readonly logLevel: Values['logLevel']
  /** Refuse unknown fields in request bodies instead of ignoring them. Default: `false`. */
  readonly strictBodies: Values['strictBodies']
  /**
   * Replaces `svc` in the names of fields, schemas and workspace types, e.g. with `acme`. Default:
   * `'svc'`.
   */
  readonly brand: Values['brand']
  /**
   * Replaces `srn`, the name of the field with a resource name, and the prefix of its value. Default:
   * `'srn'`.
   */
  readonly brandResourceName: Values['brandResourceName']
  /** Maximum size of a request body. Default: `1048576`. */
  readonly bodyLimit: Values['bodyLimit']
  /** Maximum number of most recent requests in the journal of a sandbox; 0 turns it off. Default: `1000`. */
  readonly journalRequests: Values['journalRequests']
  /** Approximate maximum memory of the journal of a sandbox. Default: `4194304`. */
  readonly journalBytes: Values['journalBytes']
  /**
   * Approximate maximum memory of all journals together; at most a sixteenth of the heap. The least
   * recently used sandbox loses its oldest records first. Default: `67108864`.
   */
  readonly journalTotalBytes: Values['journalTotalBytes']
  /**
   * Directory for recordings: one file for each sandbox and run, with every request and change. Default:
   * none.
   */
  readonly record: Values['record']
  /** Maximum number of recordings in the directory; the oldest are deleted. Default: `100`. */
  readonly recordKeep: Values['recordKeep']
}

/** An operation of the interface. */
export type OperationId =
  | 'createWorkgroup'
  | 'listWorkgroups'
  | 'getWorkgroup'
  | 'updateWorkgroup'
  | 'deleteWorkgroup'
  | 'addAllowedIP'
  | 'listAllowedIPs'
  | 'getCurrentIP'
  | 'disableAllowList'
  | 'enableAllowList'
  | 'updateAllowedIP'
  | 'deleteAllowedIP'
  | 'getDatabase'
  | 'updateDatabase'
  | 'deleteDatabase'
  | 'createWorkspace'
  | 'getWorkspace'
  | 'updateWorkspace'
  | 'deleteWorkspace'
  | 'deleteBackup'
  | 'restoreBackup'
  | 'setBackupSchedule'
  | 'createDatabaseUser'
  | 'listDatabaseUsers'
  | 'updateDatabaseUserPassword'
  | 'deleteDatabaseUser'
  | 'pauseWorkspace'
  | 'refreshWorkspace'
  | 'resumeWorkspace'
  | 'getMetadata'
  | 'listBackups'
  | 'getRestoreStatus'
  | 'getBackupSchedule'
  | 'getWorkspaceSchedules'
  | 'updateWorkspaceSchedule'
  | 'deleteWorkspaceSchedule'
  | 'listOrgUsers'
  | 'updateOrgUserRoles'

/** The kind of an error, in its `ErrorDetails`. */
export type ErrorType =
  | 'Internal-Error'
  | 'Bad-Request'
  | 'Not-Found'
  | 'Forbidden'
  | 'Unauthorized'
  | 'API-Disabled'
  | 'Quota-Exceed'
  | 'Unknown'

/** State of a workspace. */
export type WorkspaceState =
  | 'Creating'
  | 'Active'
  | 'Pausing'
  | 'Stopped'
  | 'Idle'
  | 'Resuming'
  | 'Resizing'
  | 'Restoring'
  | 'Terminating'
  | 'Failed'

/** Outcome of the last refresh of a workspace. */
export type RefreshState = '' | 'Refreshing' | 'Refreshed' | 'Failed'

/** State of a backup. */
export type BackupState = 'Running' | 'Succeeded' | 'Failed'

/** State of a restore job. */
export type RestoreState = 'Pending' | 'Running' | 'Succeeded' | 'Failed'

/** Name of a transition. */
export type TransitionName =
  | 'workspace.create'
  | 'workspace.pause'
  | 'workspace.resume'
  | 'workspace.resize'
  | 'restore.run'
  | 'workspace.delete'
  | 'workspace.refresh'
  | 'backup.run'

/** Name of an action that is scheduled, but is no transition. */
export type ActionName =
  'workspace.auto-stop' | 'restore.step' | 'backup.schedule' | 'backup.retry' | 'workspace.schedule'

/** A part of a sandbox that a reset can keep. */
export type Keepable = 'clock' | 'faults' | 'transitions' | 'journal'

/** What each operation takes, and the `Result` that it answers. */
export interface Operations {
  /** POST /controller/v4/v2/workgroups */
  createWorkgroup: {
    readonly input: {
      readonly body: CreateWorkgroupRequest
    }
    readonly result: Workgroup
  }
  /** GET /controller/v4/v2/workgroups */
  listWorkgroups: {
    readonly input: undefined
    readonly result: readonly Workgroup[]
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID} */
  getWorkgroup: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: Workgroup
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID} */
  updateWorkgroup: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      readonly body: UpdateWorkgroupRequest
    }
    readonly result: Workgroup
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID} */
  deleteWorkgroup: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: string
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/allow_list */
  addAllowedIP: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      readonly body: AllowedIP
    }
    readonly result: Required<AllowedIP>
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/allow_list */
  listAllowedIPs: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: readonly Required<AllowedIP>[]
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/allow_list/current */
  getCurrentIP: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: CurrentIP
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/allow_list/disable */
  disableAllowList: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: string
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/allow_list/enable */
  enableAllowList: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
    }
    readonly result: string
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/allow_list/{id} */
  updateAllowedIP: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the entry. */
      readonly id: string
      readonly body: AllowedIP
    }
    readonly result: Required<AllowedIP>
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID}/allow_list/{id} */
  deleteAllowedIP: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the entry. */
      readonly id: string
    }
    readonly result: string
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID} */
  getDatabase: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the database. */
      readonly databaseID: string
    }
    readonly result: SvcDatabase
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID} */
  updateDatabase: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the database. */
      readonly databaseID: string
      readonly body: UpdateSvcDatabaseRequest
    }
    readonly result: SvcDatabase
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID}/databases/{databaseID} */
  deleteDatabase: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the database. */
      readonly databaseID: string
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces */
  createWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      readonly body: CreateWorkspaceRequest
    }
    readonly result: Workspace
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID} */
  getWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: Workspace
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID} */
  updateWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: UpdateWorkspaceRequest
    }
    readonly result: Workspace
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID} */
  deleteWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: undefined
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups */
  deleteBackup: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: DeleteBackupRequest
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/restore */
  restoreBackup: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: RestoreBackupRequest
    }
    readonly result: string
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule */
  setBackupSchedule: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: BackupSchedule
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser */
  createDatabaseUser: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: Required<InDatabaseUserRequest>
    }
    readonly result: IAMUser
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser */
  listDatabaseUsers: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: readonly IAMUser[]
  }
  /** PUT /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser */
  updateDatabaseUserPassword: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: Required<InDatabaseUserRequest>
    }
    readonly result: undefined
  }
  /** DELETE /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/dbuser */
  deleteDatabaseUser: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: Pick<Required<InDatabaseUserRequest>, 'username'>
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/pause */
  pauseWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/refresh */
  refreshWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: undefined
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/resume */
  resumeWorkspace: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: undefined
  }
  /** GET /controller/v4/v2/workspaces/meta */
  getMetadata: {
    readonly input: undefined
    readonly result: Metadata
  }
  /** GET /controller/v4/v2/workspaces/{workspaceID}/backups */
  listBackups: {
    readonly input: {
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: readonly Backup[]
  }
  /** GET /controller/v4/v2/workspaces/{workspaceID}/backups/{job}/status */
  getRestoreStatus: {
    readonly input: {
      /** Id of the workspace. */
      readonly workspaceID: string
      /** Id of the restore job. */
      readonly job: string
    }
    readonly result: BackupRestoreStatus
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule */
  getBackupSchedule: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: Required<BackupSchedule>
  }
  /** GET /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/schedules */
  getWorkspaceSchedules: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
    }
    readonly result: string
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule */
  updateWorkspaceSchedule: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: WorkspaceSchedule
    }
    readonly result: string
  }
  /** POST /controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule */
  deleteWorkspaceSchedule: {
    readonly input: {
      /** Id of the workgroup. */
      readonly workgroupID: string
      /** Id of the workspace. */
      readonly workspaceID: string
      readonly body: ScheduleDeletion
    }
    readonly result: string
  }
  /** GET /users */
  listOrgUsers: {
    readonly input: undefined
    readonly result: OrgListUserResponse
  }
  /** PUT /users/{userId}/roles */
  updateOrgUserRoles: {
    readonly input: {
      /** Id of the user. */
      readonly userId: string
      readonly body: PutOrgUsersRoles
    }
    readonly result: undefined
  }
}

/** A workgroup to create. */
export interface CreateWorkgroupRequest {
  /** `workgroup-` and the first 8 characters of the id if absent. */
  readonly name?: string
  /** Account at the cloud provider that the workgroup runs in. */
  readonly cloud_provider_id: string
  /** Cloud platform; aws if absent. */
  readonly platform?: 'aws' | 'azure' | 'gcp' | (string & Record<never, never>)
  /** A region of the metadata; us-east-1 if absent. */
  readonly region?:
    'us-east-1' | 'us-west-2' | 'eu-west-1' | 'ap-southeast-1' | 'ap-south-1' | (string & Record<never, never>)
}

/** A group of workspaces and databases in one region. */
export interface Workgroup {
  readonly workgroup_id: string
  readonly name: string
  readonly org_id: string
  readonly org_name: string
  /** E-mail address of the user who created it. */
  readonly creator: string
  readonly cloud_provider_id: string
  readonly platform: string
  readonly region: string
  /** Whether the allow list is in force. */
  readonly enable_allow_list: boolean
  /** Databases of the workgroup, without their workspaces. */
  readonly svc_databases: readonly SvcDatabase[]
  /** Workspaces of the workgroup. */
  readonly workspaces: readonly Workspace[]
}

/** A database that workspaces serve. */
export interface SvcDatabase {
  readonly database_id: string
  readonly name: string
  readonly org_id: string
  readonly org_name: string
  readonly workgroup_id: string
  readonly region: string
  readonly svc_version: string
  /** Timestamp. */
  readonly create_time: string
  readonly folder_statistics: FolderStatistics
  /** Its workspaces; absent in a list of a workgroup. */
  readonly workspaces?: readonly Workspace[]
}

/** Sizes of the stored data in bytes; always 0. */
export interface FolderStatistics {
  readonly backup_size: number
  readonly billed_size: number
  readonly log_size: number
  readonly total_size: number
  readonly milvus_size: number
  readonly workspaces: readonly WorkspaceSize[]
}

/** The size of one workspace. */
export interface WorkspaceSize {
  readonly workspace_id: string
  /** Bytes; always 0. */
  readonly size: number
}

/** A database server, running or paused, on a database. */
export interface Workspace {
  readonly workspace_id: string
  readonly workgroup_id: string
  readonly workgroup_name: string
  readonly database_id: string
  readonly folder_statistics: FolderStatistics
  readonly org_id: string
  readonly org_name: string
  readonly region: string
  readonly name: string
  /** State. */
  readonly status: WorkspaceState
  /**
   * Normal in Active, Failed in Failed, Paused in Stopped and Idle; in Pausing, PausePre for 5 s, then
   * PauseRoll; otherwise absent.
   */
  readonly condition_type?: string
  readonly svc_version: string
  /** Timestamp such as 2026-06-03 06:59:27.151543 +0000 UTC. */
  readonly created_at: string
  readonly workspace_type: WorkspaceType
  readonly is_rw: boolean
  /** Host (and port) of its data plane, as --workspace-host-template says. */
  readonly nginx_host: string
  /** 0 unless a state document gives it; an update leaves it as it is. */
  readonly version_number: number
  /** E-mail address of the user who created it. */
  readonly creator: string
  /** Timestamp of the last update or change of state. */
  readonly last_modified_time: string
  readonly cloud_provider_id: string
  readonly auto_stop_minutes: number
  readonly enable_auto_start: boolean
  /** Outcome of the last refresh: Refreshing, Refreshed or Failed; empty before the first. */
  readonly refresh_status: RefreshState
  /** Why the last refresh failed, otherwise empty. */
  readonly refresh_message: string
  /** Timestamp of its creation or last refresh; only of a read-only workspace. */
  readonly snapshot_time?: string
  /** null if there are none. */
  readonly addons: readonly WorkspaceAddonsRequest[] | null
  /** Always false. */
  readonly enable_copilot: boolean
  readonly enable_ha: boolean
  /** Empty if there is none. */
  readonly solution_catalog_id: string
  readonly agent_config: AgentConfig
  /** Always absent. */
  readonly size?: number
  /** Always absent. */
  readonly graph_topology_size_bytes?: number
  /** Always absent. */
  readonly vertex_count?: number
  /** Always absent. */
  readonly edge_count?: number
}

/** A size of workspace. */
export interface WorkspaceType {
  readonly typeName: string
  /** Cores. */
  readonly cpu: string
  /** Such as 16Gi. */
  readonly memory: string
  /** Partitions. */
  readonly partition: number
  /** Replicas. */
  readonly ha: number
}

/** An add-on to switch on or off. */
export interface WorkspaceAddonsRequest {
  /** Id of the add-on. */
  readonly addons_id: string
  readonly enable: boolean
  /** Settings of the add-on. */
  readonly enable_configuration?: Readonly<Record<string, unknown>>
  /** Name of this use of the add-on. */
  readonly unique_name?: string
  readonly is_free?: boolean
  /** Id of the workspace. */
  readonly workspace_id?: string
}

/** Settings of the agent in the workspace; given fields replace the old ones. */
export interface AgentConfig {
  readonly heartbeat_interval_seconds?: number
  readonly topology_update_interval_seconds?: number
  readonly catalog_activity_update_interval_seconds?: number
  readonly query_activity_update_interval_seconds?: number
  readonly enable_topology_force_update?: boolean
}

/** Changes to a workgroup. */
export interface UpdateWorkgroupRequest {
  /** New name. */
  readonly workgroup_name?: string
}

/** An address or block that may call; sent and answered in this form. */
export interface AllowedIP {
  /**
   * An IPv4 or IPv6 address or CIDR block; answered in canonical form: a bare address as a block of one,
   * host bits cleared, IPv6 compressed, an IPv4-mapped block as IPv4.
   */
  readonly cidr: string
  /** A remark; may be empty. */
  readonly note?: string
  /** Set by the server; ignored in a request. */
  readonly id?: string
}

/** The caller's address, and whether the allow list lets it in. */
export interface CurrentIP {
  /** Whether the allow list lets the caller in. */
  readonly IsAllowed: boolean
  /** The caller's address. */
  readonly CurrentIP: string
}

/** Changes to a database. */
export interface UpdateSvcDatabaseRequest {
  /** New name. */
  readonly svc_database_name: string
}

/** A workspace to create. */
export interface CreateWorkspaceRequest {
  /** A database of the workgroup; a new one is created if absent. */
  readonly svc_database_id?: string
  /** `workspace-` and the first 8 characters of the id if absent. */
  readonly name?: string
  /** A version of the metadata; 4.2.2 if absent. */
  readonly svc_version?: '4.2.2' | '4.2.1' | '4.2.0' | '4.1.3' | (string & Record<never, never>)
  /** A type of the metadata; SVC-00 if absent. */
  readonly workspace_type_name?:
    | 'SVC-00'
    | 'SVC-0'
    | 'SVC-1'
    | 'SVC-2'
    | 'SVC-4'
    | 'SVC-6'
    | 'SVC-8'
    | 'SVC-16'
    | 'SVC-24'
    | 'SVC-32'
    | 'SVC-64'
    | (string & Record<never, never>)
  /**
   * Whether it can write; true if absent, and required to be true with a new database. A second
   * read-write workspace of a database is a 400, whatever the state of the first.
   */
  readonly is_rw?: boolean
  /** Minutes without data-plane activity after which it is paused; 0, the default of a new one: never. */
  readonly auto_stop_minutes?: number
  /** Whether activity starts it when it is paused; false if absent. */
  readonly enable_auto_start?: boolean
  /** Add-ons, stored but not installed; the list replaces the old one. */
  readonly addons?: readonly WorkspaceAddonsRequest[]
  /** High availability; false if absent. */
  readonly enable_ha?: boolean
  readonly solution_install_request?: SolutionInstallRequest
}

/** A solution to install; only its solution_catalog_id is stored, and nothing is installed. */
export interface SolutionInstallRequest {
  /** Name of the solution. */
  readonly name?: string
  /** Id of the solution in the catalogue. */
  readonly solution_catalog_id?: string
  /** Source of its data. */
  readonly data_source_origin?: string
  readonly addons?: readonly WorkspaceAddonsRequest[]
}

/** Changes to a workspace. */
export interface UpdateWorkspaceRequest {
  /** New name. */
  readonly workspace_name?: string
  /** Another type of the metadata. */
  readonly workspace_type_name?:
    | 'SVC-00'
    | 'SVC-0'
    | 'SVC-1'
    | 'SVC-2'
    | 'SVC-4'
    | 'SVC-6'
    | 'SVC-8'
    | 'SVC-16'
    | 'SVC-24'
    | 'SVC-32'
    | 'SVC-64'
    | (string & Record<never, never>)
  /** Minutes without data-plane activity after which it is paused; 0, the default of a new one: never. */
  readonly auto_stop_minutes?: number
  /** Whether activity starts it when it is paused. */
  readonly enable_auto_start?: boolean
  /** Add-ons, stored but not installed; the list replaces the old one. */
  readonly addons?: readonly WorkspaceAddonsRequest[]
  /** High availability. */
  readonly enable_ha?: boolean
  readonly agent_config?: AgentConfig
  /** true pauses it, false resumes it. */
  readonly pause?: boolean
}

/** A backup to delete. */
export interface DeleteBackupRequest {
  /** Id of the backup. */
  readonly backup_id: string
}

/** A backup to restore. */
export interface RestoreBackupRequest {
  /** Id of the backup. */
  readonly backup_id: string
}

/** When automatic backups are made, and how many are kept; sent and answered in this form. */
export interface BackupSchedule {
  /** Five-field cron, UTC; one that never fires is a 400. */
  readonly schedule: string
  /** true: it does not fire; false if absent. */
  readonly pause?: boolean
  /** How many automatic backups are kept; 7 if absent. */
  readonly max_backup_files?: number
  /** How many days they are kept; 7 if absent. */
  readonly max_reserved_days?: number
  /** How often a failed one is retried; 0 if absent. */
  readonly max_retry?: number
}

/** An in-database user; which fields are needed depends on the operation. */
export interface InDatabaseUserRequest {
  /** Name of the user. */
  readonly username?: string
  /** Password; no reply shows it. */
  readonly password?: string
}

/** An in-database user: enabled, with empty email and names. */
export interface IAMUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly enabled: boolean
  /** Always `/`. */
  readonly path: string
  /** Id of the org. */
  readonly tenantID: string
  /** Id at the identity provider, beginning with `auth|`. */
  readonly auth0UserID: string
  /** Resource name. */
  readonly srn: string
  /** Timestamp. */
  readonly created: string
  /** Timestamp of the creation or the last new password. */
  readonly updated: string
}

/** The catalogue: regions, versions and workspace types. */
export interface Metadata {
  readonly regions: readonly Region[]
  readonly svcVersions: readonly SvcVersion[]
  readonly workspaceTypes: readonly WorkspaceType[]
}

/** A region that workgroups can be in. */
export interface Region {
  readonly name: string
  readonly description: string
}

/** A version of the database software. */
export interface SvcVersion {
  readonly name: string
  readonly image: string
}

/** A backup of a workspace. */
export interface Backup {
  readonly id: string
  /** The tag given to the control API, otherwise `manual-` or `automatic-` and the time. */
  readonly tag: string
  /** Timestamp of its start. */
  readonly time: string
  /** manual or automatic. */
  readonly type: 'manual' | 'automatic'
  readonly is_automatic: boolean
  /** Running, Succeeded or Failed. */
  readonly status: BackupState
  /** Bytes, in decimal digits: 1048576 if it succeeded, otherwise 0; or the number in a state document. */
  readonly size_bytes: string
  /** Version of the database software of the workspace. */
  readonly version: string
}

/** Progress of a restore job. */
export interface BackupRestoreStatus {
  /** Id of the job. */
  readonly name: string
  /** Pending, Running, Succeeded or Failed. */
  readonly status: RestoreState
  /** One line per step; if the job failed, the last line says why. */
  readonly output: string
  /** Timestamp. */
  readonly created_at: string
}

/** Stops a workspace, or starts and resizes it. */
export interface WorkspaceSchedule {
  /** Id of the workspace, the one in the path. */
  readonly workspace_id: string
  /**
   * none (or `No Repeat`), daily, weekdays (Monday to Friday) or weekly, in any case; lower case in
   * replies.
   */
  readonly repeat: string
  /** For weekly: weekdays such as Mon,Thu; if absent, the weekday on which it is set. */
  readonly repeat_on?: string
  /** YYYY-MM-DD; required if it does not repeat, otherwise ignored. */
  readonly date?: string
  /** HH:mm, local. */
  readonly time: string
  /** IANA zone. */
  readonly timezone: string
  /** New size of the workspace, which is started first if necessary; if absent, the workspace is stopped. */
  readonly workspace_type_name?:
    | 'SVC-00'
    | 'SVC-0'
    | 'SVC-1'
    | 'SVC-2'
    | 'SVC-4'
    | 'SVC-6'
    | 'SVC-8'
    | 'SVC-16'
    | 'SVC-24'
    | 'SVC-32'
    | 'SVC-64'
    | (string & Record<never, never>)
  /** Id of the schedule; if absent or not in use, a new one is created, with this id if given. */
  readonly id?: string
}

/** A workspace schedule to delete. */
export interface ScheduleDeletion {
  /** Id of the workspace, the one in the path. */
  readonly workspace_id?: string
  /**
   * none (or `No Repeat`), daily, weekdays (Monday to Friday) or weekly, in any case; lower case in
   * replies.
   */
  readonly repeat?: string
  /** For weekly: weekdays such as Mon,Thu; if absent, the weekday on which it is set. */
  readonly repeat_on?: string
  /** YYYY-MM-DD; required if it does not repeat, otherwise ignored. */
  readonly date?: string
  /** HH:mm, local. */
  readonly time?: string
  /** IANA zone. */
  readonly timezone?: string
  /** New size of the workspace, which is started first if necessary; if absent, the workspace is stopped. */
  readonly workspace_type_name?:
    | 'SVC-00'
    | 'SVC-0'
    | 'SVC-1'
    | 'SVC-2'
    | 'SVC-4'
    | 'SVC-6'
    | 'SVC-8'
    | 'SVC-16'
    | 'SVC-24'
    | 'SVC-32'
    | 'SVC-64'
    | (string & Record<never, never>)
  /** Id of the schedule. */
  readonly id: string
}

/** The users of the org; the username is the e-mail address. */
export type OrgListUserResponse = readonly OrgUser[]

/** A user of the org. */
export interface OrgUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly enabled: boolean
  /** Always `/`. */
  readonly path: string
  /** Id of the org. */
  readonly tenantID: string
  /** Id at the identity provider, beginning with `auth|`. */
  readonly auth0UserID: string
  /** Resource name. */
  readonly srn: string
  /** The same as auth0UserID. */
  readonly authID: string
  readonly roles: readonly OrgRole[]
  readonly metadata: {
    /** Timestamp; only if a state document gives it. */
    readonly lastLogin?: string
    /** What the user is attached to; always empty. */
    readonly attachedTo: readonly string[]
  }
  /** Timestamp. */
  readonly created: string
  /** Timestamp of the creation or the last new roles. */
  readonly updated: string
}

/** A role of an org user. */
export interface OrgRole {
  /** Follows from the org and the name. */
  readonly id: string
  readonly name: string
  readonly displayName: string
  /** Always `/`. */
  readonly path: string
  /** Id of the org. */
  readonly tenantID: string
  /** Resource name. */
  readonly srn: string
}

/** The new roles of the user. */
export interface PutOrgUsersRoles {
  /** They replace the old ones. */
  readonly roles: readonly (
    'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
  )[]
}

/** A sandbox's clock. */
export interface Clock {
  /** How the clock runs. */
  readonly mode: 'real' | 'frozen' | 'poll'
  /** Time that it shows. Timestamp. */
  readonly now: string
  /** Seconds of the sandbox per second of the machine; applies in mode real. */
  readonly rate: number
  /**
   * Milliseconds by which the clock has fallen behind, because more was due than could be run; absent if
   * it has not.
   */
  readonly behind_ms?: number
}

/** New settings of the clock; omitted fields, except for patience, keep their values. */
export interface ClockSetting {
  /** How the clock runs. */
  readonly mode?: 'real' | 'frozen' | 'poll'
  /** Time that it shows from now on; the present time if absent. Timestamp. */
  readonly now?: string
  /** Seconds of the sandbox per second of the machine; applies in mode real. */
  readonly rate?: number
  /**
   * How long a clock in mode frozen stands still while there are no participants, or one is awake. Then
   * it is real until all sleep. Absent, or after a restart: forever. Duration such as 90s, 1h30m or 7d,
   * or in ISO 8601 such as PT1H30M.
   */
  readonly patience?: string
}

/** How far: exactly one of by, to and until. */
export interface Advance {
  /** How far. Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M. */
  readonly by?: string
  /** Time to move to, not in the past. Timestamp. */
  readonly to?: string
  /**
   * `"idle"`: until no transition is under way; or `{"workspace_id": "…", "status": "…"}`: until a
   * workspace has this status, `gone` if it is deleted.
   */
  readonly until?: 'idle' | { readonly workspace_id: string; readonly status: WorkspaceState | 'gone' }
  /**
   * How far an until may go; a day if absent. Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as
   * PT1H30M.
   */
  readonly max?: string
}

/** A fired event. */
export interface Fired {
  /** When it was due, which is when it happened. Timestamp. */
  readonly at: string
  /** Name of a transition, or of an action of a schedule or an auto-stop. */
  readonly event: TransitionName | ActionName
  /** Id of the workspace. */
  readonly resource_id: string
  /** RequestID of the request that caused it. */
  readonly request_id: string
}

/** The clock after a move. */
export interface Moved {
  /** A sandbox's clock. */
  readonly clock: Clock
  /** Events that fired on the way, in order; the first 10,000. */
  readonly fired: readonly Fired[]
  /** Number of further events; absent if none. */
  readonly omitted?: number
}

/** A scheduled event. */
export interface Due {
  /** When; null while it is held. */
  readonly due: string | null
  /** Whether it waits for a release. */
  readonly held: boolean
  /** Name of a transition, or of an action of a schedule or an auto-stop. */
  readonly event: TransitionName | ActionName
  /** Id of the workspace. */
  readonly resource_id: string
  /** RequestID of the request that caused it. */
  readonly request_id: string
  /** The trace of that request; absent if it named none, or is no longer in the journal. */
  readonly trace?: string
}

/** A state change. */
export interface TimelineItem {
  /** When it happened. Timestamp. */
  readonly at: string
  /** Id of the resource. */
  readonly resource_id: string
  /** Name of the transition. */
  readonly transition: TransitionName | ActionName
  /** The field that changed. */
  readonly attribute: 'status' | 'refresh_status' | 'firing'
  /** Old value; null for a creation. */
  readonly from: WorkspaceState | RefreshState | BackupState | RestoreState | null
  /** New value; gone for a deletion. */
  readonly to: WorkspaceState | RefreshState | BackupState | RestoreState | 'gone' | 'skipped'
  /** Why something failed or was skipped; otherwise null. */
  readonly reason: string | null
  /** RequestID of the request that caused it. */
  readonly request_id: string
  /** The trace of that request; absent if it named none, or is no longer in the journal. */
  readonly trace?: string
}

/** Decides how transitions end that begin from now on. */
export interface TransitionRule {
  /** Name of the transition. */
  readonly transition: TransitionName
  /** The one workspace it is about, also for backups and restores; any if absent. */
  readonly resource_id?: string
  /**
   * How long the transition takes, except with hold; by the profile and --transitions if absent.
   * Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M.
   */
  readonly after?: string
  /** How it ends; hold: not until it is released; complete if absent. */
  readonly outcome?: 'complete' | 'fail' | 'hold'
  /** Why it fails, only with fail; `Simulated failure.` if absent. */
  readonly reason?: string
  /** How often the rule applies; always if absent. */
  readonly times?: number
}

/** Which held transitions. */
export interface Release {
  /** Name of the transition; any if absent. */
  readonly transition?: TransitionName
  /** The workspace; any if absent. */
  readonly resource_id?: string
}

/** Maximum numbers of resources; null means no limit. */
export interface Quotas {
  /** null: no limit. */
  readonly rw_workspaces: number | null
  /** null: no limit. */
  readonly ro_workspaces: number | null
  /** null: no limit. */
  readonly manual_backups: number | null
  /** null: no limit. */
  readonly automatic_backups: number | null
}

/** Maximum numbers, null for no limit; omitted fields keep their values, unless there is a plan. */
export interface QuotaSetting {
  /** A plan of the profile, whose numbers omitted fields get. */
  readonly plan?: string
  /** null: no limit. */
  readonly rw_workspaces?: number | null
  /** null: no limit. */
  readonly ro_workspaces?: number | null
  /** null: no limit. */
  readonly manual_backups?: number | null
  /** null: no limit. */
  readonly automatic_backups?: number | null
}

/** Assumptions about the service that differ from the built-in ones. */
export interface Profile {
  /** Version of the form. */
  readonly profile: 1
  /** Name of the profile; that of its file if absent. */
  readonly name?: string
  /** What can be created. A list replaces the whole built-in one. */
  readonly catalogue?: {
    /** Cloud platforms. */
    readonly platforms?: readonly string[]
    /** Regions. */
    readonly regions?: readonly {
      /** Name. */
      readonly name: string
      /** Its display name; the name if absent. */
      readonly description?: string
    }[]
    /** Versions of the database software. */
    readonly versions?: readonly {
      /** Name. */
      readonly name: string
      /** Container image; `svc/database:` and the name if absent. */
      readonly image?: string
      /** Whether new workspaces can have it; true if absent. */
      readonly create?: boolean
    }[]
    /** Workspace types. */
    readonly workspace_types?: readonly {
      /** Name. */
      readonly typeName: string
      /** Cores. */
      readonly cpu: number | string
      /** GiB, or a text that replies show unchanged, such as `16Gi`. */
      readonly memory: number | string
      /** Partitions; 1 if absent. */
      readonly partition?: number
      /** Replicas without high availability; 1 if absent. */
      readonly replicas?: number
      /** Replicas with high availability; the larger of 2 and `replicas` if absent. */
      readonly ha?: number
      /** Whether new workspaces can have it; true if absent. */
      readonly create?: boolean
      /** Whether workspaces of other types can be resized to it; true if absent. */
      readonly resize?: boolean
    }[]
    /**
     * The values of requests that name none. If absent: the first entry of a list in the profile that new
     * workspaces can have; otherwise as built in.
     */
    readonly defaults?: {
      /** A platform. */
      readonly platform?: string
      /** A region. */
      readonly region?: string
      /** A version that new workspaces can have. */
      readonly version?: string
      /** A workspace type that new workspaces can have. */
      readonly workspace_type?: string
    }
  }
  /**
   * How long transitions take: a duration, or `min` and `max`, or either of these per speed of
   * --transitions.
   */
  readonly durations?: {
    readonly 'workspace.create'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'workspace.pause'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'workspace.resume'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'workspace.resize'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'restore.run'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'workspace.delete'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'workspace.refresh'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
    readonly 'backup.run'?:
      | string
      | {
          /** At least. */
          readonly min?: string
          /** At most. */
          readonly max?: string
          /** With --transitions instant. */
          readonly instant?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions fast. */
          readonly fast?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
          /** With --transitions realistic. */
          readonly realistic?:
            | string
            | {
                /** At least. */
                readonly min?: string
                /** At most. */
                readonly max?: string
              }
        }
  }
  /** How many workspaces and backups there may be. */
  readonly quotas?: {
    readonly rw_workspaces?: {
      /** Maximum in a new sandbox; null, no limit, if absent. */
      readonly default?: number | null
      /** Where it counts. */
      readonly per?: 'org'
      /** Whether failed ones count; false if absent. */
      readonly failed?: boolean
    }
    readonly ro_workspaces?: {
      /** Maximum in a new sandbox; null, no limit, if absent. */
      readonly default?: number | null
      /** Where it counts. */
      readonly per?: 'org' | 'database'
      /** Whether failed ones count; false if absent. */
      readonly failed?: boolean
    }
    readonly manual_backups?: {
      /** Maximum in a new sandbox; null, no limit, if absent. */
      readonly default?: number | null
      /** Where it counts. */
      readonly per?: 'org' | 'workspace' | 'database'
      /** Whether failed ones count; false if absent. */
      readonly failed?: boolean
    }
    readonly automatic_backups?: {
      /** Maximum in a new sandbox; null, no limit, if absent. */
      readonly default?: number | null
      /** Where it counts. */
      readonly per?: 'org' | 'workspace' | 'database'
      /** Whether failed ones count; false if absent. */
      readonly failed?: boolean
    }
    /** Sets of maximums, by the name of the plan; quotas that a plan omits get their default. */
    readonly plans?: Readonly<
      Record<
        string,
        {
          /** null: no limit. */
          readonly rw_workspaces?: number | null
          /** null: no limit. */
          readonly ro_workspaces?: number | null
          /** null: no limit. */
          readonly manual_backups?: number | null
          /** null: no limit. */
          readonly automatic_backups?: number | null
        }
      >
    >
  }
  /** Words by the built-in states, one to one for each kind. */
  readonly states?: {
    /** States of a workspace (`status`); `gone` is the end of a deleted one. */
    readonly workspace?: Readonly<Record<string, string>>
    /** States of a refresh (`refresh_status`), which is empty before the first. */
    readonly refresh?: Readonly<Record<string, string>>
    /** States of a backup. */
    readonly backup?: Readonly<Record<string, string>>
    /** States of a restore job. */
    readonly restore_job?: Readonly<Record<string, string>>
    /** By the built-in states of a workspace: what it shows in turn during a state. */
    readonly phases?: Readonly<
      Record<
        string,
        readonly {
          /** Its `status`; that of the state if absent. */
          readonly status?: string
          /** Its `condition_type`; none if absent. */
          readonly condition?: string
          /** How long it lasts: a duration. Absent for the last, which stays. */
          readonly lasts?: string
        }[]
      >
    >
    /** By transition: those of its built-in states in which it can be requested. */
    readonly allowed?: Readonly<Record<string, readonly string[]>>
    /**
     * How long getWorkspace shows a deleted workspace, with the word for `gone` as its `status`, and with
     * `deleted_at`. If absent, it answers with a 404 at once.
     */
    readonly deleted?: {
      /** By the clock of the sandbox: a duration. */
      readonly readable_for: string
    }
  }
  /** By built-in names of schemas: their further fields. */
  readonly fields?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            /** Its type. A field has a type, a constant or a source. */
            readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
            /** All its values. */
            readonly enum?: readonly unknown[]
            /** Whether it can be null; false if absent. */
            readonly nullable?: boolean
            /** Its value until a request sets it; required without set_by. */
            readonly default?: unknown
            /** Schemas of request bodies that can set it. */
            readonly set_by?: readonly string[]
            /** The field that it mirrors: `status`, or `database.name` of its database. */
            readonly from?: string
            /** Its only value. */
            readonly const?: unknown
            /** What it means, for OpenAPI. */
            readonly description?: string
          }
        >
      >
    >
  >
  /** New names by the built-in ones. All are renamed at once, so swaps work. */
  readonly names?: {
    /** Fields of requests and replies, wherever they occur. */
    readonly fields?: Readonly<Record<string, string>>
    /** Schemas of the OpenAPI document. */
    readonly schemas?: Readonly<Record<string, string>>
    /** Values of enumerations, such as workspace types and roles. */
    readonly values?: Readonly<Record<string, string>>
    /** Prefixes of resource names (`srn:svc:`) and of images (`svc/`). */
    readonly prefixes?: Readonly<Record<string, string>>
  }
  /** By built-in names of schemas: the built-in names of fields that replies omit. */
  readonly omit?: Readonly<Record<string, readonly string[]>>
  /** By built-in names of schemas and fields: when replies have a field. */
  readonly shown?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            /** The built-in states in which replies have it. */
            readonly in_states?: readonly string[]
            /** operationIds of the only replies that have it. */
            readonly only?: readonly string[]
          }
        >
      >
    >
  >
  /** By schemas of request bodies and their fields: rules and defaults. */
  readonly requests?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            /** Requests must have it. */
            readonly required?: true
            /** Its value if a creation omits it. */
            readonly default?: unknown
            /** The minimum length of a text, in characters. */
            readonly min_length?: number
            /** The maximum length of a text, in characters. */
            readonly max_length?: number
            /** Regular expression that a text must match. */
            readonly pattern?: string
            /** The smallest number. */
            readonly minimum?: number
            /** The largest number. */
            readonly maximum?: number
          }
        >
      >
    >
  >
  /** Prefix of the controller's operations, instead of /controller/v4/v2; / for none. */
  readonly prefix?: string
  /** Further paths of operations, and paths that are off. */
  readonly routes?: readonly {
    /**
     * The operation. changeSchedule stands for the path that setBackupSchedule, updateWorkspaceSchedule,
     * deleteWorkspaceSchedule share.
     */
    readonly operation:
      | 'createWorkgroup'
      | 'listWorkgroups'
      | 'getWorkgroup'
      | 'updateWorkgroup'
      | 'deleteWorkgroup'
      | 'addAllowedIP'
      | 'listAllowedIPs'
      | 'getCurrentIP'
      | 'disableAllowList'
      | 'enableAllowList'
      | 'updateAllowedIP'
      | 'deleteAllowedIP'
      | 'getDatabase'
      | 'updateDatabase'
      | 'deleteDatabase'
      | 'createWorkspace'
      | 'getWorkspace'
      | 'updateWorkspace'
      | 'deleteWorkspace'
      | 'deleteBackup'
      | 'restoreBackup'
      | 'setBackupSchedule'
      | 'createDatabaseUser'
      | 'listDatabaseUsers'
      | 'updateDatabaseUserPassword'
      | 'deleteDatabaseUser'
      | 'pauseWorkspace'
      | 'refreshWorkspace'
      | 'resumeWorkspace'
      | 'getMetadata'
      | 'listBackups'
      | 'getRestoreStatus'
      | 'getBackupSchedule'
      | 'getWorkspaceSchedules'
      | 'updateWorkspaceSchedule'
      | 'deleteWorkspaceSchedule'
      | 'listOrgUsers'
      | 'updateOrgUserRoles'
      | 'changeSchedule'
    /** Method of a further path. */
    readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** A further path, below the base path, with parameters in braces: /teams/{team}/databases/{id}. */
    readonly path?: string
    /**
     * The operation's parameter for each parameter of the path, or a field of its body, as `body.NAME`.
     * Others match by name, otherwise by position; a path with fewer lacks the first.
     */
    readonly parameters?: Readonly<Record<string, string | null>>
    /**
     * Where to find the operation's parameters that the path lacks: `query.NAME` or `body.NAME`. A parent
     * of another parameter, such as the workgroup of a workspace, is found without it.
     */
    readonly from?: Readonly<Record<string, string>>
    /** Answers getWorkspaceSchedules with an array instead of the JSON text of one. */
    readonly result?: 'array'
    /** Switches the built-in path of the operation off. Others that share it keep it. */
    readonly off?: true
  }[]
  /** Replies of operations that the mock does not simulate. */
  readonly stubs?: readonly {
    /** Its name in the header X-Mock-Stub and in the journal; method and path if absent. */
    readonly name?: string
    /** Method; absent for a collection. */
    readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** Path below the base path, with parameters in braces: /v1/teams/{team}. */
    readonly path: string
    /** HTTP status; of a collection, 200 if absent. */
    readonly status?: number
    /** Further headers, by name. Placeholders in them are encoded as in a URL. */
    readonly headers?: Readonly<Record<string, string>>
    /** A text is sent unchanged, any other value as JSON. No body if absent. */
    readonly body?: unknown
    /**
     * Stores what is sent, without secrets: POST to the path creates an item, and GET lists them; GET,
     * PUT, PATCH and DELETE of one item have its id after the path. In the body, `{{result}}` is the item,
     * or the list.
     */
    readonly collection?: {
      /** The field with the id of an item. */
      readonly id: string
      /** Status of a creation; `status` if absent. */
      readonly created?: number
      /** Status of a deletion; `status` if absent. */
      readonly deleted?: number
      /** Further fields of a new item; texts may have placeholders. */
      readonly adds?: Readonly<Record<string, unknown>>
      /** The body of the reply that lists all items; `body` if absent. */
      readonly list?: unknown
    }
    /** Fields of the body to check; none is required in a change of an item. */
    readonly request?: Readonly<
      Record<
        string,
        {
          /** Its type; any if absent. */
          readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
          /** All its values. */
          readonly enum?: readonly unknown[]
          /** Whether it must be present; false if absent. */
          readonly required?: boolean
        }
      >
    >
    /** Whether it needs a credential; true if absent. */
    readonly credential?: boolean
    /** Id of a workspace, such as {{path.id}}: the request counts as its data-plane activity. */
    readonly activity?: string
  }[]
  /** Replies to requests that do not reach the service; the usual errors if absent. */
  readonly gateway?: {
    /** An unknown path. The service itself answers for unknown ids. */
    readonly unknown_path?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** A method that the path does not have. */
    readonly unknown_method?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** More requests than the `limits` of the profile allow. */
    readonly too_many_requests?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** An `Idempotency-Key` that is missing, is in use, or was used for another request. */
    readonly idempotency_key?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** No credential. */
    readonly missing_credential?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** An unknown credential, with --auth strict. */
    readonly wrong_credential?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
    /** An API key sent as a session, Authorization: Bearer. Only --auth strict recognises it as a key. */
    readonly key_as_bearer?: {
      /** HTTP status. */
      readonly status: number
      /** Further headers, by name. Placeholders in them are encoded as in a URL. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text is sent unchanged, any other value as JSON. No body if absent. */
      readonly body?: unknown
    }
  }
  /** How many requests are answered; others get a 429. */
  readonly limits?: readonly {
    /** How many requests of a key are answered per window. */
    readonly requests: number
    /** The length of the window, by the clock of the sandbox. */
    readonly window: string
    /** The form of `Retry-After` in a 429; seconds if absent. */
    readonly retry_after?: 'seconds' | 'date' | 'none'
    /** Whether replies have `RateLimit` and `RateLimit-Policy`; false if absent. */
    readonly fields?: boolean
  }[]
  /**
   * A POST or PATCH that repeats an `Idempotency-Key` gets the first reply again, and has no effect.
   * With another path or body it gets a 422, and while the first is under way a 409.
   */
  readonly idempotency?: {
    /** How long replies are kept, by the clock of the sandbox. */
    readonly keep: string
    /** Whether a POST or PATCH without a key gets a 400; false if absent. */
    readonly required?: boolean
  }
  /** Which roles may call which operations. */
  readonly roles?: {
    /** Roles of every API key; all if absent. */
    readonly api_key?: readonly (
      'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
    )[]
    /** The roles that may call an operation. Every user may call the others. */
    readonly allow: {
      /** Roles that may call createWorkgroup. */
      readonly createWorkgroup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call listWorkgroups. */
      readonly listWorkgroups?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getWorkgroup. */
      readonly getWorkgroup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateWorkgroup. */
      readonly updateWorkgroup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteWorkgroup. */
      readonly deleteWorkgroup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call addAllowedIP. */
      readonly addAllowedIP?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call listAllowedIPs. */
      readonly listAllowedIPs?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getCurrentIP. */
      readonly getCurrentIP?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call disableAllowList. */
      readonly disableAllowList?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call enableAllowList. */
      readonly enableAllowList?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateAllowedIP. */
      readonly updateAllowedIP?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteAllowedIP. */
      readonly deleteAllowedIP?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getDatabase. */
      readonly getDatabase?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateDatabase. */
      readonly updateDatabase?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteDatabase. */
      readonly deleteDatabase?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call createWorkspace. */
      readonly createWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getWorkspace. */
      readonly getWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateWorkspace. */
      readonly updateWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteWorkspace. */
      readonly deleteWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteBackup. */
      readonly deleteBackup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call restoreBackup. */
      readonly restoreBackup?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call setBackupSchedule. */
      readonly setBackupSchedule?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call createDatabaseUser. */
      readonly createDatabaseUser?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call listDatabaseUsers. */
      readonly listDatabaseUsers?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateDatabaseUserPassword. */
      readonly updateDatabaseUserPassword?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteDatabaseUser. */
      readonly deleteDatabaseUser?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call pauseWorkspace. */
      readonly pauseWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call refreshWorkspace. */
      readonly refreshWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call resumeWorkspace. */
      readonly resumeWorkspace?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getMetadata. */
      readonly getMetadata?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call listBackups. */
      readonly listBackups?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getRestoreStatus. */
      readonly getRestoreStatus?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getBackupSchedule. */
      readonly getBackupSchedule?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call getWorkspaceSchedules. */
      readonly getWorkspaceSchedules?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateWorkspaceSchedule. */
      readonly updateWorkspaceSchedule?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call deleteWorkspaceSchedule. */
      readonly deleteWorkspaceSchedule?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call listOrgUsers. */
      readonly listOrgUsers?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
      /** Roles that may call updateOrgUserRoles. */
      readonly updateOrgUserRoles?: readonly (
        'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
      )[]
    }
  }
  /** `Message` of successes, by operationId. */
  readonly messages?: {
    /** Message of createWorkgroup. */
    readonly createWorkgroup?: string
    /** Message of listWorkgroups. */
    readonly listWorkgroups?: string
    /** Message of getWorkgroup. */
    readonly getWorkgroup?: string
    /** Message of updateWorkgroup. */
    readonly updateWorkgroup?: string
    /** Message of deleteWorkgroup. */
    readonly deleteWorkgroup?: string
    /** Message of addAllowedIP. */
    readonly addAllowedIP?: string
    /** Message of listAllowedIPs. */
    readonly listAllowedIPs?: string
    /** Message of getCurrentIP. */
    readonly getCurrentIP?: string
    /** Message of disableAllowList. */
    readonly disableAllowList?: string
    /** Message of enableAllowList. */
    readonly enableAllowList?: string
    /** Message of updateAllowedIP. */
    readonly updateAllowedIP?: string
    /** Message of deleteAllowedIP. */
    readonly deleteAllowedIP?: string
    /** Message of getDatabase. */
    readonly getDatabase?: string
    /** Message of updateDatabase. */
    readonly updateDatabase?: string
    /** Message of deleteDatabase. */
    readonly deleteDatabase?: string
    /** Message of createWorkspace. */
    readonly createWorkspace?: string
    /** Message of getWorkspace. */
    readonly getWorkspace?: string
    /** Message of updateWorkspace. */
    readonly updateWorkspace?: string
    /** Message of deleteWorkspace. */
    readonly deleteWorkspace?: string
    /** Message of deleteBackup. */
    readonly deleteBackup?: string
    /** Message of restoreBackup. */
    readonly restoreBackup?: string
    /** Message of setBackupSchedule. */
    readonly setBackupSchedule?: string
    /** Message of createDatabaseUser. */
    readonly createDatabaseUser?: string
    /** Message of listDatabaseUsers. */
    readonly listDatabaseUsers?: string
    /** Message of updateDatabaseUserPassword. */
    readonly updateDatabaseUserPassword?: string
    /** Message of deleteDatabaseUser. */
    readonly deleteDatabaseUser?: string
    /** Message of pauseWorkspace. */
    readonly pauseWorkspace?: string
    /** Message of refreshWorkspace. */
    readonly refreshWorkspace?: string
    /** Message of resumeWorkspace. */
    readonly resumeWorkspace?: string
    /** Message of getMetadata. */
    readonly getMetadata?: string
    /** Message of listBackups. */
    readonly listBackups?: string
    /** Message of getRestoreStatus. */
    readonly getRestoreStatus?: string
    /** Message of getBackupSchedule. */
    readonly getBackupSchedule?: string
    /** Message of getWorkspaceSchedules. */
    readonly getWorkspaceSchedules?: string
    /** Message of updateWorkspaceSchedule. */
    readonly updateWorkspaceSchedule?: string
    /** Message of deleteWorkspaceSchedule. */
    readonly deleteWorkspaceSchedule?: string
  }
  /**
   * How the service refuses, by condition: invalidBody, notAllowed, unauthorized, forbidden,
   * quotaExceeded, notFound, bodyTooLarge, unsupportedMediaType.
   */
  readonly errors?: Readonly<
    Record<
      string,
      {
        /** HTTP status; as built in if absent. */
        readonly status?: number
        /**
         * `Type` of each error; as built in if absent. Built in are Internal-Error, Bad-Request, Not-Found,
         * Forbidden, Unauthorized, API-Disabled, Quota-Exceed, Unknown.
         */
        readonly type?: string
        /**
         * `Message`, with `{{message}}` for the built-in one, `{{path.workspaceID}}` or the like for an id,
         * and `{{body.name}}` for a field of the request; as built in if absent.
         */
        readonly message?: string
        /** Further headers, by name. Placeholders in them are encoded as in a URL. */
        readonly headers?: Readonly<Record<string, string>>
        /**
         * Whether a pause or a resume is refused if it is done or under way already; false if absent. Only for
         * notAllowed.
         */
        readonly repeats?: boolean
        /** Whether there is one error, with an empty `FieldName` and `Reason`; false if absent. */
        readonly bare?: boolean
        /** Exceptions, by operationId. */
        readonly operations?: Readonly<
          Record<
            string,
            {
              /** HTTP status; as built in if absent. */
              readonly status?: number
              /**
               * `Type` of each error; as built in if absent. Built in are Internal-Error, Bad-Request, Not-Found,
               * Forbidden, Unauthorized, API-Disabled, Quota-Exceed, Unknown.
               */
              readonly type?: string
              /**
               * `Message`, with `{{message}}` for the built-in one, `{{path.workspaceID}}` or the like for an id,
               * and `{{body.name}}` for a field of the request; as built in if absent.
               */
              readonly message?: string
              /** Further headers, by name. Placeholders in them are encoded as in a URL. */
              readonly headers?: Readonly<Record<string, string>>
              /**
               * Whether a pause or a resume is refused if it is done or under way already; false if absent. Only for
               * notAllowed.
               */
              readonly repeats?: boolean
              /** Whether there is one error, with an empty `FieldName` and `Reason`; false if absent. */
              readonly bare?: boolean
            }
          >
        >
      }
    >
  >
  /** The form of replies. */
  readonly replies?: {
    /** Replies are only their `Result`, or an empty object without one. Errors keep the envelope. */
    readonly envelope?: 'none'
    /**
     * The body of every error, with `{{message}}`, `{{type}}`, `{{status}}`, `{{request_id}}` and
     * `{{details}}`.
     */
    readonly error?: unknown
    /** By operationId. */
    readonly status?: Readonly<Record<string, 200 | 201 | 202 | 204>>
    /** By operationId: the field of an object around the result. */
    readonly under?: Readonly<Record<string, string>>
    /** By operationId. */
    readonly results?: Readonly<Record<string, 'list' | 'first'>>
    /** By the built-in name of a field. */
    readonly empty?: Readonly<Record<string, 'null' | 'list' | 'text' | 'absent'>>
    /** By operationId of a read: its reply shows an earlier state, as far as the journal reaches back. */
    readonly lag?: Readonly<Record<string, string>>
    /** By the built-in name of a field: the form of an id, also in requests. */
    readonly ids?: Readonly<Record<string, string>>
    /** The first members of the envelope, in this order. */
    readonly order?: readonly ('Error' | 'ErrorDetails' | 'Message' | 'RequestID' | 'Result')[]
    /** Delays the first request of a sandbox, and each one after a pause. */
    readonly slow?: {
      /** The delay, by the clock of the machine: a duration. */
      readonly by: string
      /** The pause before a delayed request, by the clock of the sandbox: a duration. */
      readonly after: string
    }
    /** By the built-in name of a field. */
    readonly timestamps?: Readonly<Record<string, 'milliseconds' | 'seconds' | 'go' | 'unix' | 'unix_ms'>>
  }
}

/** Something that the server assumes about the service, because the interface is silent. */
export interface Assumption {
  /** Such as P-017. It never changes, and is never given to another assumption. */
  readonly id: string
  /** Heading under which the documents have it. */
  readonly topic: string
  /** The assumption. */
  readonly says: string
  /** How to change it. */
  readonly change: string
  /** Whether recorded exchanges with the real service can confirm or refute it. */
  readonly observable: boolean
  /**
   * Evidence in replies of the service that its users have published; absent under a profile of your
   * own.
   */
  readonly published?: {
    /** Whether they agree, or do not show it. */
    readonly verdict: 'confirmed' | 'contradicted' | 'unseen'
    /** Numbers of the first ones that decide it. */
    readonly exchanges: readonly number[]
  }
}

/** A fault that is injected into requests from now on. */
export interface FaultRule {
  /** The operation that it matches; any if absent. */
  readonly operation?: OperationId
  /** The workspace in the path that it matches; any path if absent. */
  readonly workspace_id?: string
  /** The workgroup in the path that it matches; any path if absent. */
  readonly workgroup_id?: string
  /** What the body must have; objects in it may have more fields. Any body, or none, if absent. */
  readonly body?: unknown
  /** How many matching requests pass first; 0 if absent: with times 1, after 1 means the second. */
  readonly after?: number
  /** How often it fires; always if absent. */
  readonly times?: number
  /** Chance of firing, repeatable with --seed; 1 if absent. */
  readonly probability?: number
  /**
   * before: the operation is not carried out; after-commit: it is, and only the reply changes. before if
   * absent, but after-commit with reply cut.
   */
  readonly phase?: 'before' | 'after-commit'
  /**
   * What happens; at least one of status, delay, reply and stale, and only one of status, reply and
   * stale.
   */
  readonly effect: FaultEffect
}

/**
 * What happens; at least one of status, delay, reply and stale, and only one of status, reply and
 * stale.
 */
export interface FaultEffect {
  /** HTTP status of an error: 400 to 599, or 200 for an error that only the body shows. */
  readonly status?: number
  /** Type of the error; that of the status if absent. */
  readonly error_type?: ErrorType
  /** Reason and Message of the error; `Injected fault …` with the id if absent. */
  readonly reason?: string
  /** Seconds, for the header Retry-After of the error. */
  readonly retry_after?: number
  /**
   * How long the request waits by the machine's clock, at most PT10M; with min and max, somewhere
   * between them, repeatable with --seed.
   */
  readonly delay?:
    | string
    | {
        /** The shortest. Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M. */
        readonly min: string
        /** The longest. Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M. */
        readonly max: string
      }
  /**
   * drop: none, the connection is closed; empty: a 200 without a body; cut: half of the body, then the
   * connection is closed; silent: none, until the client closes the connection.
   */
  readonly reply?: 'drop' | 'empty' | 'cut' | 'silent'
  /** A read is answered as it would have been then; exactly one of by and writes. */
  readonly stale?: {
    /**
     * How long ago, by the sandbox's clock. Duration such as 90s, 1h30m or 7d, or in ISO 8601 such as
     * PT1H30M.
     */
    readonly by?: string
    /** How many writes ago. */
    readonly writes?: number
  }
}

/** A rule that injects faults, with its counters. */
export interface Fault {
  /** Its name in the sandbox. */
  readonly id: string
  /** The operation that it matches; any if absent. */
  readonly operation?: OperationId
  /** The workspace in the path that it matches; any path if absent. */
  readonly workspace_id?: string
  /** The workgroup in the path that it matches; any path if absent. */
  readonly workgroup_id?: string
  /** What the body must have; objects in it may have more fields. Any body, or none, if absent. */
  readonly body?: unknown
  /** How many matching requests pass first; 0 if absent: with times 1, after 1 means the second. */
  readonly after?: number
  /** How often it fires; always if absent. */
  readonly times?: number
  /** Chance of firing, repeatable with --seed; 1 if absent. */
  readonly probability?: number
  /**
   * before: the operation is not carried out; after-commit: it is, and only the reply changes. before if
   * absent, but after-commit with reply cut.
   */
  readonly phase?: 'before' | 'after-commit'
  /**
   * What happens; at least one of status, delay, reply and stale, and only one of status, reply and
   * stale.
   */
  readonly effect: FaultEffect
  /** Matching requests so far. */
  readonly seen: number
  /** Times fired so far. */
  readonly hits: number
}

/** Selects the requests that meet all given conditions. */
export interface RequestFilter {
  /** Only calls of this operation. */
  readonly operation?: OperationId
  /** Only replies with this status, such as 404, or of this class, such as 4xx. */
  readonly status?: string
  /** Only requests with this RequestID. */
  readonly request_id?: string
  /** Only requests of this trace: the trace-id of their header `traceparent`. */
  readonly trace?: string
  /** Only requests that were received then or later, by the clock of the machine. Timestamp. */
  readonly since?: string
  /** Maximum number of most recent entries. */
  readonly limit?: number
}

/** A recorded request. */
export interface RecordedRequest {
  /** RequestID. If a client uses one twice, both requests are listed. */
  readonly request_id: string
  /** The trace-id of its header `traceparent` (W3C Trace Context); absent if there was none. */
  readonly trace?: string
  /** When it arrived, by the clock of the sandbox. Timestamp. */
  readonly at: string
  /** When it arrived, by the clock of the machine. Timestamp. */
  readonly received: string
  /** operationId; null for a request that matches none, such as one with a wrong URL. */
  readonly operation: OperationId | null
  /** Name of the stub in the profile that answered; absent if none did. */
  readonly stub?: string
  /** HTTP method. */
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** Parameters of the query, without secrets. */
  readonly query: Readonly<Record<string, unknown>>
  /**
   * HTTP status of the reply; null if a fault dropped it, or the client left during the delay of one;
   * 499 if the client disconnected while it sent the body.
   */
  readonly status: number | null
  /** Milliseconds until the reply. */
  readonly duration_ms: number
  /** The body, without secrets; null if there was none, or it could not be read. */
  readonly body: unknown
  /** There was a body, but it is too large to keep. */
  readonly body_omitted?: true
  /**
   * Query parameters and body fields that the operation does not read, such as `?region` and
   * `addons.0.colour`; the first 100.
   */
  readonly unread: readonly string[]
  /** There are more than are listed. */
  readonly unread_omitted?: true
  /** Message of the error, if it failed. */
  readonly error: string | null
  /**
   * Why it was refused: a condition of the errors, such as `notAllowed`; null if it was not, or by a
   * fault.
   */
  readonly condition: string | null
  /** The injected fault: `id`, `phase` and `effect`; null if there was none. */
  readonly fault: unknown
}

/** The recorded requests. */
export interface RequestList {
  /** Oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** Number of requests that match, with those that the limit leaves out. */
  readonly total: number
  /** Number of older requests that are no longer kept. */
  readonly dropped: number
}

/** The record of a request. */
export interface RequestRecord {
  /**
   * The entry of the list, with `params` of the path and the `reply` (up to 16 KiB, without secrets);
   * null if the journal has dropped it, or it did not come over HTTP.
   */
  readonly request: {
    /** RequestID. If a client uses one twice, both requests are listed. */
    readonly request_id: string
    /** The trace-id of its header `traceparent` (W3C Trace Context); absent if there was none. */
    readonly trace?: string
    /** When it arrived, by the clock of the sandbox. Timestamp. */
    readonly at: string
    /** When it arrived, by the clock of the machine. Timestamp. */
    readonly received: string
    /** operationId; null for a request that matches none, such as one with a wrong URL. */
    readonly operation: OperationId | null
    /** Name of the stub in the profile that answered; absent if none did. */
    readonly stub?: string
    /** HTTP method. */
    readonly method: string
    /** Path without the query. */
    readonly path: string
    /** Parameters of the query, without secrets. */
    readonly query: Readonly<Record<string, unknown>>
    /**
     * HTTP status of the reply; null if a fault dropped it, or the client left during the delay of one;
     * 499 if the client disconnected while it sent the body.
     */
    readonly status: number | null
    /** Milliseconds until the reply. */
    readonly duration_ms: number
    /** The body, without secrets; null if there was none, or it could not be read. */
    readonly body: unknown
    /** There was a body, but it is too large to keep. */
    readonly body_omitted?: true
    /**
     * Query parameters and body fields that the operation does not read, such as `?region` and
     * `addons.0.colour`; the first 100.
     */
    readonly unread: readonly string[]
    /** There are more than are listed. */
    readonly unread_omitted?: true
    /** Message of the error, if it failed. */
    readonly error: string | null
    /**
     * Why it was refused: a condition of the errors, such as `notAllowed`; null if it was not, or by a
     * fault.
     */
    readonly condition: string | null
    /** The injected fault: `id`, `phase` and `effect`; null if there was none. */
    readonly fault: unknown
    /** Parameters of the path. */
    readonly params: Readonly<Record<string, string>>
    /**
     * The reply without secrets, parsed if it is JSON; null if there was none, or it is larger than 16
     * KiB.
     */
    readonly reply: unknown
  } | null
  /** Result of the validation. */
  readonly validation: {
    /** Whether the request was valid. */
    readonly ok: boolean
    /** The field errors. */
    readonly faults: readonly {
      /** Dotted path. */
      readonly field: string
      /** The problem, in words. */
      readonly reason: string
    }[]
  }
  /** The injected fault; null if there was none. */
  readonly fault: unknown
  /** Rows that the request itself changed, in order. */
  readonly changes: readonly RowChange[]
  /** Events that it scheduled, and events that followed from those, in order. */
  readonly events: readonly ScheduledEvent[]
  /** State changes that it caused, however much later. */
  readonly timeline: readonly TimelineItem[]
  /** Number of further changes and events: a record keeps 200 changes, and the newest 200 fired events. */
  readonly omitted: number
}

/** A change of a row. */
export interface RowChange {
  /** Name of the table. */
  readonly table: string
  /** What happened to the row. */
  readonly change: 'insert' | 'update' | 'delete'
  /** Id of the row, if it has one. */
  readonly id: string | null
  /** The row before; of an update, only the columns that differ. null: it was created. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** The row after; of an update, only the columns that differ. null: it was deleted. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** An event that the request scheduled. */
export interface ScheduledEvent {
  /** Name of a transition, or of an action of a schedule or an auto-stop. */
  readonly event: TransitionName | ActionName
  /** Id of the workspace. */
  readonly resource_id: string
  /** When it is, or was, due; null while it is held. */
  readonly due: string | null
  /** Whether it waits for a release. */
  readonly held: boolean
  /** Its outcome. */
  readonly state: 'pending' | 'fired' | 'cancelled'
  /** When it fired, if that is known. */
  readonly at: string | null
  /** RequestID of the request that cancelled it, if that is known. */
  readonly cancelled_by: string | null
  /** Rows it changed when it fired. */
  readonly changes: readonly RowChange[]
}

/** Either an operation or a sequence. */
export interface Expectation {
  /** operationId of the expected call. */
  readonly operation?: OperationId
  /** Conditions of the call. */
  readonly where?: CallConditions
  /** How often; at least once if absent. */
  readonly times?: Times
  /** Instead of the above: calls expected in this order; others may come between them. */
  readonly sequence?: readonly CallPattern[]
}

/** Conditions of the call. */
export interface CallConditions {
  /** Id in the path. */
  readonly workgroup_id?: string
  /** Id in the path. */
  readonly workspace_id?: string
  /** HTTP status of the reply. */
  readonly status?: number
  /** Parameters that the query must have; it may have more. */
  readonly query?: Readonly<Record<string, unknown>>
  /** Expected body; objects in it may have more fields. Secrets are not compared. */
  readonly body?: unknown
}

/** How often; at least once if absent. */
export interface Times {
  /** Exactly this number of times. */
  readonly exactly?: number
  /** This number of times or more. */
  readonly atLeast?: number
  /** This number of times or fewer. */
  readonly atMost?: number
}

/** An expected call. */
export interface CallPattern {
  /** operationId. */
  readonly operation: OperationId
  /** Conditions of the call. */
  readonly where?: CallConditions
}

/** The calls that met an expectation. */
export interface Verified {
  /** RequestIDs of the matching calls, in order. */
  readonly matches: readonly string[]
  /** Number of matching calls. */
  readonly count: number
}

/** A review of the client. */
export interface Report {
  /** Habits of the client that would cause trouble with a real service. */
  readonly findings: readonly Finding[]
  /** Leftovers that a test should have cleaned up. */
  readonly left_behind: readonly LeftBehind[]
}

/** A habit of the client that would cause trouble with a real service. */
export interface Finding {
  /** Which rule. */
  readonly rule:
    | 'polling-too-fast'
    | 'no-back-off'
    | 'retry-after-ignored'
    | 'error-ignored'
    | 'transient-state-taken-for-end'
    | 'ignored-input'
    | 'unknown-path'
  /** The finding, and the remedy. */
  readonly message: string
  /** RequestIDs of the requests in question, in order. */
  readonly requests: readonly string[]
}

/** Leftovers that a test should have cleaned up. */
export interface LeftBehind {
  /** What it is. */
  readonly kind:
    'running-workspaces' | 'transitions-under-way' | 'running-backups' | 'restore-jobs' | 'open-allow-list-entries'
  /** The finding, and the remedy. */
  readonly message: string
  readonly ids: readonly string[]
}

/** Which items were exercised, and how often. */
export interface CoverageReport {
  readonly summary: {
    readonly operations: {
      readonly exercised: number
      readonly total: number
    }
    readonly statuses: {
      readonly exercised: number
      readonly total: number
    }
    readonly transitions: {
      readonly exercised: number
      readonly total: number
    }
    readonly guards: {
      readonly exercised: number
      readonly total: number
    }
    readonly errors: {
      readonly exercised: number
      readonly total: number
    }
    readonly faults: {
      readonly exercised: number
      readonly total: number
    }
  }
  /** The 38 operations; the three that share a path count separately. */
  readonly operations: readonly CoverageItem[]
  /**
   * The success of each operation, and the errors it can answer with, such as `createWorkspace 403`; not
   * 401, which belongs to no sandbox, and no server failures.
   */
  readonly statuses: readonly CoverageItem[]
  /** Changes of states, such as `workspace.pause: Active → Pausing`; not with --journal-requests 0. */
  readonly transitions: readonly CoverageItem[]
  /** Refusals by the state of a workspace, such as `workspace.pause in Resizing`. */
  readonly guards: readonly CoverageItem[]
  /** Conditions of errors, such as `notFound`. */
  readonly errors: readonly CoverageItem[]
  /** Operations with an injected fault; the replies to those requests count only here. */
  readonly faults: readonly CoverageItem[]
}

/** Something that can be exercised, and how often it was. */
export interface CoverageItem {
  readonly name: string
  readonly count: number
}

/** A snapshot. */
export interface Snapshot {
  /** Name of the snapshot. */
  readonly name: string
  /** When it was saved, by the clock of the sandbox. Timestamp. */
  readonly created_at: string
}

/** A sandbox to create. */
export interface NewFork {
  /** Name of a snapshot of this sandbox; `baseline` if absent. */
  readonly from?: string
  /**
   * Lifetime by the machine's clock; unlimited if absent. Duration such as 90s, 1h30m or 7d, or in ISO
   * 8601 such as PT1H30M.
   */
  readonly ttl?: string
}

/** Which sandboxes to list. */
export interface SandboxFilter {
  /** `next` of the list before this one. */
  readonly after?: number
  /** Maximum number; 100 if absent. */
  readonly limit?: number
}

/** Sandboxes of the server. */
export interface SandboxList {
  /** In order of creation. */
  readonly sandboxes: readonly SandboxItem[]
  /** Total number. */
  readonly total: number
  /** Send it as `after` for the next ones; null: there are no more. */
  readonly next: number | null
}

/** A sandbox. */
export interface SandboxItem {
  /** The first 12 digits of the SHA-256 of its key. */
  readonly id: string
  /** Name of a key of --api-key; null for all others. */
  readonly name: string | null
  /** When it was created, by the machine's clock. Timestamp. */
  readonly created_at: string
  /** When it was last used, by the machine's clock; up to an hour too early after a crash. Timestamp. */
  readonly last_used_at: string
  /** When it expires, by the machine's clock; null: never. */
  readonly expires_at: string | null
  /** How many it has. */
  readonly workgroups: number
  /** How many it has. */
  readonly workspaces: number
}

/** A whole sandbox, without its journal and snapshots. Nearly everything is optional. */
export interface StateDocument {
  /** Format of the document; the newest if absent. */
  format?: 1
  /**
   * Name of the profile that it was made under; the built-in one if absent. Values must fit that in
   * force.
   */
  profile?: string
  org?: {
    /** Any readable name, which then stands in URLs; a new UUID if absent. */
    id?: string
    /** Empty if absent. */
    name?: string
  }
  /** Position in the stream of ids; its start if absent. */
  random?: {
    /** 24 hexadecimal digits. */
    seed: string
    /** Number of ids drawn so far. */
    draws: number
  }
  clock?: {
    /** real if absent. */
    mode?: 'real' | 'frozen' | 'poll'
    /** Time it shows; if absent, the time of the machine, or of a newer change in the timeline. */
    now?: string
    /** Only in mode real: time of the machine when this clock shows `now`; the present time if absent. */
    wall?: string
    /** 1 if absent. */
    rate?: number
  }
  /** Those of the profile if absent; without one, no limits. */
  quotas?: {
    /** null: no limit. */
    rw_workspaces?: number | null
    /** null: no limit. */
    ro_workspaces?: number | null
    /** null: no limit. */
    manual_backups?: number | null
    /** null: no limit. */
    automatic_backups?: number | null
  }
  /** The rules, in order. */
  transitions?: TransitionRule[]
  /** The faults injected into requests, in order. */
  faults?: StateFault[]
  /** One org admin and two members if absent. */
  org_users?: StateOrgUser[]
  /** What the stubs of the profile have stored. */
  stub_items?: {
    /** Path of its collection. */
    path: string
    /** Its name in the path. */
    id: string
    /** Its fields. */
    value: Record<string, unknown>
  }[]
  /** In the order in which lists show them, as all lists here. */
  workgroups?: StateWorkgroup[]
  /**
   * The scheduled events. If absent, those that follow from the states and schedules of the workspaces,
   * as if each had been set now.
   */
  events?: StateEvent[]
  /** What has happened, in order. */
  timeline?: StateTimelineItem[]
}

/** A fault in a state document. */
export interface StateFault {
  /** Its name in the sandbox. */
  id?: string
  /** The operation that it matches; any if absent. */
  operation?: OperationId
  /** The workspace in the path that it matches; any path if absent. */
  workspace_id?: string
  /** The workgroup in the path that it matches; any path if absent. */
  workgroup_id?: string
  /** What the body must have; objects in it may have more fields. Any body, or none, if absent. */
  body?: unknown
  /** How many matching requests pass first; 0 if absent: with times 1, after 1 means the second. */
  after?: number
  /** How often it fires; always if absent. */
  times?: number
  /** Chance of firing, repeatable with --seed; 1 if absent. */
  probability?: number
  /**
   * before: the operation is not carried out; after-commit: it is, and only the reply changes. before if
   * absent, but after-commit with reply cut.
   */
  phase?: 'before' | 'after-commit'
  /**
   * What happens; at least one of status, delay, reply and stale, and only one of status, reply and
   * stale.
   */
  effect: FaultEffect
  /** Matching requests so far. */
  seen?: number
  /** Times fired so far. */
  hits?: number
}

/** A user of the org in a state document. */
export interface StateOrgUser {
  /** Any readable name, which then stands in URLs; a new UUID if absent. */
  id?: string
  /** The e-mail address if absent. */
  username?: string
  /** E-mail address. */
  email: string
  /** Empty if absent. */
  first_name?: string
  /** Empty if absent. */
  last_name?: string
  /** true if absent. */
  enabled?: boolean
  /** Id at the identity provider; a new one if absent. */
  auth_id?: string
  roles: (
    'org-admin' | 'billing-admin' | 'billing-viewer' | 'workgroup-admin' | 'workspace-admin' | 'workspace-member'
  )[]
  /** Never if absent. */
  last_login?: string
  /** Creation; the time of the clock if absent. */
  created?: string
  /** Last change; `created` if absent. */
  updated?: string
  /** The values that requests have set of fields that the profile adds. */
  extra?: Record<string, unknown>
}

/** A workgroup in a state document. */
export interface StateWorkgroup {
  /** Any readable name, which then stands in URLs; a new UUID if absent. */
  id?: string
  /** Its id if that is given, otherwise `workgroup-` and the first 8 characters of it. */
  name?: string
  /** E-mail address of the user who created it; owner@svc.test if absent. */
  creator?: string
  /** Account at the cloud provider; my-account if absent. */
  cloud_provider_id?: string
  /** Cloud platform; aws if absent. */
  platform?: 'aws' | 'azure' | 'gcp' | (string & Record<never, never>)
  /** Region; us-east-1 if absent. */
  region?: 'us-east-1' | 'us-west-2' | 'eu-west-1' | 'ap-southeast-1' | 'ap-south-1' | (string & Record<never, never>)
  /** The values that requests have set of fields that the profile adds. */
  extra?: Record<string, unknown>
  allow_list?: {
    /** false if absent. */
    enabled?: boolean
    entries?: {
      /** Address or block. */
      cidr: string
      /** A remark; empty if absent. */
      note?: string
      /** Any readable name, which then stands in URLs; a new UUID if absent. */
      id?: string
      /** The values that requests have set of fields that the profile adds. */
      extra?: Record<string, unknown>
    }[]
  }
  databases?: StateDatabase[]
  workspaces?: StateWorkspace[]
}

/** A database in a state document. */
export interface StateDatabase {
  /** Any readable name, which then stands in URLs; a new UUID if absent. */
  id?: string
  /** Its id if that is given, otherwise `database-` and the first 8 characters of it. */
  name?: string
  /** Version of the database software; 4.2.2 if absent. */
  svc_version?: '4.2.2' | '4.2.1' | '4.2.0' | '4.1.3' | (string & Record<never, never>)
  /** Creation; the time of the clock if absent. */
  create_time?: string
  /** The values that requests have set of fields that the profile adds. */
  extra?: Record<string, unknown>
}

/** A workspace in a state document. */
export interface StateWorkspace {
  /** Any readable name, which then stands in URLs; a new UUID if absent. */
  id?: string
  /** Id of its database; a new one is created if absent. */
  database?: string
  /** Its id if that is given, otherwise `workspace-` and the first 8 characters of it. */
  name?: string
  /** State; Active if absent. */
  status?: WorkspaceState
  /** Version of the database software; 4.2.2 if absent. */
  svc_version?: '4.2.2' | '4.2.1' | '4.2.0' | '4.1.3' | (string & Record<never, never>)
  /** Creation; the time of the clock if absent. */
  created_at?: string
  /** Size; SVC-00 if absent. */
  workspace_type_name?:
    | 'SVC-00'
    | 'SVC-0'
    | 'SVC-1'
    | 'SVC-2'
    | 'SVC-4'
    | 'SVC-6'
    | 'SVC-8'
    | 'SVC-16'
    | 'SVC-24'
    | 'SVC-32'
    | 'SVC-64'
    | (string & Record<never, never>)
  /** Whether it can write; true if absent. */
  is_rw?: boolean
  /** 0 if absent. */
  version_number?: number
  /** E-mail address of the user who created it; owner@svc.test if absent. */
  creator?: string
  /** Last change; `created_at` if absent. */
  last_modified_time?: string
  /** Beginning of its state; `last_modified_time` if absent. */
  status_since?: string
  /** 0 if absent. */
  auto_stop_minutes?: number
  /** false if absent. */
  enable_auto_start?: boolean
  /** Empty if absent. */
  refresh_status?: RefreshState
  /** Why the last refresh failed; empty if absent. */
  refresh_message?: string
  /** Of a read-only one: the moment whose data it shows; `created_at` if absent. */
  snapshot_time?: string
  addons?: {
    /** Id of the add-on. */
    addons_id: string
    enable: boolean
    /** Settings of the add-on. */
    enable_configuration?: Record<string, unknown>
    /** Name of this use of the add-on. */
    unique_name?: string
    is_free?: boolean
    /** Id of the workspace. */
    workspace_id?: string
  }[]
  /** false if absent. */
  enable_ha?: boolean
  /** Id of the solution in the catalogue; none if absent. */
  solution_catalog_id?: string
  agent_config?: {
    heartbeat_interval_seconds?: number
    topology_update_interval_seconds?: number
    catalog_activity_update_interval_seconds?: number
    query_activity_update_interval_seconds?: number
    enable_topology_force_update?: boolean
  }
  /** When it became Active or last saw data-plane activity; the time of the clock if absent. */
  last_active?: string
  /** The values that requests have set of fields that the profile adds. */
  extra?: Record<string, unknown>
  backups?: {
    /** Any readable name, which then stands in URLs; a new UUID if absent. */
    id?: string
    /** `automatic-` or `manual-` and the time if absent; may be empty. */
    tag?: string
    /** Its beginning; the time of the clock if absent. */
    time?: string
    /** false if absent. */
    is_automatic?: boolean
    /** State; Succeeded if absent. */
    status?: BackupState
    /** 0 if absent. */
    size_bytes?: number
    /** Version of the database software; that of the workspace if absent. */
    version?: '4.2.2' | '4.2.1' | '4.2.0' | '4.1.3' | (string & Record<never, never>)
  }[]
  restore_jobs?: {
    /** Any readable name, which then stands in URLs; a new UUID if absent. */
    id?: string
    /** State; Succeeded if absent. */
    status?: RestoreState
    /** One line per step; empty if absent. */
    output?: string
    /** Its beginning; the time of the clock if absent. */
    created_at?: string
    /** The values that requests have set of fields that the profile adds. */
    extra?: Record<string, unknown>
  }[]
  backup_schedule?: {
    /** Five-field cron, UTC. */
    schedule: string
    /** true: it does not fire; false if absent. */
    pause?: boolean
    /** How many automatic backups are kept; 7 if absent. */
    max_backup_files?: number
    /** How many days they are kept; 7 if absent. */
    max_reserved_days?: number
    /** How often a failed one is retried; 0 if absent. */
    max_retry?: number
    /** The values that requests have set of fields that the profile adds. */
    extra?: Record<string, unknown>
  }
  schedules?: {
    /** How it repeats. */
    repeat: 'none' | 'daily' | 'weekdays' | 'weekly'
    /** For weekly: weekdays such as Mon,Thu; if absent, the weekday on which it is set. */
    repeat_on?: string
    /** YYYY-MM-DD; required if it does not repeat, otherwise ignored. */
    date?: string
    /** HH:mm, local. */
    time: string
    /** IANA zone. */
    timezone: string
    /** New size of the workspace, which is started first if necessary; if absent, the workspace is stopped. */
    workspace_type_name?:
      | 'SVC-00'
      | 'SVC-0'
      | 'SVC-1'
      | 'SVC-2'
      | 'SVC-4'
      | 'SVC-6'
      | 'SVC-8'
      | 'SVC-16'
      | 'SVC-24'
      | 'SVC-32'
      | 'SVC-64'
      | (string & Record<never, never>)
    /** A new UUID if absent. */
    id?: string
    /** The values that requests have set of fields that the profile adds. */
    extra?: Record<string, unknown>
  }[]
  users?: {
    /** Any readable name, which then stands in URLs; a new UUID if absent. */
    id?: string
    /** Name of the user. */
    username: string
    /** Password in clear; only its hash is kept. */
    password?: string
    /** Salted hash of the password, as an export has it. */
    password_hash?: string
    /** Creation; the time of the clock if absent. */
    created?: string
    /** Last change; `created` if absent. */
    updated?: string
    /** The values that requests have set of fields that the profile adds. */
    extra?: Record<string, unknown>
  }[]
}

/** A scheduled event. */
export interface StateEvent {
  /** Name of a transition, or of an action of a schedule or an auto-stop. */
  event: TransitionName | ActionName
  /** Id of a workspace in this document. */
  workspace_id: string
  /** When; null while it is held. */
  due: string | null
  /**
   * Depends on the event. Any transition: `failed` and `reason`, if it will fail. `workspace.resume`:
   * `thenType`, the size that a schedule brings it to afterwards. `workspace.resize`: `typeName` and
   * `enableHa`, the new size. `restore.run` and `restore.step`: `job`, id of the restore job; required.
   * `backup.run`: `backup`, id of the backup, required; `retries`, retries left if it fails.
   * `backup.retry`: `retries`, retries left after this one; required. `workspace.schedule`: `schedule`,
   * its id; required.
   */
  payload?: Record<string, unknown>
  /** RequestID behind it; that of the import if absent. */
  request_id?: string
}

/** A state change in a state document. */
export interface StateTimelineItem {
  /** When; not before the entry before it. */
  at: string
  /** Id of the resource. */
  resource_id: string
  /** Name of the transition. */
  transition: TransitionName | ActionName
  /** The field that changed. */
  attribute: 'status' | 'refresh_status' | 'firing'
  /** Old value; null for a creation. */
  from: WorkspaceState | RefreshState | BackupState | RestoreState | null
  /** New value; gone for a deletion. */
  to: WorkspaceState | RefreshState | BackupState | RestoreState | 'gone' | 'skipped'
  /** Why something failed or was skipped; otherwise null. */
  reason: string | null
  /** RequestID behind it; that of the import if absent. */
  request_id?: string
}

/** The clock of a sandbox. A move ends once all events due on the way have run. */
export interface ClockCalls {
  /** Read the clock. */
  read: () => Promise<Clock>
  /**
   * Set the clock, and run everything due by then.
   * @throws {ServiceError} if `now` is before the newest change
   */
  set: (setting: ClockSetting) => Promise<Moved>
  /**
   * Move the clock forward, and run everything due on the way.
   * @throws {ServiceError} if the time is in the past, or an `until` is not reached
   */
  advance: (advance: Advance) => Promise<Moved>
}

/** How the transitions of a sandbox end. */
export interface TransitionsHandle {
  /**
   * List the rules, and the transitions they can apply to.
   * @returns the rules, in order
   */
  read: () => Promise<TransitionRule[]>
  /**
   * Replace the rules. They apply to transitions that begin from now on.
   * @throws {ServiceError} naming every invalid rule; then nothing is changed
   */
  replace: (rules: readonly TransitionRule[]) => Promise<TransitionRule[]>
  /**
   * Release held transitions.
   * @returns the events that fired
   */
  release: (release?: Release) => Promise<Fired[]>
}

/** The quotas of a sandbox: maximum numbers. A quota without one has no limit. */
export interface QuotasHandle {
  /** Read the quotas. */
  read: () => Promise<Quotas>
  /**
   * Set quotas. Omitted quotas keep their values, or get those of the plan.
   * @throws {ServiceError} naming all errors
   */
  set: (setting: QuotaSetting) => Promise<Quotas>
}

/** The recorded requests. */
export interface RequestsHandle {
  /**
   * List the recorded requests.
   * @returns them, oldest first: all, or those that a filter selects
   * @throws {ServiceError} naming the field errors of the filter
   */
  list: (filter?: RequestFilter) => Promise<RequestList>
  /** Clear the journal. */
  clear: () => Promise<void>
  /**
   * Read the record of a request.
   * @returns what the request changed and caused
   * @throws {ServiceError} if the RequestID is unknown
   */
  read: (requestID: string) => Promise<RequestRecord>
}

/** Coverage of the interface so far. */
export interface CoverageCalls {
  /**
   * Read the coverage of the interface. With `format=junit`, the reply is JUnit XML (application/xml).
   * @returns how often each item was exercised
   */
  read: () => Promise<CoverageReport>
  /** Reset the coverage. */
  clear: () => Promise<void>
}

/** Faults injected into requests. */
export interface FaultHandle {
  /**
   * Add a fault.
   * @throws {ServiceError} naming all errors of the rule
   */
  add: (rule: FaultRule) => Promise<Fault>
  /** List the faults, and how often each has fired. */
  list: () => Promise<Fault[]>
  /**
   * Remove all faults.
   * @returns how many there were
   */
  clear: () => Promise<number>
  /**
   * Remove a fault.
   * @returns how many: one
   * @throws {ServiceError} if no rule has the id
   */
  remove: (id: string) => Promise<number>
}

/** A sandbox as one document. */
export interface StateHandle {
  /** Export the sandbox as one document. */
  read: () => Promise<StateDocument>
  /**
   * Import a document, replacing the sandbox.
   * @throws {ServiceError} naming all errors; then nothing is changed
   */
  replace: (document: StateDocument) => Promise<void>
}

/** Named snapshots of a sandbox. */
export interface SnapshotHandle {
  /**
   * List the snapshots.
   * @returns them by name
   */
  list: () => Promise<Snapshot[]>
  /** Save a snapshot; one of the same name is replaced. */
  save: (name: string) => Promise<Snapshot>
  /**
   * Restore a snapshot.
   * @throws {ServiceError} if there is no such snapshot
   */
  restore: (name: string) => Promise<void>
  /**
   * Delete a snapshot.
   * @throws {ServiceError} if there is no such snapshot
   */
  delete: (name: string) => Promise<void>
}

/** All sandboxes of a server that has a token. */
export interface SandboxesHandle {
  /**
   * List the sandboxes of the server.
   * @returns a page of them, in order of creation
   * @throws {ServiceError} naming the field errors of the filter
   */
  list: (filter?: SandboxFilter) => Promise<SandboxList>
  /**
   * Remove unused sandboxes.
   * @returns how many were removed
   */
  purge: (input: {
    /**
     * Removes sandboxes unused for this long, by the machine's clock. Duration such as 90s, 1h30m or 7d,
     * or in ISO 8601 such as PT1H30M.
     */
    readonly idle: string
  }) => Promise<number>
}

/** The calls that a sandbox makes. */
export interface SandboxCalls {
  /** The clock of a sandbox. A move ends once all events due on the way have run. */
  readonly clock: ClockCalls
  /** How the transitions of a sandbox end. */
  readonly transitions: TransitionsHandle
  /** The quotas of a sandbox: maximum numbers. A quota without one has no limit. */
  readonly quotas: QuotasHandle
  /** The recorded requests. */
  readonly requests: RequestsHandle
  /** Coverage of the interface so far. */
  readonly coverage: CoverageCalls
  /** Faults injected into requests. */
  readonly fault: FaultHandle
  /** A sandbox as one document. */
  readonly state: StateHandle
  /** Named snapshots of a sandbox. */
  readonly snapshot: SnapshotHandle
  /**
   * List the scheduled events.
   * @returns them, in order
   */
  events: () => Promise<Due[]>
  /**
   * List the state changes.
   * @returns the changes in order: all, or those of a workspace, a backup or a restore job
   */
  timeline: (workspace_id?: string, limit?: number) => Promise<TimelineItem[]>
  /**
   * Read the profile in force.
   * @returns all of it, also the parts that are built in
   */
  profile: () => Promise<Profile>
  /**
   * List the built-in assumptions about the service.
   * @returns all of them, also those that the profile replaces
   */
  assumptions: () => Promise<Assumption[]>
  /**
   * Check that the interface was called as expected.
   * @throws {ServiceError} if the expectation itself is not valid
   */
  verify: (expectation: Expectation) => Promise<Verified>
  /**
   * Review the requests of the client.
   * @returns findings, and what the client has left behind
   */
  report: () => Promise<Report>
  /**
   * Start a manual backup.
   * @throws {ServiceError} if the workspace cannot be backed up now
   */
  backup: (
    workspaceID: string,
    input?: {
      /** Name of the backup, which may be empty; `manual-` and the time if absent. */
      readonly tag?: string
    }
  ) => Promise<Backup>
  /**
   * Simulate data-plane activity. It postpones an auto-stop, and resumes a workspace that is Idle.
   * @returns the new state
   * @throws {ServiceError} if the workspace does not serve
   */
  activity: (workspaceID: string) => Promise<WorkspaceState>
  /**
   * Import a document, and make it the baseline that a reset returns to.
   * @throws {ServiceError} naming all errors; then nothing is changed
   */
  seed: (document: StateDocument) => Promise<void>
  /** Return the sandbox to its baseline. */
  reset: (input?: {
    /** Parts to leave alone; none if absent. */
    readonly keep?: readonly Keepable[]
  }) => Promise<void>
}

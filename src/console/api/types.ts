/** What the server answers, as far as the console reads it. */

export interface Workspace {
  readonly workspace_id: string
  readonly workgroup_id: string
  readonly database_id: string
  readonly name: string
  readonly status: string
  readonly refresh_status: string
  readonly workspace_type_name: string
  readonly svc_version: string
  readonly is_rw: boolean
  readonly host: string
}

export interface Workgroup {
  readonly workgroup_id: string
  readonly name: string
  readonly platform: string
  readonly region: string
}

export interface Database {
  readonly database_id: string
  readonly workgroup_id: string
  readonly name: string
}

/** What can be asked of a workspace. */
export type Action = 'pause' | 'resume' | 'refresh' | 'delete' | 'backup' | 'restore' | 'activity'

export interface Overview {
  readonly org_name: string
  readonly base_path: string
  readonly brand: string
  readonly workgroups: readonly Workgroup[]
  readonly databases: readonly Database[]
  readonly workspaces: readonly Workspace[]
  readonly possible_in: Readonly<Record<Action, readonly string[]>>
}

export type ClockMode = 'real' | 'frozen' | 'poll'

export interface Clock {
  readonly mode: ClockMode
  readonly now: string
  readonly rate: number
}

export interface Due {
  readonly due: string | null
  readonly held: boolean
  readonly event: string
  readonly resource_id: string
  readonly request_id: string
}

export interface TimelineItem {
  readonly at: string
  readonly resource_id: string
  readonly transition: string
  readonly attribute: string
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  readonly request_id: string
}

export interface RequestSummary {
  readonly request_id: string
  readonly at: string
  readonly received: string
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly duration_ms: number
  readonly error: string | null
  readonly fault: { readonly id: string } | null
}

export interface RowChange {
  readonly table: string
  readonly change: 'insert' | 'update' | 'delete'
  readonly id: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface ScheduledEvent {
  readonly event: string
  readonly resource_id: string
  readonly due: string | null
  readonly held: boolean
  readonly state: 'pending' | 'fired' | 'cancelled'
  readonly at: string | null
  readonly cancelled_by: string | null
  readonly changes: readonly RowChange[]
}

export interface RequestRecord {
  readonly request: (RequestSummary & {
    readonly query: object; readonly body: unknown; readonly unread: readonly string[]; readonly reply: unknown
  }) | null
  readonly validation: { readonly ok: boolean; readonly faults: readonly { readonly field: string; readonly reason: string }[] }
  readonly fault: unknown
  readonly changes: readonly RowChange[]
  readonly events: readonly ScheduledEvent[]
  readonly timeline: readonly TimelineItem[]
  readonly omitted: number
}

export interface Backup {
  readonly id: string
  readonly tag: string
  readonly time: string
  readonly type: string
  readonly status: string
  readonly size_bytes: string
}

export interface Belongings {
  readonly backups: readonly Backup[]
  readonly restore_jobs: readonly { readonly name: string; readonly status: string; readonly output: string; readonly created_at: string }[]
  readonly backup_schedule: { readonly schedule: string; readonly pause: boolean; readonly max_backup_files: number } | null
  readonly schedules: readonly {
    readonly id: string; readonly repeat: string; readonly repeat_on?: string; readonly date?: string; readonly time: string; readonly timezone: string
    readonly workspace_type_name?: string
  }[]
}

export interface TransitionRule {
  readonly transition: string
  readonly resource_id?: string
  readonly after?: string
  readonly outcome?: string
  readonly reason?: string
  readonly times?: number
}

export interface Transitions {
  readonly rules: readonly TransitionRule[]
  readonly transitions: readonly { readonly name: string }[]
}

export interface FaultRule {
  readonly operation?: string
  readonly workspace_id?: string
  readonly after?: number
  readonly times?: number
  readonly probability?: number
  readonly phase?: string
  readonly effect: { readonly status?: number; readonly delay?: string | object; readonly reply?: string }
}

export interface Fault extends FaultRule {
  readonly id: string
  readonly seen: number
  readonly hits: number
}

export interface Snapshot {
  readonly name: string
  readonly created_at: string
}

export interface CoverageItem {
  readonly name: string
  readonly count: number
}

export type Dimension = 'operations' | 'statuses' | 'transitions' | 'guards' | 'errors' | 'faults'

export type Coverage = Readonly<Record<Dimension, readonly CoverageItem[]>> & {
  readonly summary: Readonly<Record<Dimension, { readonly exercised: number; readonly total: number }>>
}

/** What the stream tells. */
export type StreamEvent =
  | { readonly event: 'state'; readonly data: StateChange }
  | { readonly event: 'request'; readonly data: RequestSummary }
  | { readonly event: 'clock'; readonly data: Clock }
  | { readonly event: 'reset' | 'resync'; readonly data: object }

export interface StateChange {
  readonly at: string
  readonly complete: boolean
  readonly tables: readonly string[]
  readonly changed: { readonly workgroups: readonly Workgroup[]; readonly databases: readonly Database[]; readonly workspaces: readonly Workspace[] }
  readonly removed: { readonly workgroups: readonly string[]; readonly databases: readonly string[]; readonly workspaces: readonly string[] }
  readonly timeline: readonly TimelineItem[]
}

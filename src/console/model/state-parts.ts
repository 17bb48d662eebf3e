import type { PreparedState } from '../../documents/schemas.js'
import type { hostsBy } from '../../test-control/overview/hosts.js'
import type { Database, Due, TimelineItem, Workgroup, Workspace, WorkspaceDetails } from '../api/types.js'

/** An exported state document has all of its fields, which are optional in an import. */
type Whole<T> = T extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Whole<NonNullable<T[Name]>> }
    : T

type WholeGroup = Whole<NonNullable<PreparedState['workgroups']>[number]>
type WholeWorkspace = WholeGroup['workspaces'][number]

const groupsIn = (state: PreparedState) => (state.workgroups ?? []) as unknown as readonly WholeGroup[]

export function workgroupsIn(state: PreparedState): Workgroup[] {
  return groupsIn(state).map(({ id, name, platform, region }) => ({ workgroup_id: id, name, platform, region }))
}

export function databasesIn(state: PreparedState): Database[] {
  return groupsIn(state).flatMap(({ id: group, databases }) =>
    databases.map(({ id, name }) => ({ database_id: id, workgroup_id: group, name }))
  )
}

export function workspacesIn(state: PreparedState, hostOf: ReturnType<typeof hostsBy>): Workspace[] {
  const org = { orgId: state.org?.id ?? '' }
  return groupsIn(state).flatMap(({ id: group, region, workspaces }) =>
    workspaces.map(({ id, database, name, status, refresh_status, workspace_type_name, svc_version, is_rw }) => ({
      workspace_id: id,
      workgroup_id: group,
      database_id: database,
      name,
      status,
      refresh_status,
      workspace_type_name,
      svc_version,
      is_rw,
      host: hostOf({ id, workgroup: group, region }, org)
    }))
  )
}

/** The scheduled events, held ones first. */
export function eventsIn({ events = [] }: PreparedState): Due[] {
  const time = ({ due }: Due) => (due === null ? -Infinity : Date.parse(due))
  return events
    .map(({ event, workspace_id: resource, due, request_id: request = '' }): Due => ({
      due,
      held: due === null,
      event,
      resource_id: resource,
      request_id: request
    }))
    .sort((a, b) => time(a) - time(b))
}

export const timelineIn = ({ timeline = [] }: Partial<PreparedState>) => timeline as TimelineItem[]

type Contents = Omit<WholeWorkspace, 'backup_schedule'> & {
  readonly backup_schedule?: NonNullable<WorkspaceDetails['backup_schedule']>
}

/** Backups, restore jobs and schedules of a workspace, if it exists. */
export function belongingsIn(state: PreparedState, id: string): WorkspaceDetails | undefined {
  const workspace = groupsIn(state)
    .flatMap(({ workspaces }) => workspaces)
    .find((one) => one.id === id) as Contents | undefined
  if (workspace === undefined) return undefined
  const { backups, restore_jobs: jobs, backup_schedule: backupSchedule, schedules } = workspace
  return {
    backups: backups.map(({ size_bytes: size, ...backup }) => ({
      ...backup,
      type: backup.is_automatic ? 'automatic' : 'manual',
      size_bytes: String(size)
    })),
    restore_jobs: jobs.map(({ id: name, status, output, created_at: at }) => ({
      name,
      status,
      output,
      created_at: at
    })),
    backup_schedule: backupSchedule ?? null,
    schedules: schedules.map((schedule) => ({ workspace_id: id, ...schedule }))
  }
}

import { presentFault } from '../sandboxes/fault-rule.js'
import { presentTimelineEntry } from '../sim/views.js'
import { toRuleDocument } from '../sim/rule-document.js'
import { groupBy } from '../lib/group-by.js'
import { presentBackupSchedule } from '../resources/schedules/views.js'
import type { WorkspaceRecord } from '../resources/workspaces/store.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { toTimestamp } from '../lib/time.js'
import type { ClockState } from '../sim/clock.js'
import { finish, type Slices } from '../sim/slices.js'
import type { World } from '../control-plane.js'
import { FORMAT, type EventState, type PreparedState, type WorkgroupState, type WorkspaceState } from './schemas.js'

/** A sandbox as one document: all of it but its journal and its snapshots. What comes from the same state is the same text. */
export function exportState(world: World, sandbox: Sandbox): PreparedState {
  return finish(exportInSteps(world, sandbox))
}

/** {@link exportState}, in slices if the sandbox is large. */
export function readState(world: World, sandbox: Sandbox): PreparedState | Promise<PreparedState> {
  return world.read(sandbox, function* (isTimeUp) {
    const steps = exportInSteps(world, sandbox)
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      if (isTimeUp()) yield
    }
  })
}

/** As many workspaces are one step of an export. */
const STEP = 1000

/**
 * {@link exportState} in steps of some milliseconds. Nothing may be written in the sandbox between them.
 * @returns the document
 */
export function* exportInSteps(world: World, sandbox: Sandbox): Slices<PreparedState> {
  const { key, orgId, orgName, random, clock } = sandbox
  const workgroups: WorkgroupState[] = []
  let workspaces = 0
  const belongings = belongingsOf(world, key)
  yield
  for (const { cloudProviderId, enableAllowList, ...workgroup } of world.workgroups.list(key)) {
    const exported: WorkspaceState[] = []
    for (const workspace of world.workspaces.listOfWorkgroup(key, workgroup.id)) {
      exported.push(exportWorkspace(workspace, belongings))
      if (++workspaces % STEP === 0) yield
    }
    workgroups.push({
      id: workgroup.id,
      name: workgroup.name,
      creator: workgroup.creator,
      cloud_provider_id: cloudProviderId,
      platform: workgroup.platform,
      region: workgroup.region,
      allow_list: { enabled: enableAllowList, entries: (belongings.entries.get(workgroup.id) ?? []).map(({ id, cidr, note }) => ({ id, cidr, note })) },
      databases: (belongings.databases.get(workgroup.id) ?? []).map(({ id, name, svcVersion, createTime }) =>
        ({ id, name, svc_version: svcVersion, create_time: createTime })),
      workspaces: exported
    })
  }
  yield
  // By sequence, which decides what comes first of what is due at one time, now or after a release.
  const events = world.engine.dueEvents.list(key).sort((a, b) => a.sequence - b.sequence).map(({ kind, resource, due, payload, requestId }): EventState => ({
    event: kind, workspace_id: resource, due: due === null ? null : toTimestamp(due), payload, request_id: requestId
  }))
  yield
  const timeline = world.timeline.list(key).map(presentTimelineEntry)
  return {
    format: FORMAT,
    org: { id: orgId, name: orgName },
    random: { seed: random.seed, draws: random.draws },
    clock: exportClock(clock),
    quotas: world.quotas.list(key),
    transitions: world.engine.rules.list(key).map(toRuleDocument),
    faults: world.faults.list(key).map(presentFault),
    org_users: world.orgUsers.list(key).map(({ firstName, lastName, authId, lastLogin, roles, ...user }) => ({
      id: user.id,
      username: user.username,
      email: user.email,
      first_name: firstName,
      last_name: lastName,
      enabled: user.enabled,
      auth_id: authId,
      ...(lastLogin === null ? {} : { last_login: lastLogin }),
      roles: [...roles],
      created: user.created,
      updated: user.updated
    })),
    workgroups,
    events,
    timeline
  }
}

/** What belongs to workgroups and workspaces, by their ids: a statement for each kind, not for each workspace. */
function belongingsOf(world: World, key: number) {
  const ofWorkspace = ({ workspace }: { readonly workspace: string }) => workspace
  const ofWorkgroup = ({ workgroup }: { readonly workgroup: string }) => workgroup
  return {
    entries: groupBy(world.allowList.listAll(key), ofWorkgroup),
    databases: groupBy(world.databases.list(key), ofWorkgroup),
    backups: groupBy(world.backups.listAll(key), ofWorkspace),
    jobs: groupBy(world.backups.listAllJobs(key), ofWorkspace),
    backupSchedules: new Map(world.schedules.listAllBackup(key).map((schedule) => [schedule.workspace, schedule])),
    schedules: groupBy(world.schedules.listAll(key), ofWorkspace),
    users: groupBy(world.databaseUsers.listAll(key), ofWorkspace)
  }
}

/** A clock as the document has it. In mode `real` that is one reading of it, so that the text does not change while it runs. */
export function exportClock({ mode, base, anchor, rate }: ClockState): NonNullable<PreparedState['clock']> {
  if (mode !== 'real') return { mode, now: toTimestamp(base), rate }
  return base === anchor && rate === 1 ? { mode, rate } : { mode, now: toTimestamp(base), wall: toTimestamp(anchor), rate }
}

function exportWorkspace(workspace: WorkspaceRecord, belongings: ReturnType<typeof belongingsOf>): WorkspaceState {
  const { id } = workspace
  const backupSchedule = belongings.backupSchedules.get(id)
  return {
    id,
    name: workspace.name,
    database: workspace.database,
    creator: workspace.creator,
    status: workspace.status,
    refresh_status: workspace.refreshStatus,
    refresh_message: workspace.refreshMessage,
    ...(workspace.snapshotTime === null ? {} : { snapshot_time: workspace.snapshotTime }),
    svc_version: workspace.svcVersion,
    version_number: workspace.versionNumber,
    workspace_type_name: workspace.typeName,
    is_rw: workspace.isRw,
    enable_ha: workspace.enableHa,
    enable_auto_start: workspace.enableAutoStart,
    auto_stop_minutes: workspace.autoStopMinutes,
    addons: workspace.addons as NonNullable<WorkspaceState['addons']>,
    agent_config: workspace.agentConfig,
    ...(workspace.solutionCatalogId === null ? {} : { solution_catalog_id: workspace.solutionCatalogId }),
    last_active: toTimestamp(workspace.lastActive),
    created_at: workspace.createdAt,
    last_modified_time: workspace.lastModifiedTime,
    backups: (belongings.backups.get(id) ?? []).map(({ isAutomatic, sizeBytes, ...backup }) => ({
      id: backup.id, tag: backup.tag, time: backup.time, is_automatic: isAutomatic, status: backup.status, size_bytes: sizeBytes, version: backup.version
    })),
    restore_jobs: (belongings.jobs.get(id) ?? []).map(({ id: job, status, output, createdAt }) => ({ id: job, status, output, created_at: createdAt })),
    ...(backupSchedule === undefined ? {} : { backup_schedule: presentBackupSchedule(backupSchedule) }),
    schedules: (belongings.schedules.get(id) ?? []).map(({ repeatOn, date, workspaceTypeName, ...schedule }) => ({
      id: schedule.id,
      repeat: schedule.repeat,
      ...(repeatOn === null ? {} : { repeat_on: repeatOn }),
      ...(date === null ? {} : { date }),
      time: schedule.time,
      timezone: schedule.timezone,
      ...(workspaceTypeName === null ? {} : { workspace_type_name: workspaceTypeName })
    })),
    users: (belongings.users.get(id) ?? []).map(({ passwordHash, ...user }) => ({
      id: user.id, username: user.username, password_hash: passwordHash, created: user.created, updated: user.updated
    }))
  }
}

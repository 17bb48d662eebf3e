import { presentFault } from '../control/faults/rule.js'
import { presentTimelineEntry } from '../control/simulation/present.js'
import { listRules } from '../control/simulation/transitions.js'
import { presentBackupSchedule } from '../resources/schedules/present.js'
import type { WorkspaceRecord } from '../resources/workspaces/store.js'
import type { Sandbox } from '../sandboxes/registry.js'
import { toTimestamp, type ClockState } from '../sim/clock.js'
import type { World } from '../world.js'
import { FORMAT, type EventState, type PreparedState, type WorkgroupState, type WorkspaceState } from './schemas.js'

/** A sandbox as one document: all of it but its journal and its snapshots. What comes from the same state is the same text. */
export function exportState(world: World, sandbox: Sandbox): PreparedState {
  const { key, orgId, orgName, random, clock } = sandbox
  return {
    format: FORMAT,
    org: { id: orgId, name: orgName },
    random: { seed: random.seed, draws: random.draws },
    clock: exportClock(clock),
    quotas: world.quotas.list(key),
    transitions: listRules(world, sandbox),
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
    workgroups: world.workgroups.list(key).map(({ cloudProviderId, enableAllowList, ...workgroup }): WorkgroupState => ({
      id: workgroup.id,
      name: workgroup.name,
      creator: workgroup.creator,
      cloud_provider_id: cloudProviderId,
      platform: workgroup.platform,
      region: workgroup.region,
      allow_list: { enabled: enableAllowList, entries: world.allowList.list(key, workgroup.id) },
      databases: world.databases.listOfWorkgroup(key, workgroup.id).map(({ id, name, svcVersion, createTime }) =>
        ({ id, name, svc_version: svcVersion, create_time: createTime })),
      workspaces: world.workspaces.listOfWorkgroup(key, workgroup.id).map((workspace) => exportWorkspace(world, sandbox, workspace))
    })),
    // By sequence, which decides what comes first of what is due at one time, now or after a release.
    events: world.engine.dueEvents.list(key).sort((a, b) => a.sequence - b.sequence).map(({ kind, resource, due, payload, requestId }): EventState => ({
      event: kind, workspace_id: resource, due: due === null ? null : toTimestamp(due), payload, request_id: requestId
    })),
    timeline: world.timeline.list(key).map(presentTimelineEntry)
  }
}

/** A clock as the document has it. In mode `real` that is one reading of it, so that the text does not change while it runs. */
export function exportClock({ mode, base, anchor, rate }: ClockState): NonNullable<PreparedState['clock']> {
  if (mode !== 'real') return { mode, now: toTimestamp(base), rate }
  return base === anchor && rate === 1 ? { mode, rate } : { mode, now: toTimestamp(base), wall: toTimestamp(anchor), rate }
}

function exportWorkspace(world: World, { key }: Sandbox, workspace: WorkspaceRecord): WorkspaceState {
  const { id } = workspace
  const backupSchedule = world.schedules.findBackup(key, id)
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
    backups: world.backups.list(key, id).map(({ isAutomatic, sizeBytes, ...backup }) => ({
      id: backup.id, tag: backup.tag, time: backup.time, is_automatic: isAutomatic, status: backup.status, size_bytes: sizeBytes, version: backup.version
    })),
    restore_jobs: world.backups.listJobs(key, id).map(({ id: job, status, output, createdAt }) => ({ id: job, status, output, created_at: createdAt })),
    ...(backupSchedule === undefined ? {} : { backup_schedule: presentBackupSchedule(backupSchedule) }),
    schedules: world.schedules.list(key, id).map(({ repeatOn, date, workspaceTypeName, ...schedule }) => ({
      id: schedule.id,
      repeat: schedule.repeat,
      ...(repeatOn === null ? {} : { repeat_on: repeatOn }),
      ...(date === null ? {} : { date }),
      time: schedule.time,
      timezone: schedule.timezone,
      ...(workspaceTypeName === null ? {} : { workspace_type_name: workspaceTypeName })
    })),
    users: world.databaseUsers.list(key, id).map(({ passwordHash, ...user }) => ({
      id: user.id, username: user.username, password_hash: passwordHash, created: user.created, updated: user.updated
    }))
  }
}

import { type Static, Type } from '@sinclair/typebox'
import { fieldNotAllowed, ServiceError } from '../../interface/errors.js'
import { FIRST_TIME, toTimestamp } from '../../lib/time.js'
import type { Engine } from '../../sim/engine.js'
import { defineEvent, Id, NOTHING } from '../../sim/events.js'
import type { BackupRecord } from '../backups/fields.js'
import type { BackupLifecycle } from '../backups/transitions.js'
import type { Tx } from '../tx.js'
import type { WorkspaceRecord } from '../workspaces/fields.js'
import { guardIdsOf, PAUSE, readOnlyGuardId, RESIZE, RESUME, UPDATABLE } from '../workspaces/lifecycle.js'
import { guard, requireReadWrite, type WorkspaceLifecycle } from '../workspaces/transitions.js'
import type { BackupScheduleRecord, WorkspaceScheduleRecord } from './fields.js'
import { nextOfCron, nextOfSchedule } from './times.js'

/** A backup schedule fires. */
export const BACKUP_FIRING = defineEvent('backup.schedule', NOTHING)
/** A failed automatic backup is retried. */
export const BACKUP_RETRY = defineEvent('backup.retry', Type.Object({ retries: Type.Integer({ minimum: 0 }) }))
/** A workspace schedule fires. */
export const WORKSPACE_FIRING = defineEvent(
  'workspace.schedule',
  Type.Object({ schedule: Id, waited: Type.Optional(Type.Boolean()) })
)

/** A schedule, in guard ids. */
const SCHEDULE = 'a schedule'

/** The ids of the guards by which a workspace can refuse a schedule. */
export const SCHEDULE_GUARDS: readonly string[] = [...guardIdsOf(SCHEDULE, UPDATABLE), readOnlyGuardId('backed up')]

const DAY = 86_400_000
/** The transitions that schedules begin. */
const SCHEDULED = [PAUSE, RESUME, RESIZE]

/** Delay before a failed backup is retried. */
const RETRY_MS = 60_000

/** How schedules act over time. Every method must be called within a write. */
export class ScheduleLifecycle {
  constructor(
    engine: Engine<Tx>,
    private readonly workspaces: WorkspaceLifecycle,
    private readonly backups: BackupLifecycle
  ) {
    engine.onEvent(BACKUP_FIRING, (tx, { resource }) => this.#fireBackup(tx, resource))
    engine.onEvent(BACKUP_RETRY, (tx, { resource, payload }) => this.#backUp(tx, resource, payload.retries))
    engine.onEvent(WORKSPACE_FIRING, (tx, { resource, payload }) => this.#fireWorkspace(tx, resource, payload))
    backups.onBackupEnd = (tx, backup, retries) => this.#afterBackup(tx, backup, retries)
  }

  /**
   * Sets the backup schedule of a workspace, replacing the previous one. The cron line must have been checked.
   * @throws {ServiceError} if the workspace is read-only or being deleted, or there would be too many resources
   */
  setBackup(tx: Tx, workspace: WorkspaceRecord, schedule: BackupScheduleRecord): void {
    requireReadWrite(workspace, 'backed up')
    guard(tx.profile, SCHEDULE, UPDATABLE, workspace)
    if (tx.backupSchedules.find(workspace.id) === undefined) tx.resources.take()
    tx.backupSchedules.set(schedule)
    tx.cancel(workspace.id, [BACKUP_FIRING, BACKUP_RETRY])
    if (!schedule.pause) this.#planBackup(tx, workspace.id, schedule)
  }

  /**
   * Adds a workspace schedule, or replaces the one with its id.
   * @throws {ServiceError} if its only time is in the past, its id is that of another workspace's schedule, the
   * workspace is being deleted, or there would be too many resources
   */
  set(tx: Tx, workspace: WorkspaceRecord, schedule: WorkspaceScheduleRecord): void {
    guard(tx.profile, SCHEDULE, UPDATABLE, workspace)
    const { workspaceTypeName: typeName } = schedule
    if (typeName !== null && typeName !== workspace.typeName) requireReadWrite(workspace, 'resized')
    const next = nextOfSchedule(schedule, tx.now)
    if (next === undefined)
      throw fieldNotAllowed(
        'date',
        `and time (${schedule.date!} ${schedule.time} in ${schedule.timezone}) must not be in the past; it ` +
          `is ${tx.timestamp}`
      )
    if (tx.schedules.find(workspace.id, schedule.id) === undefined) {
      if (tx.schedules.findAnywhere(schedule.id) !== undefined)
        throw fieldNotAllowed('id', `${schedule.id} is a schedule of another workspace`)
      tx.resources.take()
    }
    this.#cancel(tx, workspace.id, schedule.id)
    tx.schedules.set(schedule)
    this.#plan(tx, workspace.id, schedule.id, next)
  }

  /** @throws {ServiceError} if the workspace has no such schedule */
  remove(tx: Tx, workspace: WorkspaceRecord, id: string): void {
    if (tx.schedules.remove(workspace.id, id) === 0) {
      throw fieldNotAllowed('id', `${id} is not a schedule of this workspace`)
    }
    this.#cancel(tx, workspace.id, id)
  }

  /** Schedules the next firing of each schedule of a workspace that was loaded in its current state. */
  scheduleFromState(tx: Tx, workspace: WorkspaceRecord): void {
    const backup = tx.backupSchedules.find(workspace.id)
    if (backup?.pause === false) this.#planBackup(tx, workspace.id, backup)
    for (const schedule of tx.schedules.list(workspace.id)) {
      this.#plan(tx, workspace.id, schedule.id, nextOfSchedule(schedule, tx.now))
    }
  }

  #fireBackup(tx: Tx, id: string): void {
    const schedule = tx.backupSchedules.find(id)!
    this.#planBackup(tx, id, schedule)
    this.#backUp(tx, id, schedule.maxRetry)
  }

  /** Makes an automatic backup, if the workspace, the quota and the resource limit allow it. */
  #backUp(tx: Tx, id: string, retries: number): void {
    const workspace = tx.workspaces.find(id)!
    this.#attempt(tx, id, 'backup.run', () => {
      const spare = this.#removedBySuccess(tx, id)
      tx.quotas.check('automatic_backups', (rule) => tx.backups.countFor(true, rule, workspace) - spare)
      tx.resources.take()
      this.backups.run(tx, workspace, { isAutomatic: true, retries })
    })
  }

  /** How many automatic backups of a workspace are removed when one more succeeds. */
  #removedBySuccess(tx: Tx, workspace: string): number {
    const atMost = tx.backupSchedules.find(workspace)?.maxBackupFiles ?? Infinity
    return Math.max(0, tx.backups.succeeded(workspace) + 1 - atMost)
  }

  /** Retries a failed backup. After a success, removes backups that are too old, and the oldest if too many. */
  #afterBackup(tx: Tx, backup: BackupRecord, retries: number): void {
    if (!backup.isAutomatic) return
    if (backup.status !== 'Succeeded') {
      if (retries > 0) tx.schedule(BACKUP_RETRY, backup.workspace, tx.now + RETRY_MS, { retries: retries - 1 })
      return
    }
    const schedule = tx.backupSchedules.find(backup.workspace)
    if (schedule === undefined) return
    const since = toTimestamp(Math.max(tx.now - schedule.maxReservedDays * DAY, FIRST_TIME))
    tx.backups.retain(backup.workspace, { since, atMost: schedule.maxBackupFiles })
  }

  #fireWorkspace(tx: Tx, workspaceId: string, payload: Static<typeof WORKSPACE_FIRING.payload>): void {
    const { schedule: id, waited = false } = payload
    const schedule = tx.schedules.find(workspaceId, id)!
    if (!waited) this.#plan(tx, workspaceId, id, nextOfSchedule(schedule, tx.now))
    const workspace = tx.workspaces.find(workspaceId)!
    // A transition that began at this very moment was started by another schedule: wait for its end.
    const end = workspace.statusSince === tx.timestamp ? tx.endOf(workspaceId, SCHEDULED) : undefined
    if (end !== undefined) {
      tx.schedule(WORKSPACE_FIRING, workspaceId, end, { schedule: id, waited: true })
      return
    }
    this.#attempt(tx, workspaceId, WORKSPACE_FIRING.name, () => {
      if (schedule.workspaceTypeName === null) this.workspaces.ensurePaused(tx, workspace)
      else this.workspaces.ensureRunningAs(tx, workspace, schedule.workspaceTypeName)
    })
  }

  /** If the action is not allowed, skips it and says so in the timeline. */
  #attempt(tx: Tx, resource: string, transition: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      tx.note({ resource, transition, attribute: 'firing', from: null, to: 'skipped', reason: error.message })
    }
  }

  #planBackup(tx: Tx, workspace: string, { schedule }: BackupScheduleRecord): void {
    const due = nextOfCron(schedule, tx.now)
    if (due !== undefined) tx.schedule(BACKUP_FIRING, workspace, due, {})
  }

  #plan(tx: Tx, workspace: string, id: string, due: number | undefined): void {
    if (due !== undefined) tx.schedule(WORKSPACE_FIRING, workspace, due, { schedule: id })
  }

  #cancel(tx: Tx, workspace: string, id: string): void {
    tx.cancelWhere(workspace, WORKSPACE_FIRING, ({ schedule }) => schedule === id)
  }
}

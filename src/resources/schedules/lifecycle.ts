import { fieldNotAllowed, ServiceError } from '../../lib/errors.js'
import type { QuotaStore } from '../../sandboxes/quotas.js'
import type { ResourceLimit } from '../../sandboxes/resources.js'
import { FIRST_TIME, toTimestamp } from '../../lib/time.js'
import type { Engine } from '../../sim/engine.js'
import type { Timeline } from '../../sim/timeline.js'
import type { Turn } from '../../sim/tx.js'
import type { BackupLifecycle } from '../backups/lifecycle.js'
import type { BackupRecord, BackupStore } from '../backups/store.js'
import { guard, readOnlyRefusal, refusalsOf, requireReadWrite, UPDATABLE, type WorkspaceLifecycle } from '../workspaces/lifecycle.js'
import type { WorkspaceRecord, WorkspaceStore } from '../workspaces/store.js'
import type { BackupScheduleRecord, ScheduleStore, WorkspaceScheduleRecord } from './store.js'
import { nextOfCron, nextOfSchedule } from './times.js'

/** A backup schedule fires. */
const BACKUP_FIRING = 'backup.schedule'
/** A failed backup is tried again. */
const BACKUP_RETRY = 'backup.retry'
/** A workspace schedule fires. */
const WORKSPACE_FIRING = 'workspace.schedule'

/** What the guard of a schedule calls it. */
const SCHEDULE = 'a schedule'

/** Every refusal of an operation by the state of a workspace, in short. */
export const SCHEDULE_REFUSALS: readonly string[] = [...refusalsOf(SCHEDULE, UPDATABLE), readOnlyRefusal('backed up')]

const DAY = 86_400_000
/** How long after a failed backup the next try begins. */
const RETRY_MS = 60_000

interface Parts {
  readonly engine: Engine
  readonly timeline: Timeline
  readonly quotas: QuotaStore
  readonly resources: ResourceLimit
  readonly schedules: ScheduleStore
  readonly workspaces: WorkspaceStore
  readonly workspaceLifecycle: WorkspaceLifecycle
  readonly backups: BackupStore
  readonly backupLifecycle: BackupLifecycle
}

/** What schedules do over time. Every method must be called within a write. */
export class ScheduleLifecycle {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    parts.engine.onEvent(BACKUP_FIRING, (turn, { resource }) => { this.#fireBackup(turn, resource) })
    parts.engine.onEvent(BACKUP_RETRY, (turn, { resource, payload }) => { this.#backUp(turn, resource, payload['retries'] as number) })
    parts.engine.onEvent(WORKSPACE_FIRING, (turn, { resource, payload }) => { this.#fireWorkspace(turn, resource, payload['schedule'] as string) })
    parts.backupLifecycle.onBackupEnd((turn, backup, payload) => { this.#afterBackup(turn, backup, payload) })
  }

  /**
   * Sets the backup schedule of a workspace, with a cron line that has been checked; it takes the place of the one before.
   * @throws {ServiceError} if the workspace is read-only or being deleted, or it would be a resource too many
   */
  setBackup(turn: Turn, workspace: WorkspaceRecord, schedule: BackupScheduleRecord): void {
    requireReadWrite(workspace, 'backed up')
    refuseTerminating(workspace)
    if (this.#parts.schedules.findBackup(turn.sandbox.key, workspace.id) === undefined) this.#parts.resources.take(turn.sandbox.key)
    this.#parts.schedules.setBackup(turn.sandbox.key, workspace.id, schedule)
    this.#parts.engine.cancel(turn, workspace.id, [BACKUP_FIRING, BACKUP_RETRY])
    if (!schedule.pause) this.#planBackup(turn, workspace.id, schedule)
  }

  /**
   * Adds a workspace schedule, or replaces the one with its id.
   * @throws {ServiceError} if its one time is in the past, the workspace is being deleted, or it would be a resource too many
   */
  set(turn: Turn, workspace: WorkspaceRecord, schedule: WorkspaceScheduleRecord): void {
    refuseTerminating(workspace)
    const next = nextOfSchedule(schedule, turn.now)
    if (next === undefined) throw fieldNotAllowed('date', `and time (${schedule.date!} ${schedule.time} in ${schedule.timezone}) must not be in the past; it is ${turn.timestamp}`)
    if (this.#parts.schedules.find(turn.sandbox.key, workspace.id, schedule.id) === undefined) this.#parts.resources.take(turn.sandbox.key)
    this.#cancel(turn, workspace.id, schedule.id)
    this.#parts.schedules.set(turn.sandbox.key, workspace.id, schedule)
    this.#plan(turn, workspace.id, schedule.id, next)
  }

  /** @throws {ServiceError} if the workspace has no such schedule */
  remove(turn: Turn, workspace: WorkspaceRecord, id: string): void {
    if (!this.#parts.schedules.remove(turn.sandbox.key, workspace.id, id)) {
      throw fieldNotAllowed('id', `${id} is not a schedule of this workspace`)
    }
    this.#cancel(turn, workspace.id, id)
  }

  /** Plans the next firing of each schedule of a workspace that was put there as it is. */
  adopt(turn: Turn, workspace: WorkspaceRecord): void {
    const { schedules } = this.#parts
    const backup = schedules.findBackup(turn.sandbox.key, workspace.id)
    if (backup?.pause === false) this.#planBackup(turn, workspace.id, backup)
    for (const schedule of schedules.list(turn.sandbox.key, workspace.id)) {
      this.#plan(turn, workspace.id, schedule.id, nextOfSchedule(schedule, turn.now))
    }
  }

  #fireBackup(turn: Turn, id: string): void {
    const schedule = this.#parts.schedules.findBackup(turn.sandbox.key, id)!
    this.#planBackup(turn, id, schedule)
    this.#backUp(turn, id, schedule.maxRetry)
  }

  /** Makes an automatic backup, if the workspace, the quota and the room in the sandbox allow it. */
  #backUp(turn: Turn, id: string, retries: number): void {
    const { key } = turn.sandbox
    const { workspaces, backups, backupLifecycle, quotas, resources } = this.#parts
    const workspace = workspaces.find(key, id)!
    this.#attempt(turn, id, 'backup.run', () => {
      quotas.check(key, 'automatic_backups', () => backups.countOfKind(key, true))
      resources.take(key)
      backupLifecycle.run(turn, workspace, { isAutomatic: true }, { retries })
    })
  }

  /** Tries again what has failed; after a success, removes what is too old or too much, the oldest first. */
  #afterBackup(turn: Turn, backup: BackupRecord, { retries = 0 }: { readonly retries?: number }): void {
    if (!backup.isAutomatic) return
    if (backup.status !== 'Succeeded') {
      if (retries > 0) {
        this.#schedule(turn, BACKUP_RETRY, backup.workspace, turn.now + RETRY_MS, { retries: retries - 1 })
      }
      return
    }
    const { key } = turn.sandbox
    const schedule = this.#parts.schedules.findBackup(key, backup.workspace)
    if (schedule === undefined) return
    const since = toTimestamp(Math.max(turn.now - schedule.maxReservedDays * DAY, FIRST_TIME))
    this.#parts.backups.retain(key, backup.workspace, { since, atMost: schedule.maxBackupFiles })
  }

  #fireWorkspace(turn: Turn, workspaceId: string, id: string): void {
    const { schedules, workspaces, workspaceLifecycle } = this.#parts
    const schedule = schedules.find(turn.sandbox.key, workspaceId, id)!
    this.#plan(turn, workspaceId, id, nextOfSchedule(schedule, turn.now))
    const workspace = workspaces.find(turn.sandbox.key, workspaceId)!
    this.#attempt(turn, workspaceId, WORKSPACE_FIRING, () => {
      if (schedule.workspaceTypeName === null) workspaceLifecycle.pause(turn, workspace)
      else workspaceLifecycle.bringTo(turn, workspace, schedule.workspaceTypeName)
    })
  }

  /** What a rule forbids at the moment of a firing is left out, and the timeline says so. */
  #attempt(turn: Turn, resource: string, transition: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#parts.timeline.add(turn, { resource, transition, attribute: 'firing', from: null, to: 'skipped', reason: error.message })
    }
  }

  #planBackup(turn: Turn, workspace: string, { schedule }: BackupScheduleRecord): void {
    this.#schedule(turn, BACKUP_FIRING, workspace, nextOfCron(schedule, turn.now), {})
  }

  #plan(turn: Turn, workspace: string, id: string, due: number | undefined): void {
    this.#schedule(turn, WORKSPACE_FIRING, workspace, due, { schedule: id })
  }

  #schedule(turn: Turn, kind: string, resource: string, due: number | undefined, payload: Record<string, unknown>): void {
    if (due !== undefined) this.#parts.engine.schedule(turn, { kind, resource, due, payload, requestId: turn.requestId })
  }

  #cancel({ sandbox }: Turn, workspace: string, id: string): void {
    const { dueEvents } = this.#parts.engine
    for (const { sequence, payload } of dueEvents.listOfResource(sandbox.key, workspace, WORKSPACE_FIRING)) {
      if (payload['schedule'] === id) dueEvents.remove(sandbox.key, sequence)
    }
  }
}

function refuseTerminating(workspace: WorkspaceRecord): void {
  guard(SCHEDULE, UPDATABLE, workspace)
}

import { fieldNotAllowed } from '../../lib/errors.js'
import type { Ending, Engine } from '../../sim/engine.js'
import type { Transition } from '../../sim/state-machine.js'
import type { Timeline } from '../../sim/timeline.js'
import type { Turn } from '../../sim/tx.js'
import { guard, readOnlyRefusal, refusalsOf, requireReadWrite, WORKSPACE_TRANSITIONS, type WorkspaceLifecycle } from '../workspaces/lifecycle.js'
import type { WorkspaceRecord } from '../workspaces/store.js'
import type { BackupRecord, BackupStore, RestoreJobRecord } from './store.js'

/** States of a backup, with what each means. All are assumed. */
export const BACKUP_STATES = {
  Running: 'being made',
  Succeeded: 'there to be restored',
  Failed: 'nothing was saved'
} as const

/** States of a restore job, with what each means. All are assumed. */
export const RESTORE_STATES = {
  Pending: 'accepted, not begun',
  Running: 'at work',
  Succeeded: 'the workspace is as it was at the time of the backup',
  Failed: 'the workspace is `Failed`, or the job was interrupted; the last line of `output` says why'
} as const

/** The making of a backup. It begins while the workspace is Active, and does not change its state. */
export const BACKUP: Transition<keyof typeof BACKUP_STATES> = {
  name: 'backup.run', trigger: 'backup schedule, control API',
  from: [], already: [], through: 'Running', to: ['Succeeded'], failsTo: 'Failed',
  duration: { instant: 0, fast: 2000, realistic: 180_000 }
}
/** States of a workspace in which a backup can begin. */
export const BACKED_UP_IN = ['Active'] as const

const { restore: RESTORE } = WORKSPACE_TRANSITIONS

/** Every refusal of an operation by the state of a workspace, in short. */
export const RESTORE_REFUSALS: readonly string[] = [...refusalsOf(RESTORE.name, RESTORE.from), readOnlyRefusal('restored')]

/** The event that lets a pending restore job begin to work. */
const RESTORE_STEP = 'restore.step'

/** What a successful backup is said to take up; the mock has no data. */
const SIZE_BYTES = 1_048_576

/** What is told of a backup that has ended. */
export type BackupEnd = (turn: Turn, backup: BackupRecord, payload: Ending['payload']) => void

/** What backups and restore jobs do over time. Every method must be called within a write. */
export class BackupLifecycle {
  readonly #engine: Engine
  readonly #timeline: Timeline
  readonly #store: BackupStore
  readonly #workspaces: WorkspaceLifecycle
  readonly #onEnd: BackupEnd[] = []

  constructor(engine: Engine, timeline: Timeline, store: BackupStore, workspaces: WorkspaceLifecycle) {
    this.#engine = engine
    this.#timeline = timeline
    this.#store = store
    this.#workspaces = workspaces
    engine.onEnd(BACKUP, (turn, ending) => { this.#endBackup(turn, ending) })
    engine.onEvent(RESTORE_STEP, (turn, { payload }) => { this.#work(turn, payload['job'] as string) })
    workspaces.observe({
      ended: (turn, transition, ending) => { if (transition.name === RESTORE.name) this.#endRestore(turn, ending) },
      interrupted: (turn, transition, workspace) => { this.#interrupt(turn, transition, workspace) }
    })
  }

  /** Kinds of events that bring a restore job further. */
  readonly restoreEvents = [RESTORE_STEP, RESTORE.name] as const

  /** Tells of every backup that ends. */
  onBackupEnd(listener: BackupEnd): void {
    this.#onEnd.push(listener)
  }

  /**
   * Begins a backup. The payload comes back at its end.
   * @throws {ServiceError} if the workspace is read-only or not active
   */
  run(turn: Turn, workspace: WorkspaceRecord, { tag, isAutomatic }: { tag?: string; isAutomatic: boolean }, payload: Ending['payload'] = {}): BackupRecord {
    requireReadWrite(workspace, 'backed up')
    guard(BACKUP.name, BACKED_UP_IN, workspace)
    const backup: BackupRecord = {
      id: turn.newId(),
      workspace: workspace.id,
      tag: tag ?? `${isAutomatic ? 'automatic' : 'manual'}-${turn.timestamp}`,
      time: turn.timestamp,
      isAutomatic,
      status: BACKUP.through,
      sizeBytes: 0,
      version: workspace.svcVersion
    }
    this.#store.insert(turn.sandbox.key, backup)
    this.#note(turn, BACKUP, backup.id, null, BACKUP.through)
    this.#engine.begin(turn, BACKUP, workspace.id, { ...payload, backup: backup.id })
    return this.#store.find(turn.sandbox.key, backup.id) ?? backup
  }

  /** @throws {ServiceError} if the workspace has no such backup, or it is being made */
  remove(turn: Turn, workspace: WorkspaceRecord, id: string): void {
    const backup = this.#find(turn, workspace, id)
    if (backup.status === BACKUP.through) throw fieldNotAllowed('backup_id', `${id} is still ${backup.status}; delete it when it has ended`)
    this.#store.remove(turn.sandbox.key, id)
  }

  /**
   * Begins to restore a workspace.
   * @returns the id of the job
   * @throws {ServiceError} if the workspace is read-only or not active, or has no such backup that succeeded
   */
  restore(turn: Turn, workspace: WorkspaceRecord, backupId: string): string {
    requireReadWrite(workspace, 'restored')
    guard(RESTORE.name, RESTORE.from, workspace)
    const backup = this.#find(turn, workspace, backupId)
    if (backup.status !== 'Succeeded') throw fieldNotAllowed('backup_id', `${backupId} is ${backup.status}; only a backup that has Succeeded can be restored`)
    const job = turn.newId()
    this.#store.insertJob(turn.sandbox.key, {
      id: job, workspace: workspace.id, status: 'Pending', output: `Restore of backup ${backup.tag} requested.\n`, createdAt: turn.timestamp
    })
    this.#note(turn, RESTORE, job, null, 'Pending')
    this.#planWork(turn, workspace.id, job, this.#workspaces.restore(turn, workspace, { job }))
    return job
  }

  /** Plans what is due for the backups and the restore job of a workspace that was put there as it is, as if they had begun now. */
  adopt(turn: Turn, workspace: WorkspaceRecord): void {
    for (const backup of this.#store.list(turn.sandbox.key, workspace.id)) {
      if (backup.status === BACKUP.through) this.#engine.begin(turn, BACKUP, workspace.id, { backup: backup.id })
    }
    if (workspace.status !== RESTORE.through) return
    const job = this.#store.newestJob(turn.sandbox.key, workspace.id)!
    this.#planWork(turn, workspace.id, job.id, this.#engine.begin(turn, RESTORE, workspace.id, { job: job.id }))
  }

  /** Whether a restore job is not over. */
  isUnderWay({ status }: RestoreJobRecord): boolean {
    return status === 'Pending' || status === 'Running'
  }

  /** A job is pending for a third of its time. */
  #planWork(turn: Turn, workspace: string, job: string, ends: number): void {
    if (ends <= turn.now) return
    const whole = ends === Infinity ? this.#engine.durationOf(RESTORE) : ends - turn.now
    const due = turn.now + Math.floor(whole / 3)
    this.#engine.schedule(turn, { kind: RESTORE_STEP, resource: workspace, due, payload: { job }, requestId: turn.requestId })
  }

  #work(turn: Turn, id: string): void {
    const job = this.#store.findJob(turn.sandbox.key, id)!
    if (job.status === 'Pending') this.#setJob(turn, job, 'Running', 'The workspace was taken out of service; reading the backup.')
  }

  #endRestore(turn: Turn, { resource, payload, failed, reason }: Ending): void {
    const id = payload['job'] as string
    // One that was held may be released before its first third has passed.
    this.#engine.cancel(turn, resource, [RESTORE_STEP])
    this.#work(turn, id)
    const job = this.#store.findJob(turn.sandbox.key, id)!
    if (failed) this.#setJob(turn, job, 'Failed', reason ?? '')
    else this.#setJob(turn, job, 'Succeeded', 'The backup was restored; the workspace is in service again.')
  }

  /** Another transition of the workspace has ended what ran on it. */
  #interrupt(turn: Turn, by: Transition, workspace: string): void {
    this.#engine.cancel(turn, workspace, [RESTORE_STEP])
    const job = this.#store.newestJob(turn.sandbox.key, workspace)
    if (job !== undefined && this.isUnderWay(job)) this.#setJob(turn, job, 'Failed', `Interrupted by ${by.name}.`)
  }

  #setJob(turn: Turn, job: RestoreJobRecord, status: keyof typeof RESTORE_STATES, line: string): void {
    this.#store.saveJob(turn.sandbox.key, { ...job, status, output: `${job.output}${line}\n` })
    this.#note(turn, RESTORE, job.id, job.status, status, status === 'Failed' ? line : null)
  }

  #endBackup(turn: Turn, { payload, failed, reason }: Ending): void {
    const { backup: id, ...rest } = payload as { backup: string }
    const status = failed ? BACKUP.failsTo : BACKUP.to[0]!
    this.#store.finish(turn.sandbox.key, id, status, failed ? 0 : SIZE_BYTES)
    this.#note(turn, BACKUP, id, BACKUP.through, status, failed ? reason : null)
    const backup = this.#store.find(turn.sandbox.key, id)!
    for (const listener of this.#onEnd) listener(turn, backup, rest)
  }

  #find(turn: Turn, workspace: WorkspaceRecord, id: string): BackupRecord {
    const backup = this.#store.find(turn.sandbox.key, id)
    if (backup?.workspace !== workspace.id) throw fieldNotAllowed('backup_id', `${id} is not a backup of this workspace`)
    return backup
  }

  #note(turn: Turn, { name }: Transition, resource: string, from: string | null, to: string, reason: string | null = null): void {
    this.#timeline.add(turn, { resource, transition: name, attribute: 'status', from, to, reason })
  }
}

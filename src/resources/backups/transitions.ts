import { fieldNotAllowed } from '../../interface/errors.js'
import type { Ending, Engine } from '../../sim/engine.js'
import type { Transition } from '../../sim/state-machine.js'
import type { WithExtra } from '../extra.js'
import type { Tx } from '../tx.js'
import type { WorkspaceRecord } from '../workspaces/fields.js'
import { RESTORE } from '../workspaces/lifecycle.js'
import { guard, requestableIn, requireReadWrite, type WorkspaceLifecycle } from '../workspaces/transitions.js'
import { type BackupRecord, newBackup, newJob, type RestoreJobRecord } from './fields.js'
import { BACKED_UP_IN, BACKUP, BACKUP_END, type RESTORE_STATES, RESTORE_STEP, UNFINISHED_JOB } from './lifecycle.js'

/** Reported size of a successful backup; the mock has no data. */
const SIZE_BYTES = 1_048_576

interface NewBackup {
  readonly tag?: string
  readonly isAutomatic: boolean
  /** How many retries are left if it fails. */
  readonly retries?: number
}

/** How backups and restore jobs change over time. Every method must be called within a write. */
export class BackupLifecycle {
  constructor(
    private readonly engine: Engine<Tx>,
    private readonly workspaces: WorkspaceLifecycle
  ) {
    engine.onEnd(BACKUP_END, (tx, ending) => this.#endBackup(tx, ending))
    engine.onEvent(RESTORE_STEP, (tx, { payload }) => this.#work(tx, payload.job))
    workspaces.observer = {
      restored: (tx, ending) => this.#endRestore(tx, ending),
      interrupted: (tx, transition, workspace) => this.#interrupt(tx, transition, workspace)
    }
  }

  /** Kinds of events that advance a restore job. */
  readonly restoreEvents = [RESTORE_STEP.name, RESTORE.name] as const

  /** Called with a backup that has ended, and how many retries are left. */
  onBackupEnd!: (tx: Tx, backup: BackupRecord, retries: number) => void

  /** Starts a backup. @throws {ServiceError} if the workspace is read-only or not active */
  run(tx: Tx, workspace: WorkspaceRecord, { tag, isAutomatic, retries }: NewBackup): BackupRecord {
    requireReadWrite(workspace, 'backed up')
    const possible = isAutomatic ? BACKED_UP_IN : requestableIn(tx.profile, BACKUP)
    guard(tx.profile, BACKUP.name, possible, workspace)
    const { id, svcVersion: version } = workspace
    const backup = newBackup(tx, { workspace: id, tag, isAutomatic, status: BACKUP.during, version })
    tx.backups.insert(backup)
    this.#note(tx, BACKUP, backup.id, null, BACKUP.during)
    tx.begin(BACKUP, workspace.id, { ...(retries === undefined ? {} : { retries }), backup: backup.id })
    return tx.backups.find(backup.id)!
  }

  /** @throws {ServiceError} if the workspace has no such backup, or it is still running */
  remove(tx: Tx, workspace: WorkspaceRecord, id: string): void {
    const backup = this.#find(tx, workspace, id)
    if (backup.status === BACKUP.during)
      throw fieldNotAllowed(
        'backup_id',
        `${id} is still ${tx.profile.words.backup.toWire(backup.status)}; delete it when it has ended`
      )
    tx.backups.remove(id)
  }

  /**
   * Starts to restore a workspace.
   * @param extra further fields of the job
   * @returns the id of the job
   * @throws {ServiceError} if the workspace is read-only or not active, or has no such backup that succeeded
   */
  restore(tx: Tx, workspace: WorkspaceRecord, backupId: string, extra?: WithExtra['extra']): string {
    requireReadWrite(workspace, 'restored')
    guard(tx.profile, RESTORE.name, requestableIn(tx.profile, RESTORE), workspace)
    const backup = this.#find(tx, workspace, backupId)
    if (backup.status !== 'Succeeded') {
      const { toWire } = tx.profile.words.backup
      throw fieldNotAllowed(
        'backup_id',
        `${backupId} is ${toWire(backup.status)}; only a backup that has ${toWire('Succeeded')} can be restored`
      )
    }
    const output = `Restore of backup ${backup.tag} requested.\n`
    const job = newJob(tx, { workspace: workspace.id, status: 'Pending', output, extra })
    tx.restoreJobs.insert(job)
    this.#note(tx, RESTORE, job.id, null, 'Pending')
    this.#planWork(tx, workspace.id, job.id, this.workspaces.restore(tx, workspace, { job: job.id }))
    return job.id
  }

  /**
   * Schedules events for the backups and the restore job of a workspace that was loaded in its current state, as if
   * they had just started.
   */
  scheduleFromState(tx: Tx, workspace: WorkspaceRecord): void {
    for (const backup of tx.backups.list(workspace.id)) {
      if (backup.status === BACKUP.during) tx.begin(BACKUP, workspace.id, { backup: backup.id })
    }
    if (workspace.status !== RESTORE.during) return
    const job = tx.restoreJobs.newestOf(workspace.id)!
    this.#planWork(tx, workspace.id, job.id, tx.begin(RESTORE, workspace.id, { job: job.id }))
  }

  /** A job is pending for the first third of its time. */
  #planWork(tx: Tx, workspace: string, job: string, ends: number): void {
    if (ends <= tx.now) return
    const { min, max } = this.engine.boundsOf(RESTORE)
    const whole = ends === Infinity ? (min + max) / 2 : ends - tx.now
    const due = tx.now + Math.floor(whole / 3)
    tx.schedule(RESTORE_STEP, workspace, due, { job })
  }

  #work(tx: Tx, id: string): void {
    const job = tx.restoreJobs.find(id)!
    if (job.status === 'Pending')
      this.#setJob(tx, job, 'Running', 'The workspace was taken out of service; reading the backup.')
  }

  #endRestore(tx: Tx, { resource, payload: { job: id }, failed, reason }: Ending<{ job: string }>): void {
    // A held transition may be released before its first third has passed.
    tx.cancel(resource, [RESTORE_STEP])
    this.#work(tx, id)
    const job = tx.restoreJobs.find(id)!
    if (failed) this.#setJob(tx, job, 'Failed', reason ?? '')
    else this.#setJob(tx, job, 'Succeeded', 'The backup was restored; the workspace is in service again.')
  }

  #interrupt(tx: Tx, by: Transition, workspace: string): void {
    tx.cancel(workspace, [RESTORE_STEP])
    const job = tx.restoreJobs.newestOf(workspace)
    if (job !== undefined && UNFINISHED_JOB.includes(job.status))
      this.#setJob(tx, job, 'Failed', `Interrupted by ${by.name}.`)
  }

  #setJob(tx: Tx, job: RestoreJobRecord, status: keyof typeof RESTORE_STATES, line: string): void {
    tx.restoreJobs.save({ ...job, status, output: `${job.output}${line}\n` })
    this.#note(tx, RESTORE, job.id, job.status, status, status === 'Failed' ? line : null)
  }

  #endBackup(
    tx: Tx,
    { payload: { backup: id, retries = 0 }, failed, reason }: Ending<{ backup: string; retries?: number }>
  ): void {
    const status = failed ? BACKUP.failsTo : BACKUP.to[0]!
    const backup = { ...tx.backups.find(id)!, status, sizeBytes: failed ? 0 : SIZE_BYTES }
    tx.backups.save(backup)
    this.#note(tx, BACKUP, id, BACKUP.during, status, failed ? reason : null)
    this.onBackupEnd(tx, backup, retries)
  }

  #find(tx: Tx, workspace: WorkspaceRecord, id: string): BackupRecord {
    const backup = tx.backups.find(id)
    if (backup?.workspace !== workspace.id)
      throw fieldNotAllowed('backup_id', `${id} is not a backup of this workspace`)
    return backup
  }

  #note(
    tx: Tx,
    { name }: Transition,
    resource: string,
    from: string | null,
    to: string,
    reason: string | null = null
  ): void {
    tx.note({ resource, transition: name, attribute: 'status', from, to, reason })
  }
}

import { found } from '../../interface/errors.js'
import type { BackupRecord } from '../../resources/backups/fields.js'
import { toBackupView, toRestoreJobView } from '../../resources/backups/views.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { toBackupScheduleView, toWorkspaceScheduleView } from '../../resources/schedules/views.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { wholeResource } from '../cut-ids.js'

/**
 * Reads the contents of a workspace. Unlike reads of the interface, it leaves no trace: not in the journal, not in the
 * coverage, and not on a clock in mode `poll`.
 * @throws {ServiceError} `notFound` if there is no such workspace
 */
export function readBelongings(plane: ControlPlane, sandbox: Sandbox, workspaceId: string) {
  const id = wholeResource(plane, sandbox, workspaceId)
  const { view } = plane
  const { workspaces, backups, schedules } = plane.storesOf(sandbox)
  found(workspaces.find(id), 'workspace', id)
  const backupSchedule = schedules.findBackup(id)
  return {
    backups: backups.list(id).map((backup) => toBackupView(backup, view)),
    restore_jobs: backups.listJobs(id).map((job) => toRestoreJobView(job, view)),
    backup_schedule: backupSchedule === undefined ? null : toBackupScheduleView(backupSchedule, view),
    schedules: schedules.list(id).map((schedule) => toWorkspaceScheduleView(schedule, view))
  }
}

/**
 * Starts a manual backup of a workspace, for which the interface has no operation.
 * @throws {ServiceError} if there is no such workspace, it is read-only or not active, or the quota is used up
 */
export function runBackup(
  plane: ControlPlane,
  origin: Origin,
  workspaceId: string,
  settings: { tag?: string } = {}
): Promise<BackupRecord> {
  return plane.write(origin, (tx) => {
    const id = wholeResource(plane, tx.sandbox, workspaceId)
    const workspace = found(tx.workspaces.find(id), 'workspace', id)
    tx.quotas.check('manual_backups', (rule) => tx.backups.countFor(false, rule, workspace), '; delete a backup first')
    tx.resources.take()
    return plane.backupLifecycle.run(tx, workspace, { ...settings, isAutomatic: false })
  })
}

/**
 * Simulates data-plane activity on a workspace: postpones its auto-stop, or starts it if it is Idle.
 * @returns its state afterwards, in the words of the interface
 * @throws {ServiceError} if there is no such workspace, or it does not serve
 */
export function noteActivity(plane: ControlPlane, origin: Origin, workspaceId: string): Promise<string> {
  return plane.write(origin, (tx) => {
    const id = wholeResource(plane, tx.sandbox, workspaceId)
    const workspace = found(tx.workspaces.find(id), 'workspace', id)
    plane.workspaceLifecycle.noteActivity(tx, workspace)
    return tx.words.workspace.toWire(tx.workspaces.find(id)!.status)
  })
}

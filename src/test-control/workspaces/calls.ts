import { found } from '../../interface/errors.js'
import { ref } from '../../interface/schemas.js'
import { BackupSchema, toBackupView, toRestoreJobView } from '../../resources/backups/fields.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { toBackupScheduleView, toWorkspaceScheduleView } from '../../resources/schedules/fields.js'
import { defineCall } from '../control-call.js'
import { wholeResource } from '../cut-ids.js'
import { ActivitySchema, BelongingsSchema, RunBackupSchema } from './schemas.js'

const tag = 'Workspaces'
const params = { workspaceID: 'Id of the workspace.' }

export const WORKSPACE_CALLS = [
  defineCall({
    name: 'readBelongings',
    method: 'GET',
    path: '/workspaces/:workspaceID',
    tag,
    summary: 'Read the backups, restore jobs and schedules of a workspace',
    params,
    result: BelongingsSchema,
    program: undefined,
    // Unlike reads of the interface, it leaves no trace: not in the journal, not in the coverage, and not on a clock in
    // mode `poll`.
    run: ({ plane, sandbox, params }) => {
      const id = wholeResource(plane, sandbox, params['workspaceID']!)
      const { view } = plane
      const { workspaces, backups, restoreJobs, backupSchedules, schedules } = plane.storesOf(sandbox)
      found(workspaces.find(id), 'workspace', id)
      const backupSchedule = backupSchedules.find(id)
      return {
        backups: backups.list(id).map((backup) => toBackupView(backup, view)),
        restore_jobs: restoreJobs.list(id).map((job) => toRestoreJobView(job, view)),
        backup_schedule: backupSchedule === undefined ? null : toBackupScheduleView(backupSchedule, view),
        schedules: schedules.list(id).map((schedule) => toWorkspaceScheduleView(schedule, view))
      }
    }
  }),

  defineCall({
    name: 'runBackup',
    method: 'POST',
    path: '/workspaces/:workspaceID/backups',
    tag,
    summary: 'Start a manual backup',
    params,
    body: RunBackupSchema,
    isBodyOptional: true,
    result: ref(BackupSchema),
    program: { name: 'backup', throws: 'if the workspace cannot be backed up now' },
    command: {
      usage: 'backup WORKSPACE',
      help: 'Start a manual backup of a workspace.',
      flags: { tag: { value: 'NAME', help: 'The name of the backup.' } },
      examples: ['backup writer --tag before-resize']
    },
    run: (call) =>
      call.plane.write(call, (tx) => {
        const { plane, params, body } = call
        const id = wholeResource(plane, tx.sandbox, params['workspaceID']!)
        const workspace = found(tx.workspaces.find(id), 'workspace', id)
        tx.quotas.check(
          'manual_backups',
          (rule) => tx.backups.countFor(false, rule, workspace),
          '; delete a backup first'
        )
        tx.resources.take()
        return toBackupView(plane.backupLifecycle.run(tx, workspace, { ...body, isAutomatic: false }), plane.view)
      }),
    says: ({ status }) => `The backup is ${status}.`
  }),

  defineCall({
    name: 'noteActivity',
    method: 'POST',
    path: '/workspaces/:workspaceID/activity',
    tag,
    summary: 'Simulate data-plane activity',
    description: 'It postpones an auto-stop, and resumes a workspace that is Idle.',
    params,
    result: ActivitySchema,
    program: {
      name: 'activity',
      gives: 'status',
      returns: 'the new state',
      throws: 'if the workspace does not serve'
    },
    command: {
      usage: 'activity WORKSPACE',
      help: 'Simulate data-plane activity on a workspace.',
      examples: ['activity writer']
    },
    run: async (call) => ({ status: await noteActivity(call.plane, call, call.params['workspaceID']!) }),
    says: ({ status }) => `The workspace is ${status}.`
  })
]

/** Simulates data-plane activity on a workspace. @returns its state afterwards, in the words of the interface */
export function noteActivity(plane: ControlPlane, origin: Origin, workspaceId: string): Promise<string> {
  return plane.write(origin, (tx) => {
    const id = wholeResource(plane, tx.sandbox, workspaceId)
    plane.workspaceLifecycle.noteActivity(tx, found(tx.workspaces.find(id), 'workspace', id))
    return tx.profile.words.workspace.toWire(tx.workspaces.find(id)!.status)
  })
}

import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { found } from '../../interface/errors.js'
import { ref } from '../../interface/schemas.js'
import { whenReady } from '../../lib/when-ready.js'
import {
  type BackupRecord,
  BackupRestoreStatusSchema,
  BackupSchema,
  DeleteBackupRequestSchema,
  RestoreBackupRequestSchema,
  type RestoreJobRecord,
  toBackupView,
  toRestoreJobView
} from '../../resources/backups/fields.js'
import { UNFINISHED_JOB } from '../../resources/backups/lifecycle.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { demoRows, NEW_ID } from '../../resources/demo-rows.js'
import { operation, operationsIn } from '../operation.js'
import { ofWorkspace, ofWorkspaceAlone, parameter } from './parameters.js'

const common = { tag: 'Backups', declaresErrors: true }
const commonInWorkgroup = { ...common, params: ofWorkspace() }
const path = '/workgroups/:workgroupID/workspaces/:workspaceID/backups'

/** Operations 20, 21, 31 and 32. */
export const backupRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { addChange } = operationsIn(app, plane)
  const { catalogue, fields } = plane.profile
  const { backups, jobs } = demoRows(catalogue)
  const [demoBackup] = backups as [BackupRecord]
  const [demoJob] = jobs as [RestoreJobRecord]

  addChange(
    'delete',
    path,
    {
      ...commonInWorkgroup,
      operationId: 'deleteBackup',
      summary: 'Delete a backup',
      refuses: ['notAllowed'],
      body: DeleteBackupRequestSchema,
      example: { body: { backup_id: demoBackup.id } }
    },
    (tx, { body, params }) => plane.backupLifecycle.remove(tx, tx.findWorkspace(params), body.backup_id)
  )

  addChange(
    'post',
    `${path}/restore`,
    {
      ...commonInWorkgroup,
      operationId: 'restoreBackup',
      summary: 'Restore a backup',
      refuses: ['notAllowed'],
      body: RestoreBackupRequestSchema,
      result: Type.String({ description: 'Id of the restore job.' }),
      example: { body: { backup_id: demoBackup.id }, result: NEW_ID }
    },
    (tx, { body, params }) => {
      const workspace = tx.findWorkspace(params)
      const extra = fields.taken('restore_job', 'RestoreBackupRequest', body)
      tx.resources.take()
      return plane.backupLifecycle.restore(tx, workspace, body.backup_id, extra)
    }
  )

  app.get(
    '/workspaces/:workspaceID/backups',
    operation({
      ...common,
      params: ofWorkspaceAlone(),
      operationId: 'listBackups',
      summary: 'List the backups of a workspace',
      result: Type.Array(ref(BackupSchema)),
      example: { result: [toBackupView(demoBackup, plane.view)] }
    }),
    (request) => {
      const { sandbox, params } = request
      const { workspaceID } = params
      const stores = plane.storesOf(sandbox)
      const check = () => void found(stores.workspaces.find(workspaceID), 'workspace', workspaceID)
      return whenReady(plane.poll(request, workspaceID, ['backup.run'], check), () => {
        check()
        return request.succeed(stores.backups.list(workspaceID).map((backup) => toBackupView(backup, plane.view)))
      })
    }
  )

  app.get(
    '/workspaces/:workspaceID/backups/:job/status',
    operation({
      ...common,
      params: { ...ofWorkspaceAlone(), job: parameter('Id of the restore job.', demoJob.id) },
      operationId: 'getRestoreStatus',
      summary: 'Read the status of a restore job',
      result: ref(BackupRestoreStatusSchema),
      example: { result: toRestoreJobView(demoJob, plane.view) }
    }),
    (request) => {
      const { sandbox, params } = request
      const { workspaceID, job: id } = params
      const stores = plane.storesOf(sandbox)
      const read = () => {
        found(stores.workspaces.find(workspaceID), 'workspace', workspaceID)
        const job = stores.restoreJobs.find(id)
        return found(job?.workspace === workspaceID ? job : undefined, 'restore job', id)
      }
      // Reading a finished job must not advance the one that is running.
      const polled = UNFINISHED_JOB.includes(read().status)
        ? plane.poll(request, workspaceID, plane.backupLifecycle.restoreEvents, read)
        : undefined
      return whenReady(polled, () => request.succeed(toRestoreJobView(read(), plane.view)))
    }
  )

  done()
}

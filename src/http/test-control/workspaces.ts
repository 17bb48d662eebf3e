import { ref } from '../../interface/schemas.js'
import { BackupSchema } from '../../resources/backups/fields.js'
import { toBackupView } from '../../resources/backups/views.js'
import { BelongingsSchema, RunBackupSchema } from '../../test-control/workspaces/schemas.js'
import { noteActivity, readBelongings, runBackup } from '../../test-control/workspaces/workspaces.js'
import { addControl, type ControlRoutes } from './route.js'

const common = { tag: 'Workspaces', params: { workspaceID: 'Id of the workspace.' } }

export const workspaceControlRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/workspaces/:workspaceID',
    {
      ...common,
      operationId: 'readBelongings',
      summary: 'Read the details of a workspace',
      result: BelongingsSchema
    },
    ({ sandbox, params }) => ({
      message: 'Backups, restore jobs and schedules of the workspace.',
      result: readBelongings(plane, sandbox, params['workspaceID']!)
    })
  )

  addControl(
    app,
    'POST',
    '/workspaces/:workspaceID/backups',
    {
      ...common,
      operationId: 'runBackup',
      summary: 'Start a manual backup',
      body: RunBackupSchema,
      isBodyOptional: true,
      result: ref(BackupSchema)
    },
    async (request) => {
      const made = await runBackup(plane, request, request.params['workspaceID']!, request.body ?? {})
      const backup = toBackupView(made, plane.view)
      return { message: `The backup is ${backup.status}.`, result: backup }
    }
  )

  addControl(
    app,
    'POST',
    '/workspaces/:workspaceID/activity',
    {
      ...common,
      operationId: 'noteActivity',
      summary: 'Simulate data-plane activity'
    },
    async (request) => ({
      message: `The workspace is ${await noteActivity(plane, request, request.params['workspaceID']!)}.`
    })
  )

  done()
}

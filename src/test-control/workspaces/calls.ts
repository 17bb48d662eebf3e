import { ref } from '../../interface/schemas.js'
import { BackupSchema } from '../../resources/backups/fields.js'
import { toBackupView } from '../../resources/backups/views.js'
import { defineCall } from '../control-call.js'
import { ActivitySchema, BelongingsSchema, RunBackupSchema } from './schemas.js'
import { noteActivity, readBelongings, runBackup } from './workspaces.js'

const tag = 'Workspaces'
const params = { workspaceID: 'Id of the workspace.' }

/** Where the command line finds the workspace that the beginning of an id names. */
const ids = { path: '/overview', member: 'workspaces', field: 'workspace_id' }

export const WORKSPACE_CALLS = [
  defineCall({
    name: 'readBelongings',
    method: 'GET',
    path: '/workspaces/:workspaceID',
    tag,
    summary: 'Read the backups, restore jobs and schedules of a workspace',
    params,
    result: BelongingsSchema,
    run: ({ plane, sandbox, params: { workspaceID } }) => readBelongings(plane, sandbox, workspaceID!),
    says: 'Backups, restore jobs and schedules of the workspace.'
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
      ids,
      examples: ['backup writer --tag before-resize']
    },
    run: async (call) =>
      toBackupView(await runBackup(call.plane, call, call.params['workspaceID']!, call.body), call.plane.view),
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
      ids,
      examples: ['activity writer']
    },
    run: async (call) => ({ status: await noteActivity(call.plane, call, call.params['workspaceID']!) }),
    says: ({ status }) => `The workspace is ${status}.`
  })
]

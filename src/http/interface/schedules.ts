import { isDeepStrictEqual } from 'node:util'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type FieldError, fieldNotAllowed, invalidBody, notFound } from '../../interface/errors.js'
import { assumed, ref } from '../../interface/schemas.js'
import { refuseUnknownFields } from '../../interface/validation.js'
import { type Mirrored, MIRRORS } from '../../profile/fields.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { demoRows } from '../../resources/demo-rows.js'
import { reader } from '../../resources/field-table.js'
import {
  BACKUP_SCHEDULES,
  type BackupSchedule,
  type BackupScheduleRecord,
  BackupScheduleSchema,
  newBackupSchedule,
  newSchedule,
  ScheduleDeletionSchema,
  toBackupScheduleView,
  toWorkspaceScheduleView,
  WORKSPACE_SCHEDULES,
  type WorkspaceSchedule,
  type WorkspaceScheduleRecord,
  WorkspaceScheduleSchema
} from '../../resources/schedules/fields.js'
import { cronProblem, settled } from '../../resources/schedules/times.js'
import type { AddedFields } from '../added-fields.js'
import { checkBody } from '../bodies.js'
import type { Example } from '../examples.js'
import { operation, operationsIn } from '../operation.js'
import { ofWorkspace } from './parameters.js'

const common = { tag: 'Schedules', declaresErrors: true, params: ofWorkspace() }
const givenBackup = reader(BACKUP_SCHEDULES.fields, 'reply')
const given = reader(WORKSPACE_SCHEDULES.fields, 'reply')
const workspacePath = '/workgroups/:workgroupID/workspaces/:workspaceID'

/** A change to a schedule of the demo data: the workspace stops an hour later. */
const LATER_EVENING = {
  workspace_id: 'office-hours',
  repeat: 'weekdays',
  time: '20:00',
  timezone: 'Europe/Berlin',
  id: 'evening'
}

/** The operations that share one method and path, by the value of the query parameter that selects them. */
const SHARED = {
  set_backup_schedule: {
    operationId: 'setBackupSchedule',
    summary: 'Set the backup schedule',
    meaning: 'for a body with `schedule`, sets the backup schedule. It has no result.',
    schema: ref(BackupScheduleSchema) as TSchema,
    example: { body: { schedule: '0 */6 * * *', max_backup_files: 8 } } satisfies Example<BackupSchedule>
  },
  update_workspace_schedule: {
    operationId: 'updateWorkspaceSchedule',
    summary: 'Update a workspace schedule, or create one',
    meaning:
      'for any other body, updates a workspace schedule, or creates it if its `id` is absent\n' +
      '  or not in use. The result is its id.',
    schema: ref(WorkspaceScheduleSchema) as TSchema,
    example: { body: LATER_EVENING, result: LATER_EVENING.id } satisfies Example<WorkspaceSchedule>
  },
  delete_workspace_schedule: {
    operationId: 'deleteWorkspaceSchedule',
    summary: 'Delete a workspace schedule',
    meaning:
      'for a body with `id` alone, or `id` and `workspace_id`, deletes a workspace\n  schedule. The result is its id.',
    schema: ScheduleDeletionSchema as TSchema,
    example: { body: { id: 'morning' }, result: 'morning' } satisfies Example<Partial<WorkspaceSchedule>>
  }
} as const
type SharedName = keyof typeof SHARED

const NAMES = Object.keys(SHARED) as SharedName[]

/** Lists the operations in the order of {@link namesFor}. */
const describeShared = (names: readonly SharedName[]) => `Several operations share this method and path. The query
parameter \`operation\` decides which one is meant, otherwise the shape of the body:

${(['set_backup_schedule', 'delete_workspace_schedule', 'update_workspace_schedule'] as const)
  .filter((name) => names.includes(name))
  .map((name) => `- \`${SHARED[name].operationId}\`, ${SHARED[name].meaning}`)
  .join('\n')}

The \`Message\` of the reply names the operation, and so does each example.`

type Shared = FastifyRequest<{
  Params: { workgroupID: string; workspaceID: string }
  Querystring: { operation?: SharedName }
}>

const listed = Type.Array(ref(WorkspaceScheduleSchema))
/** A result has the form that a profile gives this field. */
const mirrored = { [MIRRORS]: { field: 'id', of: WorkspaceScheduleSchema.$id } satisfies Mirrored }
const changedId = Type.String({ description: 'Id of the workspace schedule.', ...mirrored })
const changedIdOrNone = Type.Union([Type.String(), Type.Null()], {
  description: 'Id of the workspace schedule; null where the backup schedule was set.',
  ...mirrored
})

/** Operations 22, 33, 34, 35 and 36. */
export const scheduleRoutes: FastifyPluginCallbackTypebox<{
  plane: ControlPlane
  /** Adds the fields of the profile, if it has any. */
  addFields: AddedFields['addTo'] | undefined
}> = (app, { plane, addFields }, done) => {
  const { addRead } = operationsIn(app, plane)
  const lifecycle = plane.scheduleLifecycle
  const { catalogue, fields } = plane.profile
  const { backupSchedules, schedules: demoSchedules } = demoRows(catalogue)
  const [demoBackupSchedule] = backupSchedules as [BackupScheduleRecord]
  const deletion = plane.profile.schema(ScheduleDeletionSchema)
  const schemas = Object.fromEntries(
    Object.entries(SHARED).map(([name, { schema }]) => {
      const own = schema === ScheduleDeletionSchema ? deletion : schema
      return [name, plane.options.strictBodies ? refuseUnknownFields(own) : own]
    })
  ) as Record<SharedName, TSchema>

  app.post(
    `${workspacePath}/backups/schedule`,
    // The schema depends on the operation, so the handler validates.
    { ...changeRoute(NAMES), attachValidation: true },
    async (request) => {
      const chosen = choose(request)
      checkBody(request, schemas[chosen], errorsBeyondSchema(chosen, request.body, plane.engine.now(request.sandbox)))
      switch (chosen) {
        case 'set_backup_schedule':
          await setBackup(request, request.body as BackupSchedule)
          return request.succeed()
        case 'update_workspace_schedule':
          return request.succeed(await update(request, request.body as WorkspaceSchedule))
        case 'delete_workspace_schedule':
          return request.succeed(await remove(request, request.body as { id: string; workspace_id?: string }))
      }
    }
  )

  addRead(
    `${workspacePath}/backups/schedule`,
    {
      ...common,
      operationId: 'getBackupSchedule',
      summary: 'Read the backup schedule',
      result: ref(BackupScheduleSchema),
      example: { result: toBackupScheduleView(demoBackupSchedule, plane.view) }
    },
    (stores, { params }) => {
      const schedule = stores.backupSchedules.find(stores.findWorkspace(params).id)
      if (schedule === undefined) throw notFound('backup schedule of workspace', params.workspaceID)
      return toBackupScheduleView(schedule, plane.view)
    }
  )

  addRead(
    `${workspacePath}/schedules`,
    {
      ...common,
      params: ofWorkspace(LATER_EVENING.workspace_id),
      operationId: 'getWorkspaceSchedules',
      summary: 'Read the workspace schedules',
      result: Type.String({ description: 'JSON text of an array of WorkspaceSchedule.' }),
      textOf: listed,
      example: {
        result: JSON.stringify(demoSchedules.map((schedule) => toWorkspaceScheduleView(schedule, plane.view)))
      }
    },
    (stores, request) => {
      const schedules = stores.schedules
        .list(stores.findWorkspace(request.params).id)
        .map((schedule) => toWorkspaceScheduleView(schedule, plane.view))
      return JSON.stringify(addFields === undefined ? schedules : addFields(request, schedules, listed))
    }
  )

  /** The route of operations that share a path, or of one that has a path to itself. */
  function changeRoute(names: readonly SharedName[]) {
    const alone = names.length === 1 ? SHARED[names[0]!] : undefined
    const bodies = names.map((name) => (name === 'delete_workspace_schedule' ? deletion : SHARED[name].schema))
    const { config, schema } = operation({
      ...common,
      params: ofWorkspace(LATER_EVENING.workspace_id),
      operationId: alone?.operationId ?? 'changeSchedule',
      summary: alone?.summary ?? 'Set the backup schedule, or update or delete a workspace schedule',
      refuses: ['notAllowed'],
      ...(alone === undefined && { description: describeShared(names) }),
      ...(alone !== SHARED.set_backup_schedule && { result: alone === undefined ? changedIdOrNone : changedId }),
      // Not oneOf: unknown fields are ignored, so one body can match two schemas.
      body: Type.Unsafe<unknown>(alone === undefined ? { anyOf: bodies } : bodies[0]!),
      examples: Object.fromEntries(names.map((name) => [SHARED[name].operationId, SHARED[name].example as Example]))
    })
    const querystring = Type.Object({
      operation: Type.Optional(
        Type.Unsafe<SharedName>({
          type: 'string',
          enum: [...names],
          description: 'Which operation is meant.',
          ...assumed('P-187')
        })
      )
    })
    return {
      config: {
        ...config,
        operationIds: names.map((name) => SHARED[name].operationId),
        ...(alone === undefined && { operationOf }),
        routeOf: (ids: readonly string[]) => changeRoute(names.filter((name) => ids.includes(SHARED[name].operationId)))
      },
      schema: { ...schema, ...(alone === undefined && { querystring }) } as typeof schema & {
        querystring: typeof querystring
      }
    }
  }

  function setBackup(request: Shared, body: BackupSchedule): Promise<void> {
    return plane.write(request, (tx) => {
      const workspace = tx.findWorkspace(request.params)
      const extra = fields.taken('backup_schedule', 'BackupSchedule', body)
      const { schedule } = body
      lifecycle.setBackup(
        tx,
        workspace,
        newBackupSchedule(tx, { ...givenBackup(body), workspace: workspace.id, schedule, extra })
      )
    })
  }

  function update(request: Shared, body: WorkspaceSchedule): Promise<string> {
    const { time, timezone } = body
    const repeat = isNone(body.repeat) ? 'none' : (body.repeat.toLowerCase() as WorkspaceScheduleRecord['repeat'])
    const extra = fields.taken('schedule', 'WorkspaceSchedule', body)
    return plane.write(request, (tx) => {
      const workspace = tx.findWorkspace(request.params)
      checkWorkspaceId(request, body.workspace_id)
      const own = { ...given(body), workspace: workspace.id, repeat, time, timezone, extra }
      const schedule = settled(tx.now, newSchedule(tx, own))
      // By the interface, a deletion takes the same body, so the request may be one.
      const known = tx.schedules.find(workspace.id, schedule.id)
      if (!isChosen(request) && known !== undefined && isDeepStrictEqual({ ...known }, schedule))
        throw fieldNotAllowed('operation', UNCLEAR)
      lifecycle.set(tx, workspace, schedule)
      return schedule.id
    })
  }

  function remove(request: Shared, body: { id: string; workspace_id?: string }): Promise<string> {
    return plane.write(request, (tx) => {
      const workspace = tx.findWorkspace(request.params)
      checkWorkspaceId(request, body.workspace_id)
      lifecycle.remove(tx, workspace, body.id)
      return body.id
    })
  }

  done()
}

/** Whether the request itself says which operation is meant. */
const isChosen = (request: Shared) => request.query.operation !== undefined || sharingPathOf(request).length === 1

const UNCLEAR =
  'is needed in the query, because the schedule is already like this: update_workspace_schedule or ' +
  'delete_workspace_schedule'

function choose(request: Shared): SharedName {
  const chosen = chosenBy(request)
  if (chosen === undefined)
    throw invalidBody([{ field: 'operation', reason: `must be one of ${sharingPathOf(request).join(', ')}` }])
  return chosen
}

function operationOf(request: FastifyRequest): string | undefined {
  const chosen = chosenBy(request as Shared)
  return chosen === undefined ? undefined : SHARED[chosen].operationId
}

function sharingPathOf({ route }: Pick<Shared, 'route'>): SharedName[] {
  const { operationIds = [] } = route.config
  return NAMES.filter((name) => operationIds.includes(SHARED[name].operationId))
}

function chosenBy(request: Shared): SharedName | undefined {
  const { query, body } = request
  const names = sharingPathOf(request)
  if (names.length === 1) return names[0]
  if (query.operation !== undefined) return names.find((name) => name === query.operation)
  return namesFor(body).find((name) => names.includes(name))
}

/** The operations that a body fits, in the order in which they are tried. */
function namesFor(body: unknown): SharedName[] {
  const fields = typeof body === 'object' && body !== null ? Object.keys(body) : []
  const isDeletion = fields.includes('id') && fields.every((field) => field === 'id' || field === 'workspace_id')
  return [
    ...(fields.includes('schedule') ? (['set_backup_schedule'] as const) : []),
    ...(isDeletion ? (['delete_workspace_schedule'] as const) : []),
    'update_workspace_schedule'
  ]
}

/** Field errors that the schema of a body cannot detect. The body may have any shape. */
function errorsBeyondSchema(chosen: SharedName, body: unknown, now: number): FieldError[] {
  const { schedule, repeat, date } = (body ?? {}) as Partial<Record<string, unknown>>
  if (chosen === 'set_backup_schedule' && typeof schedule === 'string') {
    const reason = cronProblem(schedule, now)
    return reason === undefined ? [] : [{ field: 'schedule', reason }]
  }
  const lacksDate =
    chosen === 'update_workspace_schedule' && typeof repeat === 'string' && isNone(repeat) && date === undefined
  return lacksDate ? [{ field: 'date', reason: 'is required when repeat is none' }] : []
}

const isNone = (repeat: string) => /^(none|no repeat)$/i.test(repeat)

function checkWorkspaceId({ params: { workspaceID } }: Shared, id: string | undefined): void {
  if (id !== undefined && id !== workspaceID)
    throw fieldNotAllowed('workspace_id', `must be ${workspaceID}, the one in the path`)
}

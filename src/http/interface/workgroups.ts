import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { TextResult } from '../../interface/envelope.js'
import { ServiceError } from '../../interface/errors.js'
import { MESSAGES } from '../../interface/messages.js'
import { ref } from '../../interface/schemas.js'
import { groupBy } from '../../lib/group-by.js'
import { collect, finish, type Slices } from '../../lib/scheduler.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { DEMO_ORG } from '../../resources/demo.js'
import { demoRows } from '../../resources/demo-rows.js'
import { type AddFields, changedExtra } from '../../resources/extra.js'
import { reader } from '../../resources/field-table.js'
import type { SandboxStores } from '../../resources/tx.js'
import {
  CreateWorkgroupRequestSchema,
  newWorkgroup,
  UpdateWorkgroupRequestSchema,
  type Workgroup,
  type WorkgroupRecord,
  WORKGROUPS,
  WorkgroupSchema
} from '../../resources/workgroups/fields.js'
import { toWorkgroupView, workgroupText } from '../../resources/workgroups/views.js'
import { nextLookOf } from '../../resources/workspaces/views.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { operation, operationsIn } from '../operation.js'
import type { ReadCache, Reading } from '../read-cache.js'
import { ofWorkgroup } from './parameters.js'

const tag = 'Workgroups'
const given = reader(WORKGROUPS.fields, 'create')
const changed = reader(WORKGROUPS.fields, 'update')

/** Operations 1 to 5. */
export const workgroupRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane; reads: ReadCache }> = (
  app,
  { plane, reads },
  done
) => {
  const { addChange } = operationsIn(app, plane)
  const { view } = plane
  const { catalogue, fields } = plane.profile
  const { workgroups: examples, databases, workspaces } = demoRows(catalogue)
  const demoText = workgroupText(DEMO_ORG, examples.demo, databases, workspaces, { ...view, now: 0 }, () => false)
  const demo = JSON.parse(finish(demoText)) as Workgroup
  const empty = (workgroup: WorkgroupRecord) => toWorkgroupView(workgroup, { ...view, org: DEMO_ORG })

  addChange(
    'post',
    '/workgroups',
    {
      operationId: 'createWorkgroup',
      tag,
      summary: 'Create a workgroup',
      body: CreateWorkgroupRequestSchema,
      result: ref(WorkgroupSchema),
      example: {
        body: { cloud_provider_id: 'demo-account', name: 'staging', region: examples.created.region },
        result: empty(examples.created)
      }
    },
    (tx, { sandbox, body }) => {
      tx.resources.take()
      const extra = fields.taken('workgroup', 'CreateWorkgroupRequest', body)
      const workgroup = newWorkgroup(tx, { ...given(body), extra })
      tx.workgroups.insert(workgroup)
      return toWorkgroupView(workgroup, { ...view, org: sandbox })
    }
  )

  app.get(
    '/workgroups',
    operation({
      operationId: 'listWorkgroups',
      tag,
      summary: 'List all workgroups',
      result: Type.Array(ref(WorkgroupSchema)),
      example: { result: [demo, empty(examples.spare)] }
    }),
    (request, reply) => {
      const { sandbox } = request
      const stores = plane.storesOf(sandbox)
      return reads.answerInSlices(request, reply, function* (isTimeUp, addFields) {
        // A constant number of statements, however many workgroups there are.
        const all = yield* collect(stores.workspaces.pages(), isTimeUp)
        const workspaces = groupBy(all, ({ workgroup }) => workgroup)
        const databases = groupBy(stores.databases.listAll(), ({ workgroup }) => workgroup)
        const context = { ...view, now: plane.now(sandbox) }
        const texts: string[] = []
        for (const workgroup of stores.workgroups.list()) {
          const [its, theirs] = [databases.get(workgroup.id) ?? [], workspaces.get(workgroup.id) ?? []]
          texts.push(yield* workgroupText(sandbox, workgroup, its, theirs, context, isTimeUp, addFields))
          if (texts.length % 100 === 0 && isTimeUp()) yield
        }
        return { text: `[${texts.join()}]`, until: nextLookOf(all, view.phases, context.now) }
      })
    }
  )

  app.get(
    '/workgroups/:workgroupID',
    operation({
      operationId: 'getWorkgroup',
      tag,
      summary: 'Read one workgroup',
      params: ofWorkgroup(),
      result: ref(WorkgroupSchema),
      example: { result: demo }
    }),
    (request, reply) => {
      const { sandbox, params } = request
      const stores = plane.storesOf(sandbox)
      return reads.answerInSlices(request, reply, function* (isTimeUp, addFields) {
        // Found only when the generator runs: it may have to wait for writes first.
        return yield* textOf(stores, sandbox, stores.findWorkgroup(params), isTimeUp, addFields)
      })
    }
  )

  app.put(
    '/workgroups/:workgroupID',
    operation({
      operationId: 'updateWorkgroup',
      tag,
      summary: 'Change a workgroup',
      params: ofWorkgroup('spare'),
      body: UpdateWorkgroupRequestSchema,
      result: ref(WorkgroupSchema),
      example: { body: { workgroup_name: 'Spare' }, result: empty({ ...examples.spare, name: 'Spare' }) }
    }),
    async (request, reply) => {
      const { sandbox, body, params } = request
      const updated = await plane.write(request, (tx) => {
        const workgroup = tx.findWorkgroup(params)
        const extra = changedExtra(workgroup, fields.taken('workgroup', 'UpdateWorkgroupRequest', body))
        const renamed = { ...workgroup, ...changed(body), extra }
        tx.workgroups.save(renamed)
        return renamed
      })
      return reads.answerWrite(request, reply, (isTimeUp, addFields) =>
        textOf(plane.storesOf(sandbox), sandbox, updated, isTimeUp, addFields)
      )
    }
  )

  addChange(
    'delete',
    '/workgroups/:workgroupID',
    {
      operationId: 'deleteWorkgroup',
      tag,
      summary: 'Delete a workgroup',
      params: ofWorkgroup('spare'),
      refuses: ['notAllowed'],
      result: TextResult,
      example: { result: MESSAGES.deleteWorkgroup }
    },
    (tx, { params }) => {
      const { id } = tx.findWorkgroup(params)
      const databases = tx.databases.countOfWorkgroup(id)
      const workspaces = tx.workspaces.countOfWorkgroup(id)
      if (databases + workspaces > 0) {
        const inUse = `databases (${databases}) and workspaces (${workspaces})`
        throw new ServiceError('notAllowed', `The workgroup ${id} still has ${inUse}; delete them first.`)
      }
      tx.workgroups.remove(id)
    }
  )

  /** Reads a workgroup with its databases and workspaces as JSON text. */
  function* textOf(
    stores: SandboxStores,
    sandbox: Sandbox,
    workgroup: WorkgroupRecord,
    isTimeUp: () => boolean,
    addFields?: AddFields
  ): Slices<Reading> {
    const databases = stores.databases.list(workgroup.id)
    const stored = yield* collect(stores.workspaces.pagesOfWorkgroup(workgroup.id), isTimeUp)
    // Another write in the same commit may have renamed the workgroup again.
    const workspaces = stored.map((workspace) =>
      workspace.workgroupName === workgroup.name ? workspace : { ...workspace, workgroupName: workgroup.name }
    )
    const context = { ...view, now: plane.now(sandbox) }
    const text = yield* workgroupText(sandbox, workgroup, databases, workspaces, context, isTimeUp, addFields)
    return { text, until: nextLookOf(workspaces, view.phases, context.now) }
  }

  done()
}

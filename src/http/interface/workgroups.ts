import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { found, ServiceError } from '../../lib/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { operation } from '../operation.js'
import type { ReadCache } from '../read-cache.js'
import { ref } from '../../lib/schemas.js'
import { success, TextResult } from '../envelope.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { World } from '../../control-plane.js'
import { CALLER, DEFAULT_PLATFORM, DEFAULT_REGION } from '../../resources/metadata/catalogue.js'
import { presentWorkgroup, workgroupText } from '../../resources/workgroups/views.js'
import { CreateWorkgroupRequestSchema, UpdateWorkgroupRequestSchema, WorkgroupSchema, type Workgroup } from '../../resources/workgroups/schemas.js'
import type { WorkgroupRecord } from '../../resources/workgroups/store.js'

const tag = 'Workgroups'
const params = { workgroupID: 'Id of the workgroup.' }

/** Operations 1 to 5. */
export const workgroupRoutes: FastifyPluginCallbackTypebox<{ world: World; reads: ReadCache }> = (app, { world, reads }, done) => {
  const hostTemplate = world.options.workspaceHostTemplate

  app.post('/workgroups', operation({
    operationId: 'createWorkgroup', tag, summary: 'Create a workgroup', body: CreateWorkgroupRequestSchema, result: ref(WorkgroupSchema)
  }), async (request) => {
    const { sandbox, body } = request
    const created = await world.write(request, (turn) => {
      world.resources.take(sandbox.key)
      const id = turn.newId()
      const workgroup: WorkgroupRecord = {
        id,
        name: body.name ?? `workgroup-${id.slice(0, 8)}`,
        creator: CALLER,
        cloudProviderId: body.cloud_provider_id,
        platform: body.platform ?? DEFAULT_PLATFORM,
        region: body.region ?? DEFAULT_REGION,
        enableAllowList: false
      }
      world.workgroups.insert(sandbox.key, workgroup)
      return workgroup
    })
    return success(request, 'The workgroup was created.', presentWorkgroup(sandbox, created, [], [], hostTemplate))
  })

  app.get('/workgroups', operation({
    operationId: 'listWorkgroups', tag, summary: 'List all workgroups', result: Type.Array(ref(WorkgroupSchema))
  }), (request, reply) => {
    const { sandbox } = request
    return reads.answerInSlices(request, reply, function* (isTimeUp) {
      // A few statements, however many workgroups there are.
      const pages = []
      for (const page of world.workspaces.pages(sandbox.key)) {
        pages.push(page)
        if (isTimeUp()) yield
      }
      const workspaces = groupBy(pages.flat(), ({ workgroup }) => workgroup)
      const databases = groupBy(world.databases.list(sandbox.key), ({ workgroup }) => workgroup)
      const texts: string[] = []
      for (const workgroup of world.workgroups.list(sandbox.key)) {
        const [its, theirs] = [databases.get(workgroup.id) ?? [], workspaces.get(workgroup.id) ?? []]
        texts.push(yield* workgroupText(sandbox, workgroup, its, theirs, hostTemplate, isTimeUp))
        if (texts.length % 100 === 0 && isTimeUp()) yield
      }
      return { message: `Workgroups: ${texts.length}.`, text: `[${texts.join()}]` }
    })
  })

  app.get('/workgroups/:workgroupID', operation({
    operationId: 'getWorkgroup', tag, summary: 'Read one workgroup', params, result: ref(WorkgroupSchema)
  }), (request, reply) => {
    const { sandbox, params } = request
    return reads.answerInSlices(request, reply, function* (isTimeUp) {
      const workgroup = find(sandbox, params.workgroupID)
      const databases = world.databases.listOfWorkgroup(sandbox.key, workgroup.id)
      const workspaces = world.workspaces.listOfWorkgroup(sandbox.key, workgroup.id)
      const text = yield* workgroupText(sandbox, workgroup, databases, workspaces, hostTemplate, isTimeUp)
      return { message: 'The workgroup was found.', text }
    })
  })

  app.put('/workgroups/:workgroupID', operation({
    operationId: 'updateWorkgroup', tag, summary: 'Change a workgroup', params,
    body: UpdateWorkgroupRequestSchema, result: ref(WorkgroupSchema)
  }), async (request) => {
    const { sandbox, body, params: { workgroupID } } = request
    const updated = await world.write(request, () => {
      const workgroup = find(sandbox, workgroupID)
      const { workgroup_name: name = workgroup.name } = body
      world.workgroups.rename(sandbox.key, workgroupID, name)
      return present(sandbox, { ...workgroup, name })
    })
    return success(request, 'The workgroup was updated.', updated)
  })

  app.delete('/workgroups/:workgroupID', operation({
    operationId: 'deleteWorkgroup', tag, summary: 'Delete a workgroup', params, refuses: [400], result: TextResult
  }), async (request) => {
    const { sandbox, params: { workgroupID } } = request
    await world.write(request, () => {
      find(sandbox, workgroupID)
      const databases = world.databases.countOfWorkgroup(sandbox.key, workgroupID)
      const workspaces = world.workspaces.countOfWorkgroup(sandbox.key, workgroupID)
      if (databases + workspaces > 0) {
        throw new ServiceError('notAllowed',
          `The workgroup ${workgroupID} still has databases (${databases}) and workspaces (${workspaces}); delete them first.`)
      }
      world.workgroups.remove(sandbox.key, workgroupID)
    })
    const message = `The workgroup ${workgroupID} was deleted.`
    return success(request, message, message)
  })

  function find(sandbox: Sandbox, id: string): WorkgroupRecord {
    return found(world.workgroups.find(sandbox.key, id), 'workgroup', id)
  }

  function present(sandbox: Sandbox, workgroup: WorkgroupRecord): Workgroup {
    const databases = world.databases.listOfWorkgroup(sandbox.key, workgroup.id)
    const workspaces = world.workspaces.listOfWorkgroup(sandbox.key, workgroup.id)
    return presentWorkgroup(sandbox, workgroup, databases, workspaces, hostTemplate)
  }

  done()
}

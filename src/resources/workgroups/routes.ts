import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { found, notFound } from '../../errors.js'
import { operation } from '../../http/operation.js'
import { ref, success, TextResult } from '../../http/schemas.js'
import type { Sandbox } from '../../sandboxes/store.js'
import type { World } from '../../world.js'
import { CALLER, DEFAULT_PLATFORM, DEFAULT_REGION } from '../metadata/catalogue.js'
import { CreateWorkgroupRequestSchema, UpdateWorkgroupRequestSchema, WorkgroupSchema, type Workgroup } from './schemas.js'
import type { WorkgroupRecord } from './store.js'

const tag = 'Workgroups'
const params = { workgroupID: 'Id of the workgroup.' }

/** Operations 1 to 5. */
export const workgroupRoutes: FastifyPluginCallbackTypebox<{ world: World }> = (app, { world }, done) => {
  app.post('/workgroups', operation({
    operationId: 'createWorkgroup', tag, summary: 'Create a workgroup', body: CreateWorkgroupRequestSchema, result: ref(WorkgroupSchema)
  }), async (request) => {
    const { sandbox, body } = request
    const created = await world.write(sandbox, (turn) => {
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
    return success(request, 'The workgroup was created.', present(sandbox, created))
  })

  app.get('/workgroups', operation({
    operationId: 'listWorkgroups', tag, summary: 'List all workgroups', result: Type.Array(ref(WorkgroupSchema))
  }), (request, reply) => {
    const { sandbox } = request
    const workgroups = world.workgroups.list(sandbox.key).map((workgroup) => present(sandbox, workgroup))
    void reply.send(success(request, `Workgroups: ${workgroups.length}.`, workgroups))
  })

  app.get('/workgroups/:workgroupID', operation({
    operationId: 'getWorkgroup', tag, summary: 'Read one workgroup', params, result: ref(WorkgroupSchema)
  }), (request, reply) => {
    const { sandbox } = request
    const workgroup = find(sandbox, request.params.workgroupID)
    void reply.send(success(request, 'The workgroup was found.', present(sandbox, workgroup)))
  })

  app.put('/workgroups/:workgroupID', operation({
    operationId: 'updateWorkgroup', tag, summary: 'Change a workgroup', params,
    body: UpdateWorkgroupRequestSchema, result: ref(WorkgroupSchema)
  }), async (request) => {
    const { sandbox, body, params: { workgroupID } } = request
    const updated = await world.write(sandbox, () => {
      const workgroup = find(sandbox, workgroupID)
      const { workgroup_name: name = workgroup.name } = body
      world.workgroups.rename(sandbox.key, workgroupID, name)
      return { ...workgroup, name }
    })
    return success(request, 'The workgroup was updated.', present(sandbox, updated))
  })

  app.delete('/workgroups/:workgroupID', operation({
    operationId: 'deleteWorkgroup', tag, summary: 'Delete a workgroup', params, result: TextResult
  }), async (request) => {
    const { sandbox, params: { workgroupID } } = request
    await world.write(sandbox, () => {
      if (!world.workgroups.remove(sandbox.key, workgroupID)) throw notFound('workgroup', workgroupID)
    })
    const message = `The workgroup ${workgroupID} was deleted.`
    return success(request, message, message)
  })

  function find(sandbox: Sandbox, id: string): WorkgroupRecord {
    return found(world.workgroups.find(sandbox.key, id), 'workgroup', id)
  }

  done()
}

function present(sandbox: Sandbox, workgroup: WorkgroupRecord): Workgroup {
  return {
    workgroup_id: workgroup.id,
    name: workgroup.name,
    org_id: sandbox.orgId,
    org_name: sandbox.orgName,
    creator: workgroup.creator,
    cloud_provider_id: workgroup.cloudProviderId,
    platform: workgroup.platform,
    region: workgroup.region,
    enable_allow_list: workgroup.enableAllowList,
    svc_databases: [],
    workspaces: []
  }
}

import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { fieldNotAllowed } from '../../interface/errors.js'
import { knownFields, ref } from '../../interface/schemas.js'
import { toSeconds, toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { newDatabase } from '../../resources/databases/fields.js'
import { DEMO_ORG, type TypeChoice } from '../../resources/demo.js'
import { demoRows } from '../../resources/demo-rows.js'
import { changedExtra } from '../../resources/extra.js'
import { reader } from '../../resources/field-table.js'
import type { SandboxStores, Tx } from '../../resources/tx.js'
import {
  CreateWorkspaceRequestSchema,
  type FoundWorkspace,
  UpdateWorkspaceRequestSchema,
  type Workspace,
  WORKSPACES,
  WorkspaceSchema
} from '../../resources/workspaces/fields.js'
import { WORKSPACE_ENDINGS, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { AgentConfigSchema, WorkspaceAddonsRequestSchema } from '../../resources/workspaces/parts.js'
import { nextLookOf, toWorkspaceView } from '../../resources/workspaces/views.js'
import type { Org, Sandbox } from '../../sandboxes/sandbox.js'
import { operation, operationsIn } from '../operation.js'
import type { ReadCache } from '../read-cache.js'
import { ofWorkgroup, ofWorkspace } from './parameters.js'

const tag = 'Workspaces'
const common = { tag, params: ofWorkspace() }
/** Workspaces of the demo data that allow the operations, for the examples. */
const EXAMPLE_IDS = { pause: 'main', refresh: 'reader', resume: 'office-hours' }
const path = '/workgroups/:workgroupID/workspaces/:workspaceID'
const given = reader(WORKSPACES.fields, 'create')
const changed = reader(WORKSPACES.fields, 'update')

/** Operations 16 to 19 and 27 to 29. */
export const workspaceRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane; reads: ReadCache }> = (
  app,
  { plane, reads },
  done
) => {
  const { addChange } = operationsIn(app, plane)
  const lifecycle = plane.workspaceLifecycle
  const { catalogue, fields, readableFor } = plane.profile
  const agentConfig = plane.profile.schema(AgentConfigSchema)
  const addon = plane.profile.schema(WorkspaceAddonsRequestSchema)
  const { workspaces, createdWorkspace: analytics } = demoRows(catalogue)
  const [main] = workspaces as [FoundWorkspace]
  const resized = otherType('SVC-8', main.typeName, catalogue)
  // With one type, there is nothing to resize to.
  const afterUpdate = resized === main.typeName ? 'Active' : 'Resizing'

  addChange(
    'post',
    '/workgroups/:workgroupID/workspaces',
    {
      tag,
      params: ofWorkgroup(),
      operationId: 'createWorkspace',
      summary: 'Create a workspace, and a database if none is named',
      refuses: ['notAllowed', 'quotaExceeded'],
      body: CreateWorkspaceRequestSchema,
      result: ref(WorkspaceSchema),
      example: {
        body: { name: 'analytics', workspace_type_name: analytics.typeName, auto_stop_minutes: 30 },
        result: toExample(analytics)
      }
    },
    (tx, { sandbox, body, params }) => {
      const { id: workgroup, name: workgroupName, cloudProviderId, region } = tx.findWorkgroup(params)
      tx.resources.take(body.svc_database_id === undefined ? 2 : 1)
      const isRw = body.is_rw ?? true
      const database = chooseDatabase(tx, workgroup, body, isRw)
      tx.quotas.check(
        isRw ? 'rw_workspaces' : 'ro_workspaces',
        (rule) => tx.workspaces.countFor(isRw, rule, database),
        '; delete a workspace first'
      )
      const workspace = lifecycle.create(tx, {
        ...given(body),
        workgroup,
        database,
        addons: knownAddons(tx, '', body.addons ?? []),
        solutionCatalogId: body.solution_install_request?.solution_catalog_id,
        extra: fields.taken('workspace', 'CreateWorkspaceRequest', body)
      })
      return toView(sandbox, { ...workspace, workgroupName, cloudProviderId, region }, tx.now)
    }
  )

  app.get(
    path,
    operation({
      ...common,
      operationId: 'getWorkspace',
      summary: 'Read one workspace',
      result: ref(WorkspaceSchema),
      example: { result: toExample(main) }
    }),
    (request, reply) => {
      const { sandbox, params } = request
      const stores = plane.storesOf(sandbox)
      const deleted = readableFor === undefined ? undefined : findDeleted(stores, sandbox, params, readableFor)
      if (deleted !== undefined) return request.succeed(deleted)
      const answer = () => {
        reads.answer(request, reply, (now) => {
          const workspace = stores.findWorkspace(params)
          return { result: toView(sandbox, workspace, now), until: nextLookOf([workspace], plane.view.phases, now) }
        })
        return reply
      }
      const polled = plane.poll(request, params.workspaceID, WORKSPACE_ENDINGS, () => void stores.findWorkspace(params))
      return polled === undefined ? answer() : polled.then(answer)
    }
  )

  addChange(
    'put',
    path,
    {
      ...common,
      operationId: 'updateWorkspace',
      summary: 'Change, resize, pause or resume a workspace',
      refuses: ['notAllowed'],
      body: UpdateWorkspaceRequestSchema,
      result: ref(WorkspaceSchema),
      example: {
        body: { workspace_type_name: resized, auto_stop_minutes: 60 },
        // It keeps its size until the resize ends.
        result: toExample({ ...main, workgroupName: '', status: afterUpdate, autoStopMinutes: 60 })
      }
    },
    (tx, { sandbox, params, body }) => {
      const workspace = tx.findWorkspace(params)
      const changes = {
        ...changed(body),
        addons: body.addons === undefined ? workspace.addons : knownAddons(tx, workspace.id, body.addons),
        agentConfig: { ...workspace.agentConfig, ...knownFields(agentConfig, body.agent_config ?? {}) },
        extra: changedExtra(workspace, fields.taken('workspace', 'UpdateWorkspaceRequest', body))
      }
      lifecycle.update(tx, workspace, changes, body.pause)
      // As observed: only the reply to an update has no name of the workgroup.
      return toView(sandbox, { ...tx.findWorkspace(params), workgroupName: '' }, tx.now)
    }
  )

  addChange(
    'delete',
    path,
    {
      ...common,
      operationId: 'deleteWorkspace',
      summary: 'Delete a workspace',
      params: ofWorkspace('broken'),
      refuses: ['notAllowed'],
      example: {}
    },
    (tx, { params }) => lifecycle.start(tx, WORKSPACE_TRANSITIONS.delete, tx.findWorkspace(params))
  )

  for (const verb of ['pause', 'refresh', 'resume'] as const) {
    const refusesRepeats = plane.profile.edge.refusals?.('notAllowed', `${verb}Workspace`)?.isForRepeats
    addChange(
      'post',
      `${path}/${verb}`,
      {
        ...common,
        operationId: `${verb}Workspace`,
        summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} a workspace`,
        params: ofWorkspace(EXAMPLE_IDS[verb]),
        refuses: ['notAllowed'],
        example: {}
      },
      (tx, { params }) => {
        const workspace = tx.findWorkspace(params)
        if (verb === 'refresh') lifecycle.refresh(tx, workspace)
        else lifecycle.start(tx, WORKSPACE_TRANSITIONS[verb], workspace, refusesRepeats)
      }
    )
  }

  /** A deleted workspace that the profile keeps readable. */
  function findDeleted(
    stores: SandboxStores,
    sandbox: Sandbox,
    { workgroupID, workspaceID }: { workgroupID: string; workspaceID: string },
    readableFor: number
  ): object | undefined {
    const found = stores.deletedWorkspaces.find(workgroupID, workspaceID)
    const now = plane.now(sandbox)
    const isReadable = found !== undefined && now < found.deletedAt + readableFor
    // Its id may have been reused.
    if (!isReadable || stores.workspaces.find(workspaceID) !== undefined) return undefined
    const { name: workgroupName, cloudProviderId, region } = stores.workgroups.find(workgroupID)!
    const shown = toView(sandbox, { ...found.workspace, workgroupName, cloudProviderId, region }, now)
    return { ...shown, deleted_at: toSeconds(toTimestamp(found.deletedAt)) }
  }

  function toView(org: Org, workspace: FoundWorkspace, now: number) {
    return toWorkspaceView(workspace, { ...plane.view, org, now })
  }

  function toExample(workspace: FoundWorkspace) {
    return toView(DEMO_ORG, workspace, 0)
  }

  /** The id of the database to use. A database has at most one read-write workspace; a new one needs it first. */
  function chooseDatabase(
    tx: Tx,
    workgroup: string,
    body: { readonly svc_database_id?: string; readonly svc_version?: string },
    isRw: boolean
  ): string {
    const { svc_database_id: named } = body
    if (named === undefined) {
      if (!isRw)
        throw fieldNotAllowed(
          'is_rw',
          'must be true for a workspace with a new database; name its svc_database_id for a read-only one'
        )
      const extra = fields.taken('database', 'CreateWorkspaceRequest', body)
      const database = newDatabase(tx, { workgroup, svcVersion: body.svc_version, extra })
      tx.databases.insert(database)
      return database.id
    }
    if (tx.databases.find(workgroup, named) === undefined) {
      throw fieldNotAllowed('svc_database_id', `${named} is not a database of this workgroup`)
    }
    const other = isRw ? tx.workspaces.readWriteOf(named) : undefined
    if (other !== undefined)
      throw fieldNotAllowed('is_rw', `must be false, because the database already has a read-write workspace, ${other}`)
    return named
  }

  /** @throws {ServiceError} `notAllowed` if all add-ons together would become too large to list */
  function knownAddons(tx: Tx, id: string, given: NonNullable<Workspace['addons']>): NonNullable<Workspace['addons']> {
    const addons = given.map((one) => knownFields(addon, one))
    const size = JSON.stringify(addons).length
    // The number of workspaces bounds small ones.
    if (size > 1024 && tx.workspaces.addonsSize(id) + size > MOST_ADDONS_SIZE)
      throw fieldNotAllowed('addons', 'must take at most 16 MiB in all workspaces together')
    return addons
  }

  done()
}

/** Maximum size of the add-ons of all workspaces, as JSON. */
const MOST_ADDONS_SIZE = 16 * 1024 * 1024

/** A type to which a workspace can be resized: the preferred one, the largest other one, or its own. */
function otherType(name: string, own: string, { workspace_types: types }: TypeChoice): string {
  const others = types.filter(({ typeName, resize }) => typeName !== own && resize)
  return (others.find(({ typeName }) => typeName === name) ?? others.at(-1))?.typeName ?? own
}

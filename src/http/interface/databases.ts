import type { FastifyPluginCallback } from 'fastify'
import { found, ServiceError } from '../../interface/errors.js'
import { ref } from '../../interface/schemas.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import {
  type DatabaseRecord,
  type SvcDatabase,
  SvcDatabaseSchema,
  toDatabaseView,
  UpdateSvcDatabaseRequestSchema
} from '../../resources/databases/fields.js'
import { DEMO_ORG } from '../../resources/demo.js'
import { demoRows } from '../../resources/demo-rows.js'
import { changedExtra } from '../../resources/extra.js'
import type { SandboxStores } from '../../resources/tx.js'
import type { FoundWorkspace } from '../../resources/workspaces/fields.js'
import { toWorkspaceView } from '../../resources/workspaces/views.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { operationsIn } from '../operation.js'
import { ofDatabase } from './parameters.js'

const common = { tag: 'Databases', params: ofDatabase() }
const path = '/workgroups/:workgroupID/databases/:databaseID'

/** Operations 13 to 15. */
export const databaseRoutes: FastifyPluginCallback<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { addRead, addChange } = operationsIn(app, plane)
  const { catalogue, fields } = plane.profile
  const { databases, workspaces } = demoRows(catalogue)
  const [shop] = databases as [DatabaseRecord]
  const demo = withWorkspaces(
    { org: DEMO_ORG, now: 0 },
    shop,
    catalogue.defaults.region,
    workspaces.filter(({ database }) => database === shop.id)
  )

  addRead(
    path,
    {
      ...common,
      operationId: 'getDatabase',
      summary: 'Read one database',
      result: ref(SvcDatabaseSchema),
      example: { result: demo }
    },
    (stores, { sandbox, params }) => toView(stores, sandbox, find(stores, params), plane.now(sandbox))
  )

  addChange(
    'put',
    path,
    {
      ...common,
      operationId: 'updateDatabase',
      summary: 'Change a database',
      body: UpdateSvcDatabaseRequestSchema,
      result: ref(SvcDatabaseSchema),
      example: { body: { svc_database_name: 'Shop' }, result: { ...demo, name: 'Shop' } }
    },
    (tx, { sandbox, params, body }) => {
      const database = find(tx, params)
      const extra = changedExtra(database, fields.taken('database', 'UpdateSvcDatabaseRequest', body))
      const changed = { ...database, name: body.svc_database_name, extra }
      tx.databases.save(changed)
      return toView(tx, sandbox, changed, tx.now)
    }
  )

  addChange(
    'delete',
    path,
    {
      ...common,
      operationId: 'deleteDatabase',
      summary: 'Delete a database that has no workspaces',
      params: ofDatabase('archive'),
      refuses: ['notAllowed'],
      example: {}
    },
    (tx, { params }) => {
      const { id } = find(tx, params)
      const workspaces = tx.workspaces.countOfDatabase(id)
      if (workspaces > 0) {
        const message = `The database ${id} still has workspaces (${workspaces}); delete them first.`
        throw new ServiceError('notAllowed', message)
      }
      tx.databases.remove(id)
    }
  )

  function find(stores: SandboxStores, params: { workgroupID: string; databaseID: string }): DatabaseRecord {
    const { id: workgroup } = stores.findWorkgroup(params)
    return found(stores.databases.find(workgroup, params.databaseID), 'database', params.databaseID)
  }

  function toView(stores: SandboxStores, org: Org, database: DatabaseRecord, now: number): SvcDatabase {
    const { region } = stores.workgroups.find(database.workgroup)!
    return withWorkspaces({ org, now }, database, region, stores.workspaces.listOfDatabase(database.id))
  }

  function withWorkspaces(
    context: { readonly org: Org; readonly now: number },
    database: DatabaseRecord,
    region: string,
    workspaces: readonly FoundWorkspace[]
  ): SvcDatabase {
    const ids = workspaces.map(({ id }) => id)
    return {
      ...toDatabaseView(database, { ...plane.view, ...context, region, workspaceIds: ids }),
      workspaces: workspaces.map((workspace) => toWorkspaceView(workspace, { ...plane.view, ...context }))
    }
  }

  done()
}

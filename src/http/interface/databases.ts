import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { ControlPlane } from '../../control-plane.js'
import { found, ServiceError } from '../../lib/errors.js'
import { ref } from '../../lib/schemas.js'
import {
  type SvcDatabase,
  SvcDatabaseSchema,
  UpdateSvcDatabaseRequestSchema
} from '../../resources/databases/schemas.js'
import type { DatabaseRecord } from '../../resources/databases/store.js'
import { toDatabaseView } from '../../resources/databases/views.js'
import type { SandboxStores } from '../../resources/stores.js'
import { toWorkspaceView } from '../../resources/workspaces/views.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { success } from '../envelope.js'
import { operation } from '../operation.js'

const common = { tag: 'Databases', params: { workgroupID: 'Id of the workgroup.', databaseID: 'Id of the database.' } }
const path = '/workgroups/:workgroupID/databases/:databaseID'

/** Operations 13 to 15. */
export const databaseRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane }> = (app, { plane }, done) => {
  app.get(
    path,
    operation({
      ...common,
      operationId: 'getDatabase',
      summary: 'Read one database',
      result: ref(SvcDatabaseSchema)
    }),
    (request, reply) => {
      const { sandbox, params } = request
      const stores = plane.storesOf(sandbox)
      void reply.send(success(request, 'The database was found.', toView(stores, sandbox, find(stores, params))))
    }
  )

  app.put(
    path,
    operation({
      ...common,
      operationId: 'updateDatabase',
      summary: 'Change a database',
      body: UpdateSvcDatabaseRequestSchema,
      result: ref(SvcDatabaseSchema)
    }),
    async (request) => {
      const { sandbox, params, body } = request
      const updated = await plane.write(request, (tx) => {
        const database = { ...find(tx, params), name: body.svc_database_name }
        tx.databases.rename(database.id, database.name)
        return toView(tx, sandbox, database)
      })
      return success(request, 'The database was updated.', updated)
    }
  )

  app.delete(
    path,
    operation({
      ...common,
      operationId: 'deleteDatabase',
      summary: 'Delete a database that has no workspaces',
      refuses: [400]
    }),
    async (request) => {
      const { params } = request
      await plane.write(request, (tx) => {
        const { id } = find(tx, params)
        const workspaces = tx.workspaces.countOfDatabase(id)
        if (workspaces > 0) {
          throw new ServiceError(
            'notAllowed',
            `The database ${id} still has workspaces (${workspaces}); delete them first.`
          )
        }
        tx.databases.remove(id)
      })
      return success(request, `The database ${params.databaseID} was deleted.`)
    }
  )

  function find(
    stores: SandboxStores,
    { workgroupID, databaseID }: { workgroupID: string; databaseID: string }
  ): DatabaseRecord {
    found(stores.workgroups.find(workgroupID), 'workgroup', workgroupID)
    return found(stores.databases.find(workgroupID, databaseID), 'database', databaseID)
  }

  function toView(stores: SandboxStores, sandbox: Sandbox, database: DatabaseRecord): SvcDatabase {
    const { region } = stores.workgroups.find(database.workgroup)!
    const workspaces = stores.workspaces.listOfDatabase(database.id)
    return {
      ...toDatabaseView(
        sandbox,
        database,
        region,
        workspaces.map(({ id }) => id)
      ),
      workspaces: workspaces.map((workspace) =>
        toWorkspaceView(sandbox, workspace, plane.options.workspaceHostTemplate)
      )
    }
  }

  done()
}

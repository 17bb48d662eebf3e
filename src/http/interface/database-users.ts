import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fieldNotAllowed } from '../../interface/errors.js'
import { ref, withRequired } from '../../interface/schemas.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import {
  type DatabaseUserRecord,
  IAMUserSchema,
  InDatabaseUserRequestSchema,
  newDatabaseUser,
  toDatabaseUserView
} from '../../resources/database-users/fields.js'
import { hashPassword } from '../../resources/database-users/passwords.js'
import { DEMO_ORG } from '../../resources/demo.js'
import { demoRows, exampleRow } from '../../resources/demo-rows.js'
import { changedExtra } from '../../resources/extra.js'
import type { WorkspaceRecord } from '../../resources/workspaces/fields.js'
import { RUNNING, USERS } from '../../resources/workspaces/lifecycle.js'
import { guard } from '../../resources/workspaces/transitions.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { operation, operationsIn } from '../operation.js'
import { ofWorkspace } from './parameters.js'

const common = { tag: 'Database users', declaresErrors: true, params: ofWorkspace(), refuses: ['notAllowed'] } as const
const path = '/workgroups/:workgroupID/workspaces/:workspaceID/dbuser'
const named = withRequired('P-195', InDatabaseUserRequestSchema, ['username'])
const complete = withRequired('P-193', InDatabaseUserRequestSchema, ['username', 'password'])

/** Operations 23 to 26. */
export const databaseUserRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { addRead, addChange } = operationsIn(app, plane)
  const { catalogue, fields } = plane.profile
  const ben = newDatabaseUser(exampleRow(catalogue), { username: 'ben', workspace: 'main', passwordHash: '' })
  const toView = (user: DatabaseUserRecord, org: Org = DEMO_ORG) => toDatabaseUserView(user, { ...plane.view, org })

  app.post(
    path,
    operation({
      ...common,
      operationId: 'createDatabaseUser',
      summary: 'Create an in-database user',
      body: complete,
      result: ref(IAMUserSchema),
      example: { body: { username: 'ben', password: 'a secret of ben' }, result: toView(ben) }
    }),
    async (request) => {
      const { sandbox, params, body } = request
      const { username, password } = body
      const passwordHash = await hashPassword(password, plane)
      const created = await plane.write(request, (tx) => {
        const workspace = idOfRunning(tx.findWorkspace(params))
        if (tx.databaseUsers.find(workspace, username) !== undefined) {
          throw fieldNotAllowed('username', `${username} is taken; choose another`)
        }
        tx.resources.take()
        const extra = fields.taken('database_user', 'InDatabaseUserRequest', body)
        const user = newDatabaseUser(tx, { workspace, username, passwordHash, extra })
        tx.databaseUsers.insert(user)
        return user
      })
      return request.succeed(toView(created, sandbox))
    }
  )

  addRead(
    path,
    {
      ...common,
      operationId: 'listDatabaseUsers',
      summary: 'List the in-database users',
      result: Type.Array(ref(IAMUserSchema)),
      example: { result: demoRows(catalogue).users.map((user) => toView(user)) }
    },
    (stores, { sandbox, params }) =>
      stores.databaseUsers.list(idOfRunning(stores.findWorkspace(params))).map((user) => toView(user, sandbox))
  )

  app.put(
    path,
    operation({
      ...common,
      operationId: 'updateDatabaseUserPassword',
      summary: 'Change the password of an in-database user',
      body: complete,
      example: { body: { username: 'ann', password: 'a new secret' } }
    }),
    async (request) => {
      const { params, body } = request
      const { username, password } = body
      const passwordHash = await hashPassword(password, plane)
      await plane.write(request, (tx) => {
        const workspace = idOfRunning(tx.findWorkspace(params))
        const user = tx.databaseUsers.find(workspace, username)
        if (user === undefined) throw unknownUser(username)
        const extra = changedExtra(user, fields.taken('database_user', 'InDatabaseUserRequest', body))
        tx.databaseUsers.save({ ...user, passwordHash, updated: tx.timestamp, extra })
      })
      return request.succeed()
    }
  )

  addChange(
    'delete',
    path,
    {
      ...common,
      operationId: 'deleteDatabaseUser',
      summary: 'Delete an in-database user',
      body: named,
      example: { body: { username: 'ann' } }
    },
    (tx, { body: { username }, params }) => {
      const workspace = idOfRunning(tx.findWorkspace(params))
      if (tx.databaseUsers.remove(workspace, username) === 0) throw unknownUser(username)
    }
  )

  /** @throws {ServiceError} if the server of the workspace is not running */
  function idOfRunning(workspace: WorkspaceRecord): string {
    guard(plane.profile, USERS, RUNNING, workspace)
    return workspace.id
  }

  done()
}

const unknownUser = (username: string) => fieldNotAllowed('username', `${username} is not a user of this workspace`)

import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fieldNotAllowed } from '../../lib/errors.js'
import { operation } from '../operation.js'
import { ref, withRequired } from '../../lib/schemas.js'
import { success } from '../envelope.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { World } from '../../control-plane.js'
import { hashPassword } from '../../resources/database-users/passwords.js'
import { IAMUserSchema, InDatabaseUserRequestSchema, type IAMUser } from '../../resources/database-users/schemas.js'
import type { DatabaseUserRecord } from '../../resources/database-users/store.js'

const common = { tag: 'Database users', params: { workgroupID: 'Id of the workgroup.', workspaceID: 'Id of the workspace.' } }
const path = '/workgroups/:workgroupID/workspaces/:workspaceID/dbuser'
const named = withRequired(InDatabaseUserRequestSchema, ['username'])
const complete = withRequired(InDatabaseUserRequestSchema, ['username', 'password'])

/** Operations 23 to 26. */
export const databaseUserRoutes: FastifyPluginCallbackTypebox<{ world: World }> = (app, { world }, done) => {
  app.post(path, operation({
    ...common, operationId: 'createDatabaseUser', summary: 'Create an in-database user', declares: [400, 500],
    body: complete, result: ref(IAMUserSchema)
  }), async (request) => {
    const { sandbox, params, body: { username, password } } = request
    const passwordHash = await hashPassword(password)
    const created = await world.write(request, (turn) => {
      const { id: workspace } = world.findWorkspace(sandbox, params)
      if (world.databaseUsers.find(sandbox.key, workspace, username) !== undefined) {
        throw fieldNotAllowed('username', `${username} is taken; choose another`)
      }
      world.resources.take(sandbox.key)
      const user = { id: turn.newId(), username, passwordHash, created: turn.timestamp, updated: turn.timestamp }
      world.databaseUsers.insert(sandbox.key, workspace, user)
      return user
    })
    return success(request, `The user ${username} was created.`, present(sandbox, created))
  })

  app.get(path, operation({
    ...common, operationId: 'listDatabaseUsers', summary: 'List the in-database users', declares: [500], result: Type.Array(ref(IAMUserSchema))
  }), (request, reply) => {
    const { sandbox, params } = request
    const users = world.databaseUsers.list(sandbox.key, world.findWorkspace(sandbox, params).id)
    void reply.send(success(request, `Users: ${users.length}.`, users.map((user) => present(sandbox, user))))
  })

  app.put(path, operation({
    ...common, operationId: 'updateDatabaseUserPassword', summary: 'Change the password of an in-database user', declares: [400, 500], body: complete
  }), async (request) => {
    const { sandbox, params, body: { username, password } } = request
    const passwordHash = await hashPassword(password)
    await world.write(request, (turn) => {
      const { id: workspace } = world.findWorkspace(sandbox, params)
      if (!world.databaseUsers.setPassword(sandbox.key, workspace, username, passwordHash, turn.timestamp)) throw unknownUser(username)
    })
    return success(request, `The password of ${username} was changed.`)
  })

  app.delete(path, operation({
    ...common, operationId: 'deleteDatabaseUser', summary: 'Delete an in-database user', declares: [400, 500], body: named
  }), async (request) => {
    const { sandbox, params, body: { username } } = request
    await world.write(request, () => {
      const { id: workspace } = world.findWorkspace(sandbox, params)
      if (!world.databaseUsers.remove(sandbox.key, workspace, username)) throw unknownUser(username)
    })
    return success(request, `The user ${username} was deleted.`)
  })

  done()
}

function unknownUser(username: string) {
  return fieldNotAllowed('username', `${username} is not a user of this workspace`)
}

function present({ orgId }: Sandbox, { id, username, created, updated }: DatabaseUserRecord): IAMUser {
  return {
    id,
    username,
    email: '',
    firstName: '',
    lastName: '',
    enabled: true,
    path: '/',
    tenantID: orgId,
    srn: `srn:svc:iam:${orgId}:user/${id}`,
    created,
    updated
  }
}

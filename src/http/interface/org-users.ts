import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { fieldNotAllowed, found } from '../../interface/errors.js'
import { ref } from '../../interface/schemas.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { DEMO_ORG } from '../../resources/demo.js'
import { demoRows } from '../../resources/demo-rows.js'
import { changedExtra } from '../../resources/extra.js'
import {
  OrgListUserResponseSchema,
  type OrgUserRecord,
  PutOrgUsersRolesSchema,
  toOrgUserView
} from '../../resources/org-users/fields.js'
import { operation } from '../operation.js'
import { parameter } from './parameters.js'

const common = { tag: 'Org users', access: 'session' } as const

/** Operations 37 and 38. They are outside the controller's path, and do not accept an API key. */
export const orgUserRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { fields, words, catalogue } = plane.profile

  app.get(
    '/users',
    operation({
      ...common,
      operationId: 'listOrgUsers',
      summary: 'List the users of the org',
      description: 'The reply is not wrapped in the envelope.',
      bare: ref(OrgListUserResponseSchema),
      example: { result: demoRows(catalogue).orgUsers.map((user) => toOrgUserView(user, { org: DEMO_ORG, words })) }
    }),
    ({ sandbox }) => {
      const users = plane.storesOf(sandbox).orgUsers.list()
      return users.map((user) => toOrgUserView(user, { org: sandbox, words }))
    }
  )

  app.put(
    '/users/:userId/roles',
    operation({
      ...common,
      operationId: 'updateOrgUserRoles',
      summary: 'Change the roles of a user of the org',
      refuses: ['notAllowed'],
      params: { userId: parameter('Id of the user.', 'ada') },
      body: PutOrgUsersRolesSchema,
      noContent: true,
      example: { body: { roles: ['workspace-admin', 'billing-viewer'] } }
    }),
    async (request, reply) => {
      const { roles } = request.body
      const { userId } = request.params
      await plane.write(request, (tx) => {
        const user = found(tx.orgUsers.find(userId), 'org user', userId)
        const others = tx.orgUsers.list().filter(({ id }) => id !== userId)
        if (!roles.includes('org-admin') && !others.some(isAdmin)) {
          throw fieldNotAllowed('roles', 'must include org-admin, because this is the last org admin')
        }
        const extra = changedExtra(user, fields.taken('org_user', 'org_handler.PutOrgUsersRoles', request.body))
        tx.orgUsers.save({ ...user, roles, updated: tx.timestamp, extra })
      })
      return reply.code(204).send()
    }
  )

  done()
}

const isAdmin = ({ enabled, roles }: OrgUserRecord) => enabled && roles.includes('org-admin')

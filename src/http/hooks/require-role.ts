import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import type { OperationId } from '../../interface/operation-ids.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import type { Roles } from '../../profile/roles.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { CALLER } from '../../resources/org-users/seed.js'
import { operationIdOf } from '../operation.js'
import { readCredential } from './enter-sandbox.js'

/**
 * Refuses unknown users, and callers whose roles do not allow an operation, on all routes added to `api` after this
 * call. All API keys have the same roles; a session has those of its org user.
 */
export function requireRole(
  api: FastifyInstance,
  plane: Pick<ControlPlane, 'storesOf'>,
  { api_key: ofKeys = ORG_ROLE_NAMES, allow }: Roles
): void {
  // The body must have been read, because it can determine the operation.
  api.addHook('preValidation', (request, _reply, done) => {
    const operation = operationIdOf(request)!
    const allowed = allow[operation as OperationId]
    const roles = rolesOf(request)
    if (allowed?.some((role) => roles.includes(role)) === false) {
      const needed = allowed.length === 0 ? 'no role allows it' : `it requires the role ${allowed.join(' or ')}`
      throw new ServiceError('forbidden', `The caller may not call ${operation}: ${needed}.`)
    }
    done()
  })

  function rolesOf({ headers, sandbox }: FastifyRequest): readonly string[] {
    const credential = readCredential(headers, true)
    if (credential?.kind !== 'session') return ofKeys
    const { user } = credential
    const found = plane
      .storesOf(sandbox)
      .orgUsers.list()
      .find(({ id, username, email }) => [id, username, email].includes(user ?? CALLER))
    if (found === undefined && user !== undefined) throw new ServiceError('forbidden', `The org has no user ${user}.`)
    if (found?.enabled === false) throw new ServiceError('forbidden', `The user ${found.email} is disabled.`)
    return found?.roles ?? []
  }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject } from '../../lib/json.js'
import type { RequestRules } from '../../profile/requests.js'

/** Adds what the profile has by default to the bodies of all routes that are added to `api` after this call. */
export function completeBodies(api: FastifyInstance, { defaults }: RequestRules): void {
  if (defaults.size === 0) return
  api.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    const { $ref = '' } = (request.route.schema?.body ?? {}) as { readonly $ref?: string }
    const values = defaults.get($ref.replace(/#$/, ''))
    if (values !== undefined && isObject(request.body)) request.body = { ...values, ...request.body }
    done()
  })
}

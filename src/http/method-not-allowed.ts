import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.js'

/**
 * Answers every other method of the paths that are registered after this call with a 405 that lists the right ones.
 * @returns a function to call when all routes are registered
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  // CONNECT never becomes a request; the others that Node reads, but Fastify does not know of itself, are as wrong as PATCH.
  for (const method of METHODS) if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
  })

  return () => {
    for (const [url, methods] of [...methodsOf]) {
      const allow = [...methods].sort().join(', ')
      app.route({
        url,
        method: app.supportedMethods.filter((method) => !methods.has(method)),
        schema: { hide: true },
        // In this hook, no body is read: a wrong method is told before anything else that may be wrong.
        onRequest: (request, reply, next) => {
          void reply.header('allow', allow)
          next(new ServiceError('methodNotAllowed', `${request.method} is not possible here; use one of ${allow}.`))
        },
        handler: () => undefined
      })
    }
  }
}

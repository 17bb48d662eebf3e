import type { FastifyInstance } from 'fastify'
import { success } from '../interface/envelope.js'
import { VERSION } from '../lib/version.js'

/**
 * Answers `GET /`, where people look first: redirects browsers to the console, and lists addresses for other clients.
 * They are relative, so that nothing from the request's headers is repeated.
 * @param controller path of the interface's operations
 */
export function publishHome(app: FastifyInstance, controller: string): void {
  const addresses = {
    version: VERSION,
    interface: controller,
    console: '/_mock/',
    docs: '/docs',
    openapi: ['/openapi.json', '/_mock/openapi.json'],
    mcp: '/_mock/mcp',
    ready: '/_mock/ready'
  }
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (request.headers.accept?.includes('text/html') === true) return reply.redirect('_mock/', 302)
    return reply.send(success(request, 'svc-mock is running. Its addresses are in Result.', addresses))
  })
}

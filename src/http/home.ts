import type { FastifyInstance } from 'fastify'
import { success } from '../interface/envelope.js'
import { VERSION } from '../lib/version.js'

/**
 * Answers `GET /`, where people look first: with the console for a browser, and with addresses for all others. They are
 * relative, so nothing that a request says about its host comes back.
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
    const others = reply.getHeader('vary')
    void reply.header('vary', others === undefined ? 'accept' : `${String(others)}, accept`)
    if (prefersHtml(request.headers.accept ?? '*/*')) return reply.redirect('_mock/', 302)
    return reply.send(success(request, 'svc-mock is running. Its addresses are in Result.', addresses))
  })
}

/** Whether an Accept header rates HTML higher than JSON, as those of browsers do. */
function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.toLowerCase().split(',').map(readRange))
  const weightOf = (...ranges: readonly string[]) =>
    ranges.map((range) => weights.get(range)).find((weight) => weight !== undefined) ?? 0
  return weightOf('text/html', 'text/*', '*/*') > weightOf('application/json', 'application/*', '*/*')
}

/** Reads an entry of an Accept header. */
function readRange(entry: string): [range: string, weight: number] {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [range, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}

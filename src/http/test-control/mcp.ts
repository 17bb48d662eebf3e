import type { AddressInfo } from 'node:net'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { kept } from '../../lib/kept.js'
import { Waits } from '../waits.js'

/** The Model Context Protocol, by streamable HTTP without sessions. Everything for it is loaded on first request. */
export const mcpRoute: FastifyPluginCallback = (app, _options, done) => {
  const load = kept(() => import('../../mcp/over-http.js'))
  const waits = new Waits(app)

  app.post(
    '/mcp',
    // Changes are recorded with the requests that the tools make.
    { config: { isControl: true, isRead: true }, schema: { hide: true } },
    async (request, reply) => {
      const { answerOverHttp } = await load()
      const url = urlOf(app.server.address() as AddressInfo)
      const answer = await waits.during(request, (signal) =>
        answerOverHttp({ headers: textsOf(request), body: request.body, signal }, url)
      )
      if (answer === undefined) return reply.code(GONE).send('')
      return reply.code(answer.status).headers(answer.headers).send(answer.text)
    }
  )
  done()
}

/** Status for a client that has left. */
const GONE = 499

/** The headers that have a single value. */
function textsOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  )
}

/** The address at which this machine reaches the server. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}

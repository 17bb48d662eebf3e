import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { isControl } from '../operation.js'
import type { OnRequest } from '../request-context.js'

// Requests that no route answers, whatever they ask for.

/** Refuses requests that arrive during shutdown. Fastify would do that too, but not in the envelope. */
export function refuseWhileClosing(app: FastifyInstance): OnRequest {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  return (_request, reply, done) => {
    if (isClosing) {
      void reply.header('connection', 'close')
      throw new ServiceError('unavailable', 'The server is shutting down.')
    }
    done()
  }
}

/** Refuses HTTP/1.1 without a Host header. Node would do that too, but not in the envelope. */
export const requireHost: OnRequest = ({ headers, raw }, reply, done) => {
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    void reply.header('connection', 'close')
    throw new ServiceError('invalidBody', 'The request is not valid HTTP: it has no Host header.')
  }
  done()
}

/** The headers that identify the host and the caller of a request, by the length of their names. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ['host', 'x-api-key', 'x-mock-token', 'authorization'].map((name) => [name.length, name])
)

/**
 * Refuses a request with duplicate host or credential headers. Node keeps the first of some headers and joins others,
 * and a proxy in front of the server may have used another one.
 */
export const refuseDuplicateHeaders: OnRequest = ({ raw }, _reply, done) => {
  const duplicate = duplicateHeader(raw.rawHeaders)
  if (duplicate !== undefined) {
    throw new ServiceError('invalidBody', `The request is not valid: it has the header ${duplicate} more than once.`)
  }
  done()
}

/** @param raw alternating names and values, as received */
function duplicateHeader(raw: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    // This runs for every request, so compare lengths first.
    const { length } = raw[i]!
    const name = SINGLE.get(length)
    if (name === undefined || raw[i]!.toLowerCase() !== name) continue
    if ((seen & (1 << length)) !== 0) return name
    seen |= 1 << length
  }
  return undefined
}

/** Control API paths that make a sandbox larger. The others may be needed to make room. */
const LARGER: ReadonlySet<string> = new Set(['/_mock/state', '/_mock/seed', '/_mock/snapshots/:name'])

/** Refuses requests that would write more when the database is close to its limit. Reads and deletions still work. */
export function refuseWhenFull(plane: Pick<ControlPlane, 'requireRoom'>): OnRequest {
  return ({ method, route: { url = '', config } }, _reply, done) => {
    const isLarger =
      ['POST', 'PUT', 'PATCH'].includes(method) && config.isRead !== true && (!isControl(url) || LARGER.has(url))
    if (isLarger) plane.requireRoom()
    done()
  }
}

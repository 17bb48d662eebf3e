import type { FastifyInstance, FastifyReply } from 'fastify'
import FindMyWay from 'find-my-way'
import { ServiceError } from '../../interface/errors.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { GatewayError } from '../gateway-error.js'
import { adviceOn, type Mount } from '../nearest-path.js'
import { isControl } from '../operation.js'
import { type OnRequest, pathOf } from '../request-context.js'

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

/** Paths that differ in the names of their parameters only, and their methods. */
interface Path {
  /** With neutral names. */
  readonly shape: string
  readonly methods: Set<string>
}

/** An overlong id does not exist, which is a 404. Node limits the whole URL to less than this. */
export const maxParamLength = 65_536

/**
 * Refuses requests without a route: an unknown path with a 404, and an unsupported method with a 405 that lists the
 * supported ones. Knows the paths of all routes registered after this call.
 */
export function requireRoute(app: FastifyInstance, mount: Mount): OnRequest {
  const urls = new Set<string>()
  const known = new Set<string>()
  const paths = new Map<string, Path>()
  let find: ((path: string) => Path | undefined) | undefined
  let contested: ReadonlySet<string> | undefined
  app.addHook('onRoute', ({ url, method, config, schema }) => {
    urls.add(url)
    if (schema?.hide !== true) known.add(config?.shownUrl ?? url)
    const shape = shapeOf(url)
    const path = paths.get(shape) ?? { shape, methods: new Set() }
    for (const name of [method].flat()) path.methods.add(name)
    paths.set(shape, path)
  })

  return (request, reply, done) => {
    const { url } = request.route
    const path = pathOf(request)
    contested ??= contestedOf([...urls])
    // A stub may begin with a parameter, and that matches the control API.
    const isStray = isControl(path) && url?.startsWith('/:') === true
    // The CORS plugin has a catch-all route for OPTIONS.
    if (url === undefined || url === '*' || hasEmptyId(url, path) || contested.has(url) || isStray) {
      find ??= finderOf([...paths.values()])
      const found = find(path)
      const match = isControl(path) && found?.shape.startsWith('/:') === true ? undefined : found
      if (url === undefined || match?.shape !== shapeOf(url)) {
        // The router may have found a route, but the journal and the error must not name an operation.
        request.knownRoute = { ...request.route, url: undefined, config: { url: path, method: request.method } }
        throw refusal(request.method, path, match, reply)
      }
    }
    done()
  }

  function refusal(method: string, path: string, match: Path | undefined, reply: FastifyReply): GatewayError {
    if (match === undefined || match.methods.has(method)) {
      const advice = adviceOn(path, [...known], mount)
      const said = `There is no operation at ${method} ${path}.`
      return new GatewayError('unknown_path', 'notFound', advice === undefined ? said : `${said} ${advice}`)
    }
    const allow = [...match.methods].sort().join(', ')
    void reply.header('allow', allow)
    return new GatewayError(
      'unknown_method',
      'methodNotAllowed',
      `${method} is not possible here; use one of ${allow}.`
    )
  }
}

/** A profile can name the parameters of a path differently for each method. */
function shapeOf(url: string): string {
  let count = 0
  return url.replaceAll(/:[^/]+/g, () => `:${count++}`)
}

/** A trailing slash makes a different path, not an empty id. */
const hasEmptyId = (url: string, path: string) => path.endsWith('/') && !/[*/]$/.test(url)

/** Finds paths with Fastify's own router, regardless of the method. */
function finderOf(paths: readonly Path[]): (path: string) => Path | undefined {
  const router = FindMyWay({ maxParamLength })
  for (const path of paths) router.on('GET', path.shape, () => undefined, path)
  return (path) => {
    const found = router.find('GET', path)
    const isEmptyId = ([name, value]: [string, string | undefined]) => name !== '*' && value === ''
    return found === null || Object.entries(found.params).some(isEmptyId) ? undefined : (found.store as Path)
  }
}

/**
 * Paths that the router would match for another, fixed path without the requested method. `PUT …/allow_list/current`
 * uses a method that this path does not support, and does not mean an entry with the id `current`.
 */
function contestedOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(
    urls.filter((url) => {
      const pattern = new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+')}$`)
      return url.includes('/:') && urls.some((other) => other !== url && pattern.test(other))
    })
  )
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import FindMyWay from 'find-my-way'
import { ServiceError } from '../../interface/errors.js'
import { nearest } from '../../lib/nearest.js'
import { prefixProblem } from '../../profile/routes.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { GatewayError } from '../error-handler.js'
import { isControl } from '../operation.js'
import { type OnRequest, pathOf } from '../request-context.js'

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

/** The headers that identify the host and the caller of a request. */
const SINGLE = ['host', 'x-api-key', 'x-mock-token', 'authorization']

/**
 * Refuses a request with duplicate host or credential headers. Node keeps the first of some headers and joins others,
 * and a proxy in front of the server may have used another one.
 */
export const refuseDuplicateHeaders: OnRequest = ({ raw: { rawHeaders } }, _reply, done) => {
  // Names and values alternate.
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const duplicate = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (duplicate !== undefined)
    throw new ServiceError('invalidBody', `The request is not valid: it has the header ${duplicate} more than once.`)
  done()
}

/**
 * Refuses requests that would write more when the database is close to its limit. Reads and deletions still work, and
 * calls of test control check it themselves: some make room.
 */
export function refuseWhenFull(plane: Pick<ControlPlane, 'requireRoom'>): OnRequest {
  return ({ method, route: { url = '', config } }, _reply, done) => {
    if (['POST', 'PUT', 'PATCH'].includes(method) && config.isRead !== true && !isControl(url)) plane.requireRoom()
    done()
  }
}

/** A path, whatever the names of its parameters. */
interface Path {
  /** With numbers as names. */
  readonly shape: string
  readonly methods: Set<string>
}

/** The paths at which operations are mounted; empty for the root. */
interface Mount {
  readonly basePath: string
  /** Path of the controller's operations below the base path. */
  readonly prefix: string
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
  let find: ReturnType<typeof finderOf> | undefined
  let contested: ReadonlySet<string> | undefined
  let advise: ReturnType<typeof adviserOn> | undefined
  app.addHook('onRoute', ({ url, method, config }) => {
    urls.add(url)
    if (!/[*/]$/.test(url)) known.add(config?.shownUrl ?? url)
    const shape = shapeOf(url)
    const path = paths.get(shape) ?? { shape, methods: new Set() }
    for (const name of [method].flat()) path.methods.add(name)
    paths.set(shape, path)
  })

  return (request, reply, done) => {
    const { url } = request.route
    const path = pathOf(request)
    contested ??= contestedOf([...urls])
    // A stub may begin with a parameter, which matches the control API, too.
    const isStray = isControl(path) && url?.startsWith('/:') === true
    // The CORS plugin has a catch-all route for OPTIONS.
    if (url === undefined || url === '*' || hasEmptyId(url, path) || contested.has(url) || isStray) {
      find ??= finderOf([...paths.values()])
      const found = find(path)
      const match = isControl(path) && found?.shape.startsWith('/:') === true ? undefined : found
      if (url === undefined || match?.shape !== shapeOf(url)) {
        // The router may have found a route, but neither the journal nor the error may name its operation.
        request.knownRoute = { ...request.route, url: undefined, config: { url: path, method: request.method } }
        throw refusal(request.method, path, match, reply)
      }
    }
    done()
  }

  function refusal(method: string, path: string, match: Path | undefined, reply: FastifyReply): GatewayError {
    if (match === undefined || match.methods.has(method)) {
      advise ??= adviserOn([...known], mount)
      const message = [`There is no operation at ${method} ${path}.`, ...advise(path)].join(' ')
      return new GatewayError('unknown_path', 'notFound', message)
    }
    const allow = [...match.methods].sort().join(', ')
    void reply.header('allow', allow)
    const message = `${method} is not allowed here. Allowed: ${allow}.`
    return new GatewayError('unknown_method', 'methodNotAllowed', message)
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
 * Paths with parameters that also match another path. `PUT …/allow_list/current` uses a method that this path does not
 * support; it does not mean the entry with the id `current`.
 */
function contestedOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(
    urls.filter((url) => {
      const pattern = new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+')}$`)
      return url.includes('/:') && urls.some((other) => other !== url && pattern.test(other))
    })
  )
}

/**
 * Gives sentences about the known path nearest to one that does not exist: where it is, and how to have it there.
 * @param known with `:name` for a parameter
 */
function adviserOn(known: readonly string[], { basePath, prefix }: Mount): (path: string) => string[] {
  const operations = known.filter(isOperation)
  // Parts of known paths that all have, so they say nothing.
  const nearestTo = nearestOf(known, ['/_mock', `${basePath}${prefix}`, basePath])
  return (path) => {
    // The path may only have a slash too many, as when two parts that both have one are joined.
    const asked = segmentsOf(path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, ''))
    for (const url of operations) {
      const own = beginningOf(asked, url, basePath)
      if (own === basePath) return [there(url)]
      if (own !== undefined) return [there(url), ...howToHave(own, 'start the server with --base-path')]
    }
    for (const url of operations) {
      const own = beginningOf(asked, url, `${basePath}${prefix}`)
      if (own !== undefined && `${own}/`.startsWith(`${basePath}/`))
        return [there(url), ...howToHave(own.slice(basePath.length), 'use a profile with the line prefix:')]
    }
    const alike = nearestTo(asked)
    return alike === undefined ? [] : [there(alike)]
  }
}

/** How to have operations below another path, if that is possible. */
const howToHave = (path: string, how: string) =>
  prefixProblem(path || '/') === undefined ? [`To have it here, ${how} ${path || '/'}`] : []

/** The longest paths whose segments are compared; in longer ones, that would take too long. */
const MOST_SEGMENTS = 32

/**
 * Finds the known path with the most names in common; of several, the shortest that also ends alike. Other paths than
 * those of operations count only for a path with `_mock`, or if no operation has a name in common.
 */
function nearestOf(known: readonly string[], beginnings: readonly string[]) {
  const paths = known.map((url) => {
    const beginning = beginnings.find((one) => `${url}/`.startsWith(`${one}/`)) ?? ''
    const segments = segmentsOf(url.slice(beginning.length))
    return { url, segments, names: segments.filter((one) => !isParameter(one)), isOperation: isOperation(url) }
  })
  const all = [...new Set(paths.flatMap(({ names }) => names))]
  return (asked: readonly string[]): string | undefined => {
    if (asked.length > MOST_SEGMENTS) return undefined
    const alike = asked.map((own) => new Set(all.filter((name) => isAlike(own, name))))
    const isForTests = asked.includes('_mock')
    const ranked = paths.map(({ url, segments, names, isOperation }) => {
      const common = names.filter((name) => alike.some((likes) => likes.has(name))).length
      const last = segments.at(-1) ?? ''
      const endsAlike = isParameter(last) || alike.at(-1)?.has(last) === true
      const isPreferred = isOperation && !isForTests && common > 0
      return { url, isPreferred, common, endsAlike, length: segments.length }
    })
    const [best] = ranked.sort(
      (a, b) =>
        Number(b.isPreferred) - Number(a.isPreferred) ||
        b.common - a.common ||
        Number(b.endsAlike) - Number(a.endsAlike) ||
        a.length - b.length
    )
    return best !== undefined && best.common > 0 ? best.url : undefined
  }
}

/** The text that a path has in place of the beginning of a known one, if the rest is the same. */
function beginningOf(asked: readonly string[], url: string, beginning: string): string | undefined {
  if (!url.startsWith(`${beginning}/`)) return undefined
  const rest = segmentsOf(url.slice(beginning.length))
  const length = asked.length - rest.length
  const isSame = length >= 0 && !rest.every(isParameter) && rest.every((one, at) => fits(asked[length + at]!, one))
  return isSame ? ['', ...asked.slice(0, length)].join('/') : undefined
}

/** Whether a segment is a name, a misspelling of it, or it without an extension. */
const isAlike = (own: string, name: string) =>
  own === name || name.startsWith(`${own}.`) || nearest(own, [name]) !== undefined

const fits = (own: string, segment: string) => (isParameter(segment) ? own !== '' : own === segment)
const segmentsOf = (path: string) => path.split('/').slice(1)
const isOperation = (url: string) => !url.startsWith('/_mock/')
const isParameter = (segment: string) => segment.startsWith(':')
const there = (url: string) => `There is one at ${url.replaceAll(/:(\w+)/g, '{$1}')}.`

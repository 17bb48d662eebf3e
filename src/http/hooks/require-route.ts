import type { FastifyInstance, FastifyReply } from 'fastify'
import FindMyWay from 'find-my-way'
import { ServiceError } from '../../lib/errors.js'
import { type OnRequest, pathOf } from '../request-context.js'

/** A path, as its routes are registered, and the methods of those. */
interface Path {
  readonly url: string
  readonly methods: Set<string>
}

/** An id that is too long names nothing, which is a 404; Node itself limits the whole URL to less than this. */
export const maxParamLength = 65_536

/**
 * Refuses what no route is for: an unknown path with a 404, and a method that a path does not have with a 405 that
 * lists those it has. It knows the paths of the routes that are registered after this call.
 */
export function requireRoute(app: FastifyInstance): OnRequest {
  const paths = new Map<string, Path>()
  let find: ((path: string) => Path | undefined) | undefined
  let contested: ReadonlySet<string> | undefined
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { url, methods: new Set() }
    for (const name of [method].flat()) path.methods.add(name)
    paths.set(url, path)
  })

  return (request, reply, done) => {
    const { url } = request.route
    const path = pathOf(request)
    contested ??= contestedOf([...paths.keys()])
    // The CORS plugin has a route for every OPTIONS that no other route is for.
    if (url === undefined || url === '*' || hasEmptyId(url, path) || contested.has(url)) {
      find ??= finderOf([...paths.values()])
      const known = find(path)
      if (url === undefined || known?.url !== url) {
        // No operation was meant, whichever route the router has found: the journal and the error must not name one.
        request.knownRoute = { ...request.route, url: undefined, config: { url: path, method: request.method } }
        throw refusal(request.method, path, known, reply)
      }
    }
    done()
  }
}

/** A slash at the end makes another path, and no empty id. */
const hasEmptyId = (url: string, path: string) => path.endsWith('/') && !/[*/]$/.test(url)

function refusal(method: string, path: string, known: Path | undefined, reply: FastifyReply): ServiceError {
  if (known === undefined || known.methods.has(method)) {
    return new ServiceError('notFound', `There is no operation at ${method} ${path}.`)
  }
  const allow = [...known.methods].sort().join(', ')
  void reply.header('allow', allow)
  return new ServiceError('methodNotAllowed', `${method} is not possible here; use one of ${allow}.`)
}

/** Finds paths by Fastify's own router, which is asked here without the method. */
function finderOf(paths: readonly Path[]): (path: string) => Path | undefined {
  const router = FindMyWay({ maxParamLength })
  for (const path of paths) router.on('GET', path.url, () => undefined, path)
  return (path) => {
    const found = router.find('GET', path)
    const isEmptyId = ([name, value]: [string, string | undefined]) => name !== '*' && value === ''
    return found === null || Object.entries(found.params).some(isEmptyId) ? undefined : (found.store as Path)
  }
}

/**
 * The paths that the router would take for other, fixed ones, where only these paths have the method: `PUT
 * …/allow_list/current` is a method that this path does not have, and no entry with the id `current`.
 */
function contestedOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(
    urls.filter((url) => {
      const pattern = new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+')}$`)
      return url.includes('/:') && urls.some((other) => other !== url && pattern.test(other))
    })
  )
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/errors.js'

interface Path {
  readonly segments: readonly string[]
  readonly methods: Set<string>
}

/** Refuses methods that a path does not have with a 405 that lists those it has. */
export interface OtherMethods {
  /** Why there is no route; undefined if there is no such path at all. */
  readonly refusal: (method: string, path: string, reply: FastifyReply) => ServiceError | undefined
  /** To be called when all routes are registered. */
  readonly complete: () => void
}

/**
 * Knows the methods of the paths that are registered after this call. Routes that refuse all the others would be thirty times as
 * many as there are, and take a good part of the start; so it looks for them only where no route was found.
 */
export function otherMethods(app: FastifyInstance): OtherMethods {
  const paths = new Map<string, Path>()
  let isComplete = false
  app.addHook('onRoute', ({ url, method }) => {
    if (isComplete) return
    const path = paths.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const name of [method].flat()) path.methods.add(name)
    paths.set(url, path)
  })

  return {
    refusal: (method, path, reply) => {
      const segments = path.split('/').map(decode)
      const found = [...paths.values()].filter((candidate) => leadsTo(candidate.segments, segments))
      // As in the router, a fixed path goes before one with an id in its place.
      const [best] = found.sort((a, b) => wildness(a) - wildness(b))
      return best === undefined || best.methods.has(method) ? undefined : refuse(method, best, reply)
    },
    complete: () => {
      isComplete = true
      // A fixed path would be taken for an id, where only that has the method: `PUT …/allow_list/current`.
      for (const [url, path] of [...paths]) {
        const method = [...paths.values()].filter(({ segments }) => segments !== path.segments && leadsTo(segments, path.segments))
          .flatMap(({ methods }) => [...methods]).filter((name) => !path.methods.has(name))
        if (method.length === 0) continue
        const onRequest = (request: FastifyRequest, reply: FastifyReply) => { throw refuse(request.method, path, reply) }
        app.route({ url, method: [...new Set(method)], schema: { hide: true }, exposeHeadRoute: false, onRequest, handler: () => undefined })
      }
    }
  }
}

function refuse(method: string, { methods }: Path, reply: FastifyReply): ServiceError {
  const allow = [...methods].sort().join(', ')
  void reply.header('allow', allow)
  return new ServiceError('methodNotAllowed', `${method} is not possible here; use one of ${allow}.`)
}

function leadsTo(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
}

function wildness({ segments }: Path): number {
  return segments.filter((part) => part === '*' || part.startsWith(':')).length
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { ServiceError } from '../errors.js'
import type { Options } from '../options.js'
import type { Sandbox } from '../sandboxes/store.js'
import type { World } from '../world.js'
import { authenticator } from './credentials.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sandbox of the caller; there is one on every route that needs a credential. */
    sandbox: Sandbox
    /** What the log calls the sandbox. */
    sandboxName: string | undefined
  }
}

/**
 * The first thing that happens to a request: it gets its RequestID, an unknown route ends here, and where a credential is
 * needed it is brought to its sandbox. All of it is done before a body is read.
 */
export function onArrival(world: World, options: Options, isClosing: () => boolean) {
  const identify = authenticator(options)
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    giveRequestId(world, request, reply)
    if (isClosing()) {
      void reply.header('connection', 'close')
      done(new ServiceError('unavailable', 'The server is shutting down.'))
      return
    }
    if (request.is404) {
      done(new ServiceError('notFound', `There is no operation at ${request.method} ${pathOf(request)}.`))
      return
    }
    const { access } = request.routeOptions.config
    if (access === undefined) {
      done()
      return
    }
    const { sandboxId, name } = identify(request.headers, access)
    const sandbox = world.sandboxes.open(sandboxId)
    if (sandbox instanceof Promise) {
      sandbox.then((created) => { enter(request, created, name); done() }, (error: unknown) => { done(error as Error) })
      return
    }
    enter(request, sandbox, name)
    // The replies of one turn of the event loop leave together, as those of writers do by the group commit: answering each
    // read as it comes wakes a waiting client for every one, which costs more than all the rest of the request.
    if (request.method === 'GET') setImmediate(done)
    else done()
  }
}

/** Sets the id of a request: the caller's own if it has a harmless form, else a new one. */
export function giveRequestId(world: World, request: FastifyRequest, reply: FastifyReply): void {
  const own = request.headers['x-request-id']
  const id = typeof own === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(own) ? own : world.requestIds.uuid()
  request.id = id
  void reply.header('x-request-id', id)
}

/** The path without its query, which may hold what does not belong into a log. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

function enter(request: FastifyRequest, sandbox: Sandbox, name: string | undefined): void {
  request.sandbox = sandbox
  request.sandboxName = name
}

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { isUnwritable } from '../db/database.js'
import { ServiceError } from '../lib/errors.js'
import type { Options } from '../options.js'
import { requireThere, type Sandbox } from '../sandboxes/sandbox.js'
import { wallTime } from '../sim/clock.js'
import type { Random } from '../sim/random.js'
import type { World } from '../control-plane.js'
import { answerPreflight, isPreflight } from './cors.js'
import { authenticator, type Caller } from './credentials.js'
import { duplicateHeader } from './duplicate-headers.js'
import type { OtherMethods } from './method-not-allowed.js'
import { Turns } from './turns.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sandbox of the caller; there is one on every route that needs a credential. */
    sandbox: Sandbox
    /** What the log calls the sandbox. */
    sandboxName: string | undefined
    /** When it came to its sandbox, in milliseconds since 1970: by the sandbox's clock, and by the machine's. */
    arrival: { readonly at: number; readonly received: number } | undefined
  }
}

/**
 * The first thing that happens to a request: it gets its RequestID, an unknown route ends here, and where a credential is
 * needed it is brought to its sandbox, whose due events are run. All of it is done before a body is read.
 */
export function onArrival(
  world: World, options: Options, guard: (request: FastifyRequest) => void, others: OtherMethods, isClosing: () => boolean
) {
  const identify = authenticator(options)
  const turns = new Turns()

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (options.corsOrigin.length > 0 && isPreflight(request)) {
      giveRequestId(world.requestIds, request, reply)
      answerPreflight(request, reply)
      return
    }
    let caller: Caller | undefined
    let sandbox: Sandbox | Promise<Sandbox> | undefined
    try {
      caller = admit(request, reply)
      sandbox = caller === undefined ? undefined : world.sandboxes.open(caller.sandboxId, !caller.isFork)
    } catch (error) {
      giveRequestId(world.requestIds, request, reply)
      throw error
    }
    if (caller === undefined || sandbox === undefined) {
      giveRequestId(world.requestIds, request, reply)
      done()
      return
    }
    request.sandboxName = caller.name
    if (sandbox instanceof Promise) {
      sandbox.then((created) => { enter(request, reply, created, done) }, (error: unknown) => {
        giveRequestId(world.requestIds, request, reply)
        done(error as Error)
      })
    } else {
      enter(request, reply, sandbox, done)
    }
  }

  function admit(request: FastifyRequest, reply: FastifyReply): Caller | undefined {
    if (isClosing()) {
      void reply.header('connection', 'close')
      throw new ServiceError('unavailable', 'The server is shutting down.')
    }
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      void reply.header('connection', 'close')
      throw new ServiceError('invalidBody', 'The request is not valid HTTP: it has no Host header.')
    }
    const duplicate = duplicateHeader(request.raw.rawHeaders)
    if (duplicate !== undefined) throw new ServiceError('invalidBody', `The request is not valid: it has the header ${duplicate} more than once.`)
    const { url, config: { access } } = request.routeOptions
    const path = pathOf(request)
    // The CORS plugin has a route for every OPTIONS that no other route is for. A slash at the end makes another path, and
    // no empty id.
    if (request.is404 || url === undefined || url === '*' || (path.endsWith('/') && !/[*/]$/.test(url))) {
      throw others.refusal(request.method, path, reply) ?? new ServiceError('notFound', `There is no operation at ${request.method} ${path}.`)
    }
    guard(request)
    return access === undefined ? undefined : identify(request.headers, access)
  }

  function enter(request: FastifyRequest, reply: FastifyReply, sandbox: Sandbox, done: HookHandlerDoneFunction): void {
    request.sandbox = sandbox
    request.arrival = { at: world.engine.now(sandbox), received: wallTime() }
    giveRequestId(sandbox.requestIds, request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      // A write settles the sandbox itself, when it is its turn.
      done()
    } else if (world.mustWait(sandbox)) {
      waitForTurn()
    } else {
      // The replies of one turn of the event loop leave together, as those of writers do by the group commit: answering
      // each read as it comes wakes a waiting client for every one, which costs more than all the rest of the request.
      turns.add(sandbox, () => {
        // By then, the sandbox may be being moved.
        if (world.isHeld(sandbox)) waitForTurn()
        else goOn()
      })
    }

    function waitForTurn(): void {
      world.write(request, () => undefined).then(goOn, (error: unknown) => {
        // While nothing can be written, a read answers what is known.
        if (isUnwritable(error)) goOn()
        else done(error as Error)
      })
    }

    /** By then, the sandbox may be gone, and its key with another one. */
    function goOn(): void {
      try {
        requireThere(sandbox)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
  }
}

/** Sets the id of a request: the caller's own if it has a harmless form, else a new one. */
export function giveRequestId(ids: Random, request: FastifyRequest, reply: FastifyReply): void {
  const own = request.headers['x-request-id']
  const id = typeof own === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(own) ? own : ids.uuid()
  request.id = id
  void reply.header('x-request-id', id)
}

/** The path without its query, which may hold what does not belong into a log. */
export function pathOf(request: FastifyRequest): string {
  const { url } = request
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../control-plane.js'
import { ERRORS, type ErrorType } from '../../lib/errors.js'
import { delayOf, faultId } from '../../sandboxes/fault-rule.js'
import type { FaultEffect, FaultPhase, FaultRecord } from '../../sandboxes/faults.js'
import { assertNotRemoved, type Sandbox } from '../../sandboxes/sandbox.js'
import { sleep } from '../../sim/clock.js'
import { failure } from '../error-handler.js'
import { operationIdOf } from '../operation.js'

/** The fault that a request has met. */
export interface MetFault {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** Why it failed, where the effect is an error. */
  readonly reason: string
  /** Milliseconds that the request waits by the machine's clock. */
  readonly delay: number
  /** Whether the client has gone while the request waited, so that nothing was done. */
  readonly isAbandoned: boolean
}

/**
 * Lets the faults of a sandbox happen to the requests of all routes that are added to `api` after this call. What comes
 * before (a credential, a body that can be read) is not touched.
 */
export function injectFaults(api: FastifyInstance, plane: ControlPlane): void {
  const waits = new Waits()
  api.addHook('preClose', (done) => {
    waits.end()
    done()
  })

  // The body must have been read, for it can decide which operation is meant; whether it is valid makes no difference.
  api.addHook('preValidation', (request, reply, done) => {
    if (!request.sandbox.hasFaults) {
      done()
      return
    }
    begin(request, reply).then((goesOn) => {
      if (goesOn) done()
    }, done)
  })

  api.addHook('onSend', (request, reply, payload, done) => {
    const { fault } = request
    if (fault === undefined) {
      done()
      return
    }
    const waited = fault.phase === 'before' ? Promise.resolve() : waits.wait(request, fault.delay)
    void waited.then(() => {
      // The server waits for its connections when it closes, and would wait for this one until it has been idle for
      // long.
      if (waits.areOver) void reply.header('connection', 'close')
      apply(fault, request, reply, payload, done)
    })
  })

  /**
   * Notes which fault a request meets, if any, and lets it happen if it comes before the work.
   * @returns whether the work goes on
   */
  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { workspaceID: workspace, workgroupID: workgroup } = request.params as Partial<Record<string, string>>
    const fault = await plane.write(request, ({ sandbox }) => {
      const record = plane.faults.take(sandbox, { operation: operationIdOf(request), workspace, workgroup })
      return record === undefined ? undefined : toMet(sandbox, record)
    })
    request.fault = fault
    if (fault?.phase === 'before') {
      await waits.wait(request, fault.delay)
      if (request.raw.socket.destroyed) {
        // Whoever has given up by now does not get the work done; with after-commit, they have. There is nobody to
        // answer.
        request.fault = { ...fault, isAbandoned: true }
        void reply.send('')
        return false
      }
      if (fault.effect.status !== undefined || fault.effect.reply !== undefined) {
        // The hook above puts the effect in its place.
        void reply.send('')
        return false
      }
    }
    // By now the sandbox may be being moved; or it is gone, and its key with another one.
    if (plane.isHeld(request.sandbox)) await plane.write(request, () => undefined)
    assertNotRemoved(request.sandbox)
    return true
  }
}

function toMet(sandbox: Sandbox, record: FaultRecord): MetFault {
  const { number, phase, effect } = record
  const id = faultId(number)
  return {
    id,
    phase,
    effect,
    reason: effect.reason ?? `Injected fault ${id}.`,
    delay: delayOf(sandbox, record),
    isAbandoned: false
  }
}

/** The delays that are under way. Each ends early when its client has gone, and all of them when the server closes. */
class Waits {
  readonly #closing = new AbortController()
  /** A signal for each connection, however many of its requests wait at once. */
  readonly #ends = new WeakMap<Socket, AbortSignal>()

  async wait({ raw: { socket } }: FastifyRequest, milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || socket.destroyed) return
    // Clients give up by ending their side, too; who only has nothing more to say must wait for a delay with the
    // connection open.
    const leave = () => {
      socket.end()
    }
    socket.once('end', leave)
    await sleep(milliseconds, this.#endOf(socket))
    socket.off('end', leave)
  }

  get areOver(): boolean {
    return this.#closing.signal.aborted
  }

  end(): void {
    this.#closing.abort()
  }

  #endOf(socket: Socket): AbortSignal {
    let end = this.#ends.get(socket)
    if (end === undefined) {
      const gone = new AbortController()
      socket.once('close', () => {
        gone.abort()
      })
      end = AbortSignal.any([gone.signal, this.#closing.signal])
      // Each request that waits listens, and pipelined ones are many.
      setMaxListeners(0, end)
      this.#ends.set(socket, end)
    }
    return end
  }
}

type Done = (error?: null, payload?: unknown) => void

/** Replaces what was going to be sent. */
function apply(
  { effect, reason, isAbandoned }: MetFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done
): void {
  if (isAbandoned) {
    closeConnection(reply)
    return
  }
  if (effect.status !== undefined) {
    done(null, fail(reply, effect.status, reason, effect, request))
    return
  }
  switch (effect.reply) {
    case undefined:
      done()
      break
    case 'empty':
      void reply.code(200).removeHeader('content-type')
      done(null, '')
      break
    case 'drop':
      closeConnection(reply)
      break
    case 'cut':
      sendHalf(request, reply, typeof payload === 'string' ? payload : '')
      closeConnection(reply)
  }
}

/** Makes the reply an error. @returns its body */
function fail(
  reply: FastifyReply,
  status: number,
  Reason: string,
  effect: FaultEffect,
  { id, route }: FastifyRequest
): string {
  const { error_type: Type = typeOf(status), retry_after: retryAfter } = effect
  void reply.code(status).type('application/json; charset=utf-8')
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  return JSON.stringify(
    failure({ details: [{ FieldName: '', Reason, Type }], message: Reason }, id, route.config.errorResult)
  )
}

/** The Type that an error of a status has if the rule names none: that of the first condition which has the status. */
function typeOf(status: number): ErrorType {
  if (status === 429) return 'Quota-Exceed'
  if (status >= 500) return 'Internal-Error'
  return Object.values(ERRORS).find((error) => error.status === status)?.type ?? 'Unknown'
}

/** Sends the head of a reply as if all of its body came, and half of the body. */
function sendHalf({ method }: FastifyRequest, reply: FastifyReply, payload: string): void {
  const body = Buffer.from(payload)
  const { raw, statusCode } = reply
  raw.writeHead(statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    ...(statusCode === 204 ? {} : { 'content-length': body.length })
  })
  raw.flushHeaders()
  if (method !== 'HEAD') raw.write(body.subarray(0, Math.floor(body.length / 2)))
}

/** Ends a connection when the replies before this one, and what there is of this one, have left. */
function closeConnection(reply: FastifyReply): void {
  const { raw } = reply
  reply.hijack()
  const close = (socket: Socket) => {
    socket.end(() => {
      // Node does not tell when a reply ends like this, and Fastify waits for it to run the hooks that come last.
      raw.emit('error', new Error('The connection was closed by a fault.'))
      raw.destroy()
    })
  }
  // A pipelined reply gets its socket when it is its turn, and what it holds ready is sent right after this event.
  if (raw.socket === null)
    raw.once('socket', (socket: Socket) => {
      queueMicrotask(() => {
        close(socket)
      })
    })
  else close(raw.socket)
}

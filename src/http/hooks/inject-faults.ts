import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorType } from '../../interface/errors.js'
import { isReading } from '../../lib/is-reading.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { delayOf, numberOf, type StoredFault } from '../../sandboxes/fault-rule.js'
import { assertNotRemoved } from '../../sandboxes/registry.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { failure, type ToWire } from '../error-handler.js'
import { operationIdOf } from '../operation.js'
import { Waits } from '../waits.js'

/** A fault injected into a request. */
export interface MetFault extends Pick<StoredFault, 'phase' | 'effect'> {
  readonly id: string
  /** The reason, if the effect is an error. */
  readonly reason: string
  /** How long the request waits by the machine's clock, in milliseconds. */
  readonly delay: number
  /** Called once the work is done, before the reply leaves or waits. */
  readonly onReply?: (() => void) | undefined
  /** Records the request; called once {@link shows} is final. */
  record?: () => void
  /**
   * The part of the reply that the client sees: the head of a reply cut short, the error of the fault, a reply without
   * a body, or, if the connection closes, nothing.
   */
  shows: 'all' | 'head' | 'error' | 'empty' | 'nothing'
}

/**
 * Injects faults into the requests of all routes added to `api` after this call. Earlier steps (credentials, reading
 * the body) are not affected.
 */
export function injectFaults(api: FastifyInstance, plane: ControlPlane, toWire: ToWire): void {
  const waits = new Waits(api)

  // The body must have been read, because it can determine the operation; it need not be valid.
  api.addHook('preValidation', (request, reply, done) => {
    const { hasFaults, chooseFault } = request.sandbox
    if (!hasFaults && chooseFault === undefined) {
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
    const body = carryOut(fault, request, reply, payload)
    // Before any wait, because a client that stops waiting must find its request in the journal.
    fault.record?.()
    if (fault.phase === 'after-commit') fault.onReply?.()
    const delay = fault.phase === 'before' ? 0 : fault.delay
    void waits.wait(request, fault.effect.reply === 'silent' ? A_DAY : delay).then(() => {
      if (fault.shows === 'head') sendHalf(request, reply, body)
      if (fault.shows === 'head' || fault.shows === 'nothing') closeConnection(reply)
      else done(null, body)
    })
  })

  /** Carries out the effect of a fault on a reply, unless the client has left. @returns the body */
  function carryOut(fault: MetFault, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const { status, reply: change } = fault.effect
    switch (fault.shows === 'nothing' ? 'drop' : status === undefined ? change : 'error') {
      case 'error':
        fault.shows = 'error'
        return toError(fault, status!, request, reply, toWire)
      case 'empty':
        fault.shows = 'empty'
        void reply.code(200).removeHeader('content-type')
        return ''
      case 'cut':
        fault.shows = 'head'
        return payload
      case 'drop':
      case 'silent':
        fault.shows = 'nothing'
        return payload
      case undefined:
        return payload
    }
  }

  /** Counts the request for the rules, and returns the fault of the one that fires, if any does. */
  function take(request: FastifyRequest): Promise<MetFault | undefined> {
    const { workspaceID: workspace, workgroupID: workgroup } = request.params as Partial<Record<string, string>>
    const { sent, method } = request
    const { body } = sent ?? request
    return plane.write(request, ({ sandbox }) => {
      const fault = plane.faults.take(sandbox, {
        operation: operationIdOf(request),
        workspace,
        workgroup,
        body,
        isRead: isReading(method)
      })
      return fault && toMet(sandbox, fault, numberOf(fault.id)!, fault.seen)
    })
  }

  /** Finds the fault of a request, and applies it if its phase is `before`. @returns whether the work continues */
  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const fault = (await choose(request)) ?? (request.sandbox.hasFaults ? await take(request) : undefined)
    request.fault = fault
    if (fault?.phase === 'before') {
      await waits.wait(request, fault.delay)
      // If the client has given up, the work is not done, and nobody is left to answer.
      if (request.raw.socket.destroyed) fault.shows = 'nothing'
      if (fault.shows === 'nothing' || fault.effect.status !== undefined || fault.effect.reply !== undefined) {
        // The hook above replaces this reply.
        void reply.send('')
        return false
      }
    }
    // During the wait, events may have come due, a sliced change may have started, or the sandbox may have been removed
    // and its key reused.
    if (plane.mustWait(request.sandbox)) await plane.settle(request)
    else assertNotRemoved(request.sandbox)
    return true
  }
}

/** The fault that the sandbox's own chooser (of an exploration) gives a request. */
async function choose(request: FastifyRequest): Promise<MetFault | undefined> {
  const { sandbox, id, method, body } = request
  if (sandbox.chooseFault === undefined) return undefined
  const chosen = await sandbox.chooseFault({
    id,
    operation: operationIdOf(request) ?? `${method} ${request.route.url}`,
    method,
    params: request.params as Readonly<Record<string, string>>,
    query: request.query as Readonly<Record<string, unknown>>,
    body
  })
  return chosen === undefined ? undefined : { ...toMet(sandbox, chosen, 0, 0), onReply: chosen.onReply }
}

function toMet(
  sandbox: Sandbox,
  { id, phase, effect }: Pick<MetFault, 'id' | 'phase' | 'effect'>,
  number: number,
  seen: number
): MetFault {
  const reason = effect.reason ?? `Injected fault ${id}.`
  return { id, phase, effect, reason, delay: delayOf(sandbox, number, { seen, effect }), shows: 'all' }
}

/** Longer than any client waits, in milliseconds. */
const A_DAY = 24 * 60 * 60_000

/** Turns the reply into an error. @returns its body */
function toError(
  { effect, reason: Reason }: MetFault,
  status: number,
  { id, route }: FastifyRequest,
  reply: FastifyReply,
  toWire: ToWire
): string {
  const { error_type: Type = typeOf(status), retry_after: retryAfter } = effect
  void reply.code(status).type('application/json; charset=utf-8')
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  const error = { details: [{ FieldName: '', Reason, Type }], message: Reason }
  return JSON.stringify(toWire(failure(error, id, route.config.errorResult), status))
}

/** The Type of an error if the rule names none. */
function typeOf(status: number): ErrorType {
  if (status === 429) return 'Quota-Exceed'
  if (status >= 500 || status === 200) return 'Internal-Error'
  return Object.values(ERRORS).find((error) => error.status === status)?.type ?? 'Unknown'
}

/** Sends the headers of the full reply, but only half of the body. */
function sendHalf({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const body = Buffer.from(typeof payload === 'string' ? payload : '')
  const { raw, statusCode } = reply
  raw.writeHead(statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    ...(statusCode === 204 ? {} : { 'content-length': body.length })
  })
  raw.flushHeaders()
  if (method !== 'HEAD') raw.write(body.subarray(0, Math.floor(body.length / 2)))
}

/** Closes a connection after the sent part of this reply has left. Earlier replies have: see `inTurn()`. */
function closeConnection(reply: FastifyReply): void {
  const { raw } = reply
  reply.hijack()
  raw.socket!.end(() => raw.destroy())
}

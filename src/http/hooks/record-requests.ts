import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnsweredRequest, type Call, type Outcome, withoutSecrets } from '../../journal/journal.js'
import { mask } from '../../lib/secrets.js'
import { machineTime, parseHttpDate, wallTime } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { BODY_PARAMETERS, isControl, operationIdOf } from '../operation.js'
import { onceOver, type OnSend, pathOf, traceOf } from '../request-context.js'
import type { authenticator } from './enter-sandbox.js'

/** Maximum length of a reply whose text is kept, in characters. */
const MAX_REPLY = 16_384

/** The operation of a request, and whether it is one of test control; found once, because each request is recorded. */
type Target = Pick<Call, 'operation' | 'isControl'>

/** Records each request in the journal and the coverage of its sandbox before its reply leaves. */
export function recordRequests(plane: ControlPlane, identify: ReturnType<typeof authenticator>): OnSend {
  return (request, reply, payload, done) => {
    if (request.fault === undefined) record(request, reply, payload)
    else request.fault.record = () => record(request, reply, payload)
    if (request.logReply !== undefined) onceOver(reply.raw, request.logReply)
    done()
  }

  function record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    // The route decides, because a path can be written in different ways.
    const isForTests = isControl(request.route.url ?? request.url)
    if (isForTests && isRead(request)) return
    const target: Target = { operation: operationOf(request, isForTests), isControl: isForTests }
    if (!isForTests) plane.traffic.count(target.operation, statusOf(request, reply), secondsOf(request))
    const sandbox = sandboxOf(request)
    if (sandbox !== undefined) note(sandbox, request, reply, payload, target)
  }

  /** Undefined if the request is for none of the operations that share a path. */
  function operationOf(request: FastifyRequest, isForTests: boolean): string | undefined {
    const chosen = operationIdOf(request)
    return isForTests || (chosen !== undefined && plane.operations.has(chosen)) ? chosen : undefined
  }

  /** For a request refused before it reached its sandbox, the sandbox of its credential, if any. */
  function sandboxOf(request: FastifyRequest): Sandbox | undefined {
    const { enteredSandbox, failure } = request
    if (enteredSandbox !== undefined || failure === undefined) return enteredSandbox
    try {
      return plane.sandboxes.find(identify(request.headers, 'either').sandboxId)
    } catch {
      return undefined
    }
  }

  function note(
    sandbox: Sandbox,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    target: Target
  ): void {
    const { failure, fault } = request
    const { operation, isControl: isForTests } = target
    if (!isForTests && !request.isAborted) {
      if (fault === undefined) sandbox.coverage.countReply(operation, reply.statusCode, failure)
      else if (operation !== undefined) sandbox.coverage.countFault(operation)
    }
    if (!sandbox.journal.isOn && sandbox.recorder === undefined) return
    // If a fault delays the reply, the wait is still to come.
    const replied = wallTime() + (fault?.phase === 'after-commit' ? Math.round(fault.delay) : 0)
    const { at, received } = request.arrival ?? { at: plane.engine.now(sandbox), received: replied }
    const { call, outcome } = contentOf(request, reply, payload, target)
    const trace = traceOf(request)
    const answered = { id: request.id, at, received, replied, before: sandbox.changes.next, trace, call, outcome }
    const kept = sandbox.journal.record(answered, request.url.length)
    if (sandbox.recorder !== undefined) plane.record(sandbox, kept ?? withoutSecrets(answered))
    if (kept !== undefined && !isForTests) sandbox.eventHub?.tell({ kind: 'request', request: kept })
  }

  /** Readers of the same cached reply share it: only their RequestIDs differ. */
  function contentOf(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    target: Target
  ): Pick<AnsweredRequest, 'call' | 'outcome'> {
    const { reading, fault } = request
    const isShared = reading !== undefined && fault === undefined && payload === reading.payload
    const shared = isShared ? reading.sent : undefined
    if (shared?.kept?.call.method === request.method) return shared.kept
    const content = {
      call: callOf(request, target),
      outcome: outcomeOf(request, reply, isKept(payload) ? (shared ?? payload) : undefined)
    }
    if (shared !== undefined) shared.kept = content
    return content
  }

  function callOf(request: FastifyRequest, target: Target): Call {
    const { bodySchema, query, route } = request
    const { body } = request.sent ?? request
    const { stub } = route.config
    const schema = bodySchema ?? (body === undefined ? undefined : (route.schema?.body as object | undefined))
    return {
      ...target,
      ...(stub === undefined ? {} : { stub }),
      method: request.method,
      path: mask(pathOf(request)),
      params: mask(request.params as Record<string, string>),
      query: mask(query as Record<string, unknown>),
      body,
      bodySchema: withParameters(route.schema as Described | undefined, schema)
    }
  }
}

type Described = { readonly [BODY_PARAMETERS]?: object }

/** The schema of a body, with the parameters of the path that a profile has there. */
const withParameters = ({ [BODY_PARAMETERS]: properties }: Described = {}, body: object | undefined) =>
  body === undefined || properties === undefined ? body : { allOf: [body, { properties }] }

/** The status that the client sees; undefined: a fault dropped the reply, or the client left. */
function statusOf({ fault }: FastifyRequest, { statusCode }: FastifyReply): number | undefined {
  return fault?.shows === 'nothing' ? undefined : statusCode
}

/** The duration of the request, with the delay of a fault that is still to come; undefined if it reached no sandbox. */
function secondsOf({ arrival, fault }: FastifyRequest): number | undefined {
  if (arrival === undefined) return undefined
  return (machineTime() - arrival.begun + (fault?.phase === 'after-commit' ? fault.delay : 0)) / 1000
}

function outcomeOf(request: FastifyRequest, reply: FastifyReply, text: Outcome['reply']): Outcome {
  const { failure, fault } = request
  const shows = fault?.shows ?? 'all'
  const ofFault = shows === 'error' && { condition: undefined, message: fault!.reason, details: [], guardId: undefined }
  const error = shows === 'empty' || shows === 'nothing' ? undefined : ofFault || failure
  return {
    status: statusOf(request, reply),
    reply: shows === 'all' && request.method !== 'HEAD' ? text : undefined,
    error: error && {
      condition: error.condition,
      message: mask(error.message),
      details: mask(error.details),
      guardId: error.guardId
    },
    retryAfter: error && retryAfterOf(request, reply),
    fault: fault && { id: fault.id, phase: fault.phase, effect: fault.effect }
  }
}

/** Seconds in the header `Retry-After`; a date is one of the sandbox's clock. */
function retryAfterOf({ arrival }: FastifyRequest, reply: FastifyReply): number | undefined {
  const text = String(reply.getHeader('retry-after'))
  const secondsTo = (time: number) => Math.floor((time - (arrival?.at ?? NaN)) / 1000)
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsTo(parseHttpDate(text))
  return seconds >= 0 ? seconds : undefined
}

function isKept(payload: unknown): payload is string {
  return typeof payload === 'string' && payload.length > 0 && payload.length <= MAX_REPLY
}

function isRead({ method, route }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || route.config.isRead === true
}

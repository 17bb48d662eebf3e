import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import { isForkKey, sandboxIdOf } from '../../lib/secrets.js'
import { machineTime, wallTime } from '../../lib/time.js'
import { namedKeys, type Options } from '../../options.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { GatewayError } from '../error-handler.js'
import type { Access } from '../operation.js'
import type { Caller, OnRequest } from '../request-context.js'

/** The credential of a request. Its text stays in this module; everything else uses its hash. */
interface Credential {
  readonly kind: 'api-key' | 'session'
  readonly secret: string
  /** The org user that a session names. */
  readonly user?: string
}

/**
 * Finds the caller of a request according to `--auth`.
 * @param namesUsers whether a session may name its user: KEY:USER
 * @returns a function that throws {ServiceError} `unauthorized` or `forbidden`
 */
export function authenticator(
  options: Options,
  namesUsers: boolean
): (headers: IncomingHttpHeaders, access: Access) => Caller {
  const names = new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name]))
  const everybody: Caller = { sandboxId: sandboxIdOf(''), name: undefined, isFork: false }

  return (headers, access) => {
    const credential = readCredential(headers, namesUsers)
    if (access === 'session' && credential?.kind === 'api-key') {
      throw new ServiceError(
        'forbidden',
        'This operation does not accept an API key; send a session as Authorization: Bearer <token>.'
      )
    }
    if (options.auth === 'off') return everybody
    if (credential === undefined) {
      throw new GatewayError(
        'missing_credential',
        'unauthorized',
        'A credential is required: send x-api-key: <key> or Authorization: Bearer <token>.'
      )
    }
    const { secret } = credential
    const sandboxId = sandboxIdOf(secret)
    if (isForkKey(secret)) return { sandboxId, name: undefined, isFork: true }
    const name = names.get(sandboxId)
    if (options.auth === 'strict' && name === undefined) {
      throw new GatewayError(
        'wrong_credential',
        'unauthorized',
        'The credential is unknown; the server accepts only the keys of --api-key.'
      )
    }
    return { sandboxId, name, isFork: false }
  }
}

/** If both headers are present, the session counts. @param namesUsers whether a session may name its user */
export function readCredential(headers: IncomingHttpHeaders, namesUsers: boolean): Credential | undefined {
  const { authorization } = headers
  if (authorization !== undefined) {
    const secret = /^Bearer +(\S.*)$/i.exec(authorization)?.[1]
    const named = namesUsers ? /^(.+):([^:]+)$/.exec(secret ?? '') : null
    if (named !== null) return { kind: 'session', secret: named[1]!, user: named[2]! }
    if (secret !== undefined) return { kind: 'session', secret }
  }
  const key = headers['x-api-key']
  return typeof key === 'string' && key !== '' ? { kind: 'api-key', secret: key } : undefined
}

/** Identifies the caller by its credential, if the route needs one. */
export function authenticate(identify: ReturnType<typeof authenticator>): OnRequest {
  return (request, _reply, done) => {
    const { access } = request.route.config
    if (access !== undefined) request.caller = identify(request.headers, access)
    done()
  }
}

/** Refuses an API key sent as a session, except to the control API. For `--auth strict`, where keys are known. */
export const refuseKeysAsBearer: OnRequest = ({ caller, headers, route }, _reply, done) => {
  if (caller !== undefined && route.config.isControl !== true) {
    const { kind, user } = readCredential(headers, true)!
    if (kind === 'session' && user === undefined)
      throw new GatewayError(
        'key_as_bearer',
        'unauthorized',
        'This is an API key: send it as x-api-key. A session names its user: Authorization: Bearer KEY:USER.'
      )
  }
  done()
}

/** Attaches the caller's sandbox to a request, creating it on first use. */
export function enterSandbox({ sandboxes, engine }: Pick<ControlPlane, 'sandboxes' | 'engine'>): OnRequest {
  return (request, reply, done) => {
    const { caller } = request
    if (caller === undefined) {
      done()
      return
    }
    const sandbox = sandboxes.open(caller.sandboxId, !caller.isFork)
    if (sandbox instanceof Promise) {
      sandbox.then((created) => {
        enter(request, reply, created)
        done()
      }, done)
    } else {
      enter(request, reply, sandbox)
      done()
    }
  }

  function enter(request: FastifyRequest, reply: FastifyReply, sandbox: Sandbox): void {
    const received = wallTime()
    if (request.route.config.isWaiting !== true) holdTime(reply, sandbox)
    request.enteredSandbox = sandbox
    request.arrival = { at: engine.now(sandbox, received), received, begun: machineTime() }
  }
}

/** For clients that sleep, no time passes until the reply has left or its client has gone. */
function holdTime(reply: FastifyReply, { sleepers }: Sandbox): void {
  if (sleepers === undefined) return
  sleepers.beginRequest()
  reply.raw.once('close', () => sleepers.endRequest())
}

/** The form of an id that a client may choose: safe in headers and logs. */
const HARMLESS = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Sets the RequestID of a request that has none: the client's own if its form is safe, otherwise a new one. It comes
 * from the sandbox's stream, so that a run is repeatable, unless the request is refused before it reaches a sandbox.
 */
export function ensureRequestId(
  { requestIds }: Pick<ControlPlane, 'requestIds'>,
  request: FastifyRequest,
  reply: FastifyReply
): void {
  if (request.id !== '') return
  const own = request.headers['x-request-id']
  const isOwn = typeof own === 'string' && HARMLESS.test(own)
  const ids = request.enteredSandbox?.requestIds ?? requestIds
  const id = isOwn ? own : ids.uuid()
  request.id = id
  void reply.header('x-request-id', id)
}

/** Gives each request its RequestID, once its sandbox is known. */
export function giveRequestId(plane: Pick<ControlPlane, 'requestIds'>): OnRequest {
  return (request, reply, done) => {
    ensureRequestId(plane, request, reply)
    done()
  }
}

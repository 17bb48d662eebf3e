import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../interface/errors.js'
import { isForkKey, sandboxIdOf } from '../lib/keys.js'
import { namedKeys, type Options } from '../options.js'
import { GatewayError } from './gateway-error.js'
import type { Access } from './operation.js'

/** The credential of a request. Its text stays in memory, in this module; everything else uses its hash. */
interface Credential {
  readonly kind: 'api-key' | 'session'
  readonly secret: string
  /** The org user that a session names. */
  readonly user?: string
}

/** The owner of a request's sandbox: the hash of its credential, and a name for the log if it has one. */
export interface Caller {
  readonly sandboxId: string
  readonly name: string | undefined
  /** Whether the control API issued the key; such a key only works for the sandbox created with it. */
  readonly isFork: boolean
}

/**
 * Finds the caller of a request according to `--auth`.
 * @param namesUsers whether a session may name its user: KEY:USER
 * @returns a function that throws {ServiceError} `unauthorized` or `forbidden`
 */
export function authenticator(
  options: Options,
  namesUsers = false
): (headers: IncomingHttpHeaders, access: Access) => Caller {
  const names = new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name]))
  const everybody: Caller = { sandboxId: sandboxIdOf(''), name: undefined, isFork: false }

  const callers = new Map<string, Caller>()

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
    const known = callers.get(credential.secret)
    if (known !== undefined) return known
    const caller = callerOf(credential.secret)
    if (credential.secret.length <= LONGEST_KEPT) {
      if (callers.size >= MOST_KEPT) callers.clear()
      callers.set(credential.secret, caller)
    }
    return caller
  }

  function callerOf(secret: string): Caller {
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

/** Maximum number and length of credentials cached with their callers, so that not every request hashes one. */
const MOST_KEPT = 20_000
const LONGEST_KEPT = 128

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

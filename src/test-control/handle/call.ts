import type { ErrorDetail } from '../../interface/errors.js'
import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { bare, BareError } from '../../lib/call-site.js'
import { ID, placed } from '../../lib/fill-path.js'
import { mustBeOneOf } from '../../lib/nearest.js'
import { jsonOf, sendJson } from '../../lib/send-json.js'
import { typeName } from '../../lib/type-name.js'
import type { Profile } from '../../profile/profile.js'
import { routeUnder } from '../../profile/routes.js'
import { CallError, type Envelope } from './call-error.js'
import type { OperationId } from './types.js'

/** Where the interface is, and the key of a sandbox; empty if the server needs none. */
export interface Target {
  /** Address with the base path. */
  readonly url: string
  readonly key: string
  readonly profile: Pick<Profile, 'edge' | 'names'>
}

/** The ids of a path, and a body. */
type Input = Readonly<Record<string, unknown>>

/**
 * Sends the request of an operation, and reads the reply.
 * @returns the `Result` of the reply, or the whole of one without an envelope
 * @throws {CallError} if the reply says that the call failed
 * @throws {TypeError} naming an operation, an id or a field that is unknown or missing; or if JSON cannot hold the body
 */
export async function callOperation(target: Target, operation: OperationId, input: Input): Promise<unknown> {
  const problem = problemOf(operation, input)
  if (problem !== undefined) throw bare(new TypeError(problem))
  const { url, key, profile } = target
  const route = routeUnder(profile.edge.paths, operation)
  if (route === undefined) throw bare(new TypeError(`${operation} has no path, because the profile switches it off`))
  const { method, needsSession } = route
  const { path, body } = placed(route, input)
  const [header, credential] = needsSession === true ? ['authorization', `Bearer ${key}`] : ['x-api-key', key]
  const headers: Record<string, string> = key === '' ? {} : { [header]: credential }
  const json = jsonOf(body)
  try {
    const reply = await sendJson(`${url}${path}`, { method, headers, json })
    return resultOf(operation, reply.status, reply.text, profile)
  } catch (error) {
    if (error instanceof CallError) throw error
    throw new BareError(`${operation}: there was no complete reply`, { cause: error })
  }
}

function problemOf(operation: string, input: Input): string | undefined {
  if (!Object.hasOwn(OPERATION_ROUTES, operation))
    return `there is no operation ${operation}; it ${mustBeOneOf(operation, Object.keys(OPERATION_ROUTES))}`
  if (typeof input !== 'object' || (input as unknown) === null)
    return `the input of ${operation} must be an object, not ${typeName(input)}`
  const { path, hasBody } = OPERATION_ROUTES[operation as OperationId]
  const ids = [...path.matchAll(ID)].map(([, id]) => id!)
  const missing = ids.find((id) => typeof input[id] !== 'string' || input[id] === '')
  if (missing !== undefined) return `${operation} needs ${missing}, a non-empty text for its path ${path}`
  const fields = hasBody === true ? [...ids, 'body'] : ids
  const unknown = Object.keys(input).find((name) => !fields.includes(name))
  if (unknown === undefined) return undefined
  return `${operation} has no ${unknown}; it takes ${fields.length === 0 ? 'nothing' : fields.join(', ')}`
}

function resultOf(operation: OperationId, status: number, text: string, { edge, names }: Target['profile']): unknown {
  const { replies } = edge
  if (status === 204) return undefined
  const reply = parse(text)
  const key = replies?.keys.get(operation)
  const form = replies?.results.get(operation)
  const unkeyed = (reply: unknown) => {
    const result = key === undefined ? reply : (reply as Input)[key]
    return form === 'list' && Array.isArray(result) ? (result[0] as unknown) : result
  }
  if (status >= 400 && replies?.error !== undefined) throw new CallError(operation, status, { Message: text })
  if (status < 400 && replies?.isBare === true) return unkeyed(reply)
  // Operations without an envelope return a list.
  if (Array.isArray(reply)) return reply
  if (typeof reply !== 'object' || reply === null)
    throw new CallError(operation, status, { Message: 'the reply is not an envelope' })
  const envelope = builtIn(reply, names.fields.fromWire)
  if (envelope.Error !== false) throw new CallError(operation, status, envelope)
  return unkeyed(envelope.Result) ?? undefined
}

/** The envelope with built-in names. */
function builtIn(reply: object, fieldOf: (name: string) => string): Envelope {
  const renamed = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).map(([name, value]: [string, unknown]) => [fieldOf(name), value]))
  const { ErrorDetails: details, ...rest } = renamed(reply) as Envelope
  return { ...rest, ...(details && { ErrorDetails: details.map(renamed) as ErrorDetail[] }) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

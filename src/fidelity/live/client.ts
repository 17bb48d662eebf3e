import { OPERATION_ROUTES, type OperationRoute } from '../../interface/operation-routes.js'
import { wallTime } from '../../sim/clock.js'
import { valueOf } from '../body.js'
import type { Exchange } from '../exchange.js'
import { reasonOf } from '../no-reply.js'
import type { Step } from './plan.js'

/** How long a service may take for a reply, in milliseconds. */
const PATIENCE_MS = 60_000

/** A service, and who calls it. */
export interface LiveTarget {
  /** Its address, with a base path if it has one. */
  readonly url: string
  readonly key?: string | undefined
  /** For operations that accept no key. */
  readonly session?: string | undefined
}

/** Whether there is a credential for an operation. */
export function canCall({ key, session }: LiveTarget, operation: Step['operation']): boolean {
  return session !== undefined || (key !== undefined && OPERATION_ROUTES[operation].needsSession !== true)
}

/** The credential that an operation is called with. */
export const credentialFor = ({ key }: LiveTarget, operation: Step['operation']): 'key' | 'session' =>
  OPERATION_ROUTES[operation].needsSession === true || key === undefined ? 'session' : 'key'

/** What became of a call. */
interface LiveReply {
  readonly exchange: Omit<Exchange, 'number'>
  /** Why there was no reply, or not all of it. */
  readonly problem?: string | undefined
}

/** A call of an operation. */
interface LiveCall {
  readonly operation: Step['operation']
  /** Where the service has it. */
  readonly route: OperationRoute
  /** By their names in the route. */
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Calls an operation. Nothing is followed or repeated. */
export async function callLive(target: LiveTarget, { operation, route, params, body }: LiveCall): Promise<LiveReply> {
  const { method, path: template, query = '' } = route
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const { origin, pathname } = new URL(target.url)
  const path = pathname.replace(/\/$/, '') + filled
  const isSession = credentialFor(target, operation) === 'session'
  const requestHeaders: Record<string, string> = {
    accept: 'application/json',
    ...(isSession ? { authorization: `Bearer ${target.session!}` } : { 'x-api-key': target.key! }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' })
  }
  const sent = wallTime()
  let problem: string | undefined
  const reply = await fetch(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: requestHeaders,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
    .then(async (response) => ({ response, text: await response.text() }))
    .catch((error: unknown) => {
      problem = reasonOf(error)
      return undefined
    })
  const headers = reply === undefined ? {} : Object.fromEntries(reply.response.headers)
  const value = reply === undefined ? undefined : valueOf(reply.text, headers['content-type'])
  const exchange = {
    sent,
    answered: Math.max(sent, wallTime()),
    method,
    path,
    query,
    requestHeaders,
    ...(body === undefined ? {} : { requestBody: body }),
    status: reply?.response.status ?? null,
    headers,
    ...(value === undefined ? {} : { body: value })
  }
  return { exchange, problem }
}

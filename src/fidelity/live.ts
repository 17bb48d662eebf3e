import type { OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { isObject, type Json } from '../lib/json.js'
import { sleep, wallTime } from '../lib/time.js'
import { BUILT_IN, type Profile } from '../profile/profile.js'
import { routeUnder } from '../profile/routes.js'
import { valueOf } from './body.js'
import type { Exchange } from './exchange.js'
import { reasonOf } from './no-reply.js'

/** Between two calls, and for a reply, in milliseconds. */
const [PAUSE_MS, PATIENCE_MS] = [200, 60_000]
const MOST_CALLS = 500
/** How often a call is repeated because its reply asks for that, and how long it may ask to wait, in seconds. */
const [MOST_RETRIES, MOST_RETRY_AFTER] = [5, 60]

/** The service cannot be read. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
  /** The credential that it refused, if that is why. */
  readonly credential: 'key' | 'session' | undefined

  constructor(message: string, credential?: 'key' | 'session') {
    super(message)
    this.credential = credential
  }
}

interface LiveOptions {
  /** Address of the service, with a base path if it has one. */
  readonly url: string
  readonly key?: string | undefined
  /** For operations that accept no key; without one, they are left out. */
  readonly session?: string | undefined
  /** Whose paths and names of fields the service is expected to have. */
  readonly profile?: Profile
  /** Called before each call. */
  readonly onCall?: (operation: OperationId, call: number) => void
  /** Replaced by tests. */
  readonly wait?: (milliseconds: number) => Promise<void>
}

type Exchanges<T> = AsyncGenerator<Exchange, T, undefined>

/**
 * Reads everything that a service has. Changes nothing.
 * @returns the exchanges as they happen, not masked
 * @throws {LiveError} if the credential is refused, or the list of workgroups cannot be read
 */
export async function* readService(options: LiveOptions): Exchanges<void> {
  const {
    url,
    key,
    session,
    profile = BUILT_IN,
    onCall,
    wait = (time: number) => sleep(time, new AbortController().signal)
  } = options
  const accepted = new Set<string>()
  let calls = 0

  const groups = yield* read('listWorkgroups')
  yield* read('getMetadata')
  yield* read('listOrgUsers')
  for (const group of listed(groups)) {
    const workgroupID = idOf(group, 'workgroup_id')
    const whole = yield* read('getWorkgroup', { workgroupID })
    yield* read('listAllowedIPs', { workgroupID })
    yield* read('getCurrentIP', { workgroupID })
    for (const database of listed(fieldOf(whole, 'svc_databases')))
      yield* read('getDatabase', { workgroupID, databaseID: idOf(database, 'database_id') })
    for (const workspace of listed(fieldOf(whole, 'workspaces'))) {
      const ids = { workgroupID, workspaceID: idOf(workspace, 'workspace_id') }
      for (const operation of OF_WORKSPACE) yield* read(operation, ids)
    }
  }

  /** Calls an operation, again if its reply asks for that. @returns its result */
  async function* read(operation: OperationId, params: Readonly<Record<string, string>> = {}): Exchanges<unknown> {
    const route = routeUnder(profile.edge.paths, operation)
    const credential = OPERATION_ROUTES[operation].needsSession === true || key === undefined ? 'session' : 'key'
    if (route === undefined || (credential === 'session' && session === undefined)) return undefined
    const path =
      new URL(url).pathname.replace(/\/$/, '') +
      route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const requestHeaders: Record<string, string> = {
      accept: 'application/json',
      ...(credential === 'session' ? { authorization: `Bearer ${session!}` } : { 'x-api-key': key! })
    }
    for (let retries = 0; calls < MOST_CALLS; retries++) {
      if (calls > 0) await wait(PAUSE_MS)
      calls++
      onCall?.(operation, calls)
      const sent = wallTime()
      const { query = '' } = route
      const reply = await fetch(`${new URL(url).origin}${path}${query === '' ? '' : `?${query}`}`, {
        headers: requestHeaders,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS)
      })
        .then(async (response) => ({ response, text: await response.text() }))
        .catch((error: unknown) => ({ problem: reasonOf(error) }))
      const answered = 'text' in reply ? reply : undefined
      const headers = answered === undefined ? {} : Object.fromEntries(answered.response.headers)
      const status = answered?.response.status ?? null
      const body = answered && valueOf(answered.text, headers['content-type'])
      const times = { sent, answered: Math.max(sent, wallTime()) }
      const request = { number: calls, method: 'GET', path, query, requestHeaders }
      yield { ...request, ...times, status, headers, ...(body === undefined ? {} : { body }) }
      if (status === 200) {
        accepted.add(credential)
        return isObject(body) && 'Result' in body ? body['Result'] : body
      }
      if ((status === 429 || status === 503) && retries < MOST_RETRIES) {
        const seconds = Number(headers['retry-after'] ?? 1)
        await wait(Math.min(seconds > 0 ? seconds : 1, MOST_RETRY_AFTER) * 1000)
        continue
      }
      // A caller whom the service knows may lack the right to a single operation.
      if (status === 401 ? !accepted.has(credential) : status === 403 && accepted.size === 0)
        throw new LiveError(`the service refused the credential (${status})`, credential)
      if (operation !== 'listWorkgroups') return undefined
      throw new LiveError(`${operation} had no result: ${'problem' in reply ? reply.problem : `status ${status}`}`)
    }
    return undefined
  }

  function fieldOf(value: unknown, field: string): unknown {
    return isObject(value) ? value[profile.names.fields.toWire(field)] : undefined
  }

  function idOf(value: Json, field: string): string {
    return String(fieldOf(value, field))
  }
}

const OF_WORKSPACE = [
  'getWorkspace',
  'getBackupSchedule',
  'getWorkspaceSchedules',
  'listDatabaseUsers',
  'listBackups'
] as const

const listed = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

import { isIP } from 'node:net'
import { type Condition, type ErrorDetail, ERRORS } from '../interface/errors.js'
import type { OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { isReading } from '../lib/is-reading.js'
import { isObject, type Json, objectOf, valueAt } from '../lib/json.js'
import { toTimestamp } from '../lib/time.js'
import {
  type Mock,
  type Options,
  type SandboxHandle,
  startMock,
  type StateDocument,
  type TransitionName
} from '../node/index.js'
import { TRANSITION_NAMES } from '../profile/durations.js'
import type { Call } from './api.js'
import { valueOf } from './body.js'
import type { Exchange } from './exchange.js'
import { hasKey, hasSession } from './headers.js'

const CONDITIONS = Object.keys(ERRORS) as Condition[]

/** A reply of the mock. */
export interface OwnReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Why the mock refused the request. */
  readonly condition: Condition | undefined
}

/** A sandbox that replays exchanges. Its transitions end only when an exchange shows their end. */
export class Twin {
  readonly #mock: Mock
  readonly #box: SandboxHandle
  #time = -Infinity

  private constructor(mock: Mock) {
    this.#mock = mock
    this.#box = mock.sandbox()
  }

  /** @param profile a valid document; absent for the built-in profile */
  static async open(profile?: object): Promise<Twin> {
    const mock = await startMock({
      ...(profile && { profile: profile as NonNullable<Options['profile']> }),
      // The same file always gives the same report.
      seed: 1,
      transitions: 'realistic',
      trustProxy: ['127.0.0.1']
    })
    const twin = new Twin(mock)
    await twin.#box.transitions.replace(TRANSITION_NAMES.map((transition) => ({ transition, outcome: 'hold' })))
    return twin
  }

  close(): Promise<void> {
    return this.#mock.close()
  }

  get time(): number {
    return this.#time
  }

  async document(): Promise<unknown> {
    return (await fetch(`${this.#mock.url}/openapi.json`)).json()
  }

  /** Moves the clock forward; an earlier time has no effect. */
  async moveTo(time: number): Promise<void> {
    if (time <= this.#time) return
    this.#time = time
    await this.#box.clock.freeze(toTimestamp(time))
  }

  /** Sends a request as the client did, to a path with the mock's ids. */
  async send(
    exchange: Exchange,
    { operation, path }: Pick<Call, 'path'> & Partial<Call>,
    body: unknown
  ): Promise<OwnReply> {
    const { method, query, requestHeaders, body: theirs } = exchange
    const headers = credentialsFor(requestHeaders, operation, this.#box.key)
    // Archives can have characters that fetch() refuses.
    const type = (requestHeaders['content-type'] ?? 'application/json').replaceAll(/[^\t\x20-\x7e]/g, '?')
    if (body !== undefined) headers['content-type'] = type
    const address = operation === 'getCurrentIP' ? currentIpOf(theirs) : undefined
    if (address !== undefined) headers['x-forwarded-for'] = address
    const response = await fetch(`${this.#mock.url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers,
      ...(body === undefined || isReading(method)
        ? {}
        : { body: typeof body === 'string' && !type.includes('json') ? body : JSON.stringify(body) })
    })
    return this.#read(response)
  }

  /** Sends a read that is not among the exchanges. */
  async read(path: string): Promise<OwnReply> {
    return this.#read(await fetch(`${this.#mock.url}${path}`, { headers: this.#box.headers }))
  }

  async #read(response: Response): Promise<OwnReply> {
    const text = await response.text()
    const { status } = response
    const headers = Object.fromEntries(response.headers)
    const body = valueOf(text, headers['content-type'])
    if (status < 400) return { status, headers, body, condition: undefined }
    return { status, headers, body, condition: await this.#conditionOf(status, headers) }
  }

  /** Why a request was refused. If it reached no sandbox, and so has no record, the status tells. */
  async #conditionOf(status: number, headers: OwnReply['headers']): Promise<Condition | undefined> {
    const record = await this.#box.requests.read(headers['x-request-id'] ?? '').catch(() => undefined)
    return (
      (record?.request?.condition as Condition | null | undefined) ??
      CONDITIONS.find((condition) => ERRORS[condition].status === status)
    )
  }

  /** The ids of the workspaces of a workgroup. Replies can have any form. */
  async workspacesOf(workgroup: string): Promise<readonly string[]> {
    const { workgroups } = (await this.#box.state.read()) as unknown as Editable
    return workgroups.find(({ id }) => id === workgroup)?.workspaces.map(({ id }) => String(id)) ?? []
  }

  events(): ReturnType<SandboxHandle['events']> {
    return this.#box.events()
  }

  /** Ends a running transition. @param backup the backup of the workspace to end; all if undefined */
  async release(transition: TransitionName, workspace: string, hasFailed: boolean, backup?: string): Promise<void> {
    if (!hasFailed && backup === undefined) {
      await this.#box.transitions.release({ transition, resource_id: workspace })
      return
    }
    await this.edit(({ events }) => {
      const chosen = events.filter(
        ({ event, workspace_id: owner, payload = {} }) =>
          event === transition && owner === workspace && (backup === undefined || payload['backup'] === backup)
      )
      for (const event of chosen) {
        event.due = toTimestamp(this.#time)
        if (hasFailed) event.payload = { ...event.payload, failed: true, reason: 'It failed at the service.' }
      }
      return chosen.length > 0
    })
  }

  /**
   * Edits the state document of the sandbox, without the fields whose values the mock refuses.
   * @returns whether the sandbox has changed, and the refused fields with the reasons
   */
  async edit(
    change: (document: Editable) => boolean
  ): Promise<{ readonly hasChanged: boolean; readonly refused: readonly string[] }> {
    const document = structuredClone(await this.#box.state.read()) as unknown as Editable
    if (!change(document)) return { hasChanged: false, refused: [] }
    const refused: string[] = []
    for (;;) {
      const errors = await this.#box.state
        .replace(document as unknown as StateDocument)
        .then(() => undefined, detailsOf)
      if (errors === undefined) return { hasChanged: true, refused }
      let hasRemoved = false
      // From the last one, so that the indexes of the others stay right.
      for (const { FieldName, Reason } of errors.toReversed()) {
        refused.push(`${FieldName} ${Reason}`)
        hasRemoved = remove(document, FieldName.split('.')) || hasRemoved
      }
      if (!hasRemoved) return { hasChanged: false, refused }
    }
  }

  /** @returns a function that restores the present state of the sandbox */
  async remember(): Promise<() => Promise<void>> {
    const document = await this.#box.state.read()
    return () => this.#box.state.replace(document)
  }
}

/** An item of a list in a document that is being edited. The mock validates its values. */
export interface Item {
  id?: string
  [field: string]: unknown
}

export interface WorkgroupItem extends Item {
  allow_list: { enabled: boolean; entries: Item[] }
  databases: Item[]
  workspaces: Item[]
}

interface EventItem {
  event: string
  workspace_id: string
  due: string | null
  payload?: Json
}

/** A state document that is being edited. */
export interface Editable {
  workgroups: WorkgroupItem[]
  org_users: Item[]
  events: EventItem[]
}

const detailsOf = ({ details = [] }: { readonly details?: readonly ErrorDetail[] }) => details

/** Removes the value at a path or, if there is none, the innermost list item around it. @returns whether it could */
function remove(document: unknown, path: readonly string[]): boolean {
  const owner = valueAt(document, path.slice(0, -1))
  const last = path.at(-1) ?? ''
  if (isObject(owner) && last in owner) return Reflect.deleteProperty(owner, last)
  const index = path.findLastIndex((step) => /^\d+$/.test(step))
  const list = valueAt(document, path.slice(0, Math.max(index, 0)))
  return Array.isArray(list) && list.splice(Number(path[index]), 1).length > 0
}

/** The caller's address in a result. A profile can rename its field and that of the result, or omit the envelope. */
const currentIpOf = (body: unknown): string | undefined =>
  Object.values(objectOf(body))
    .flatMap((value): unknown[] => (isObject(value) ? Object.values(value) : [value]))
    .find((value): value is string => typeof value === 'string' && isIP(value) !== 0)

/** All credentials in exchanges belong to one account, so they become those of one sandbox. */
function credentialsFor(
  sent: Readonly<Record<string, string>>,
  operation: OperationId | undefined,
  key: string
): Record<string, string> {
  if (Object.keys(sent).length === 0)
    return operation !== undefined && OPERATION_ROUTES[operation].needsSession === true
      ? { authorization: `Bearer ${key}` }
      : { 'x-api-key': key }
  return {
    ...(hasKey(sent) ? { 'x-api-key': key } : {}),
    ...(hasSession(sent) ? { authorization: `Bearer ${key}` } : {})
  }
}

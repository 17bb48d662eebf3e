import { wholeSchema } from '../../lib/whole-schema'
import type { Schema } from '../model/schema-form'
import { curl, type Sendable } from './repeat'
import type { OperationId } from './types'

/** The key of a sandbox, and the control token if the server needs one. */
export interface Access {
  readonly key: string
  readonly token: string
}

/** The server refused a call, or did not answer it. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status; 0: no reply. */
  readonly status: number
  /** The errors of fields; `FieldName` is a dotted path, or empty. */
  readonly details: readonly { readonly FieldName: string; readonly Reason: string }[]

  constructor(status: number, message: string, details: CallError['details'] = []) {
    super(message)
    this.status = status
    this.details = details
  }

  /** Whether the server refused the key or the token. */
  get isRefusal(): boolean {
    return [401, 403].includes(this.status)
  }
}

export const messageOf = (error: unknown) => (error as Error).message

export interface Answer<T> {
  readonly message: string
  readonly result: T
}

/** The parts of an OpenAPI document that forms use. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

interface Call {
  readonly operationId: string
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: unknown } } }
}

/** Address of the server. This page is at `_mock/` below it. With the origin, a path may begin with two slashes. */
const ROOT = location.origin + (/^(.*)\/_mock\//.exec(location.pathname)?.[1] ?? '')

/** Operations that take the key only as a bearer token. */
const SESSION_ONLY: readonly (string | null)[] = ['listOrgUsers', 'updateOrgUserRoles'] satisfies readonly OperationId[]

/** How often to read while the server is busy, and after how many milliseconds. */
const MOST_TRIES = 5
const BUSY_MS = 1000

/** Calls the server for one sandbox. */
export class Client {
  readonly #access: Access

  constructor(access: Access) {
    this.#access = access
  }

  async read<T>(path: string): Promise<T> {
    return (await answerOf<T>(await this.#get(`/_mock${path}`))).result
  }

  /** Reads a text from the control API. @throws {CallError} */
  async readText(path: string): Promise<string> {
    const reply = await this.#get(`/_mock${path}`)
    if (!reply.ok) await answerOf(reply)
    return reply.text().catch(() => {
      throw new CallError(reply.status, 'The reply cannot be read.')
    })
  }

  /** Reads the schema of the body of a call: of the control API or the interface. @throws {CallError} */
  async bodySchema(operation: string): Promise<Schema> {
    for (const path of ['/_mock/openapi.json', '/openapi.json']) {
      const reply = await this.#get(path)
      if (!reply.ok) await answerOf(reply)
      const document = (await reply.json()) as OpenApi
      const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods))
      const call = calls.find(({ operationId }) => operationId === operation)
      if (call?.requestBody !== undefined)
        return wholeSchema(call.requestBody.content['application/json'].schema, document.components.schemas) as Schema
    }
    throw new CallError(0, `The server does not describe ${operation}.`)
  }

  /** Calls the control API. @param key of another sandbox */
  async control<T = undefined>(method: string, path: string, body?: unknown, key?: string): Promise<Answer<T>> {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
    return answerOf<T>(await this.send(method, `/_mock${path}`, headers, body))
  }

  /** Calls the interface. @param names of fields that a profile renames, by built-in name */
  async call(
    method: string,
    path: string,
    body: unknown,
    names: Readonly<Record<string, string>>
  ): Promise<Answer<unknown>> {
    return answerOf(await this.send(method, path, {}, body), names)
  }

  /** Sends a request again. @returns status and RequestID of the reply @throws {CallError} if there is no reply */
  async repeat({ operation, method, path, body }: Sendable): Promise<{ status: number; id: string | null }> {
    const { status, headers, body: reply } = await this.send(method, path, this.#credential(operation), body)
    void reply?.cancel().catch(() => undefined)
    return { status, id: headers.get('x-request-id') }
  }

  /** A curl command that sends a request, with the sandbox's key. */
  commandFor({ operation, method, path, body }: Sendable): string {
    return curl(method, ROOT + path, this.#credential(operation), body)
  }

  /** The header with the key, in the form that the operation takes. */
  #credential(operation: string | null): Record<string, string> {
    const { key } = this.#access
    if (key === '') return {}
    return SESSION_ONLY.includes(operation) ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
  }

  /** Reads; while the server is busy, several times. @throws {CallError} if there is no reply */
  async #get(path: string): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const reply = await this.send('GET', path)
      if (reply.status !== 503 || tries === MOST_TRIES) return reply
      await new Promise((resolve) => {
        setTimeout(resolve, BUSY_MS)
      })
    }
  }

  /** @throws {CallError} if there is no reply */
  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
    signal?: AbortSignal
  ): Promise<Response> {
    const { key, token } = this.#access
    try {
      return await fetch(ROOT + path, {
        method,
        headers: {
          // Without this, the sandbox would draw a RequestID from its random generator.
          'x-request-id': `console-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`,
          ...(key === '' ? {} : { 'x-api-key': key }),
          ...headers,
          ...(token === '' ? {} : { 'x-mock-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' })
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
        cache: 'no-store',
        credentials: 'omit'
      })
    } catch {
      throw new CallError(0, 'The server does not answer.')
    }
  }
}

/** Reads the envelope of a reply. @param names as in {@link Client.call} @throws {CallError} if the server refused */
export async function answerOf<T>(reply: Response, names: Readonly<Record<string, string>> = {}): Promise<Answer<T>> {
  const field = (of: Readonly<Record<string, unknown>>, name: string) => of[names[name] ?? name]
  let envelope: Record<string, unknown>
  try {
    const text = await reply.text()
    envelope = text === '' ? {} : (JSON.parse(text) as typeof envelope)
  } catch {
    throw new CallError(reply.status, 'The reply cannot be read.')
  }
  const message = (field(envelope, 'Message') as string | undefined) ?? `The server answered ${reply.status}.`
  // With status 200, an error may show only in the body.
  if (!reply.ok || field(envelope, 'Error') === true) {
    const details = ((field(envelope, 'ErrorDetails') ?? []) as readonly Record<string, string>[]).map((one) => ({
      FieldName: field(one, 'FieldName') as string,
      Reason: field(one, 'Reason') as string
    }))
    throw new CallError(reply.status, message, details)
  }
  return { message, result: field(envelope, 'Result') as T }
}

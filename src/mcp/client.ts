import { tooLong, unreachable } from './refusal.js'

/** A request to the server that the tools work on. */
export interface McpRequest {
  readonly method: string
  /** Path on the server. */
  readonly path: string
  readonly body?: unknown
  /** The key of the sandbox; that of the session if absent. */
  readonly key?: string | undefined
  /** Whether it is sent as a session, because the operation accepts no API key. */
  readonly needsSession?: boolean
  readonly signal: AbortSignal
}

export interface McpReply {
  readonly status: number
  readonly requestId: string
  readonly text: string
}

/** The server that the tools work on. */
interface Address {
  /** For clients on this machine. */
  readonly url: string
}

/** A session's way to the server. The tools know nothing of it but its HTTP interface, wherever they run. */
export interface McpClient extends Address {
  /** The same for all sessions with the server, so that they can share what does not change. */
  readonly server: Address
  /** What is to be done if it refuses the credentials of the session. */
  readonly remedies: { readonly key: string; readonly token: string }
  /** @throws {Refusal} if there is no complete reply */
  readonly request: (request: McpRequest) => Promise<McpReply>
}

/** The headers of a session that name its sandbox, and its token. */
type Credentials = Readonly<Partial<Record<'x-api-key' | 'authorization' | 'x-mock-token', string>>>

/**
 * @param credentials what the session itself was given
 * @param longest how long the text of a reply may be, in characters
 */
export function openClient(
  server: Address,
  credentials: Credentials,
  remedies: McpClient['remedies'],
  longest = Infinity
): McpClient {
  const { url } = server
  const { 'x-mock-token': token, ...own } = credentials
  return {
    url,
    server,
    remedies,
    request: async ({ method, path, body, key, needsSession = false, signal }) => {
      const headers = {
        ...withSession(key === undefined ? own : { 'x-api-key': key }, needsSession),
        ...(token === undefined ? {} : { 'x-mock-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      }
      const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const reply = await replyOf(`${url}${path}`, init).catch((error: unknown) => {
        throw unreachable(url, error)
      })
      if (reply.text.length > longest) throw tooLong(reply.text.length, longest)
      return reply
    }
  }
}

async function replyOf(url: string, init: RequestInit): Promise<McpReply> {
  const reply = await fetch(url, init)
  return { status: reply.status, requestId: reply.headers.get('x-request-id') ?? '', text: await reply.text() }
}

function withSession({ 'x-api-key': key, authorization }: Credentials, needsSession: boolean): Record<string, string> {
  if (authorization !== undefined) return { authorization }
  if (key === undefined) return {}
  return needsSession ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}

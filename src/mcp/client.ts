import { sendJson, type TextReply } from '../lib/send-json.js'
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
  readonly request: (request: McpRequest) => Promise<TextReply>
}

/** The headers of a session that name its sandbox, and its token; others have no meaning. */
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
  const { 'x-api-key': ownKey, authorization, 'x-mock-token': token } = credentials
  return {
    url,
    server,
    remedies,
    request: async ({ method, path, body, key, needsSession = false, signal }) => {
      const headers = {
        ...credentialOf(key ?? ownKey, key === undefined ? authorization : undefined, needsSession),
        ...(token === undefined ? {} : { 'x-mock-token': token })
      }
      const reply = await sendJson(`${url}${path}`, { method, headers, signal, body }).catch((error: unknown) => {
        throw unreachable(url, error)
      })
      if (reply.text.length > longest) throw tooLong(reply.text.length, longest)
      return reply
    }
  }
}

function credentialOf(
  key: string | undefined,
  authorization: string | undefined,
  needsSession: boolean
): Record<string, string> {
  if (authorization !== undefined) return { authorization }
  if (key === undefined) return {}
  return needsSession ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}

import { jsonOf, sendJson, type TextReply } from '../lib/send-json.js'
import { Refusal } from './refusal.js'

export interface McpRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The key of the sandbox; that of the session if absent. */
  readonly key?: string | undefined
  /** Whether the operation accepts no API key, so that the key is sent as a session token. */
  readonly needsSession?: boolean
  readonly signal: AbortSignal
}

/** A session's connection to the server. Wherever the tools run, they use only its HTTP interface. */
export interface McpClient {
  readonly url: string
  /** What to do if the server refuses the credentials of the session. */
  readonly remedies: { readonly key: string; readonly token: string }
  /** @throws {Refusal} if there is no complete reply */
  readonly request: (request: McpRequest) => Promise<TextReply>
}

/** The headers of a session that matter here. */
type Credentials = Readonly<Partial<Record<'x-api-key' | 'authorization' | 'x-mock-token', string>>>

/** @param longest maximum length of a reply, in characters */
export function openClient(
  url: string,
  credentials: Credentials,
  remedies: McpClient['remedies'],
  longest = Infinity
): McpClient {
  const { 'x-api-key': ownKey, authorization, 'x-mock-token': token } = credentials
  return {
    url,
    remedies,
    request: async ({ method, path, body, key, needsSession = false, signal }) => {
      const headers = {
        ...credentialOf(key ?? ownKey, key === undefined ? authorization : undefined, needsSession),
        ...(token === undefined ? {} : { 'x-mock-token': token })
      }
      const json = jsonOf(body)
      const reply = await sendJson(`${url}${path}`, { method, headers, signal, json }).catch((error: unknown) => {
        throw unreachable(url, error)
      })
      const { length } = reply.text
      if (length > longest)
        throw new Refusal(`The reply has ${length} characters; at most ${longest} can be read here.`, {
          remedy: 'Use svc-mock mcp --url URL, which reads it in a process of its own.'
        })
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

function unreachable(url: string, error: unknown): Refusal {
  const { cause, message } = error as Error
  const { code, message: reason = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  const remedy =
    'A fault with the reply drop or cut does this: see the tool faults. If the server has ended, start it again, ' +
    'or use another one: svc-mock mcp --url URL.'
  return new Refusal(`${url} gave no complete reply (${code ?? reason}).`, { remedy }, { cause: error })
}

import { once } from 'node:events'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import { type McpClient, openClient } from './client.js'
import { createMcpServer } from './server.js'

const REMEDIES: McpClient['remedies'] = {
  key: 'Send the key of a sandbox as the header x-api-key of each request, or give a tool the argument key.',
  token: 'Send the control token as the header X-Mock-Token of each request.'
}

/** Reading longer replies here would block all requests of the server. */
const LONGEST_READ = 4 * 1024 * 1024

interface McpHttpRequest {
  readonly headers: Readonly<Record<string, string>>
  /** As parsed. */
  readonly body: unknown
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

interface McpHttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Answers one request of the protocol over HTTP. Requests share no state: each has an MCP server of its own. Replies
 * are JSON instead of streams, because no tool here reports progress. The tools call svc-mock over HTTP with the
 * credentials of the request, so they have the same rights as its client.
 * @param address of svc-mock, the same object for all requests
 * @returns undefined if the client has left
 */
export async function answerOverHttp(
  { headers, body, signal }: McpHttpRequest,
  address: McpClient['server']
): Promise<McpHttpReply | undefined> {
  const client = openClient(address, headers, REMEDIES, LONGEST_READ)
  const request = new Request(`${address.url}/_mock/mcp`, { method: 'POST', headers: { ...headers } })
  const parsedBody = body ?? null
  const isLegacy = await isLegacyRequest(request, parsedBody)
  const { answer, close } = isLegacy ? await answererWithHandshake(client) : answererAlone(client)
  const text = async () => textOf(await answer(request, { parsedBody }))
  // The signal belongs to a connection, which may carry many more requests.
  const answered = new AbortController()
  const left = () => once(signal, 'abort', { signal: answered.signal }).then(() => undefined)
  try {
    return signal.aborted ? undefined : await Promise.race([text(), left()])
  } finally {
    answered.abort()
    await close()
  }
}

interface Answerer {
  readonly answer: (request: Request, options: { readonly parsedBody: unknown }) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Since revision 2026-07-28 of the protocol, each request is self-contained. */
function answererAlone(client: McpClient): Answerer {
  const { fetch: answer, close } = createMcpHandler(() => createMcpServer(client), {
    legacy: 'reject',
    // The lists never change, so there is nothing to subscribe to.
    maxSubscriptions: 0
  })
  return { answer, close }
}

/** Before that revision, clients began with a handshake, which has no effect without sessions. */
async function answererWithHandshake(client: McpClient): Promise<Answerer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(client)
  await server.connect(transport)
  return {
    answer: (request, options) => transport.handleRequest(request, options),
    close: () => server.close()
  }
}

const textOf = async (reply: Response): Promise<McpHttpReply> => ({
  status: reply.status,
  headers: Object.fromEntries(reply.headers),
  text: await reply.text()
})

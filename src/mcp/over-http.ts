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

/** A longer reply is not read here, because that would hold up all requests of the server. */
const LONGEST_READ = 4 * 1024 * 1024

/** A request of the protocol, with its body as it was parsed. */
interface McpHttpRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Aborted when its client has left. */
  readonly signal: AbortSignal
}

interface McpHttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Answers one request of the protocol over HTTP. Nothing is kept between requests: each has a server of its own, and
 * its reply is JSON rather than a stream, as no tool here tells its progress. The tools call the server over HTTP
 * with the credentials of the request, so they can do what its client can do.
 * @param address of the server, the same object for all requests
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
  // The signal is that of a connection, which may have many more requests.
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
  /** Ends what is being answered. */
  readonly close: () => Promise<void>
}

/** Since revision 2026-07-28, each request says all that a server needs to know. */
function answererAlone(client: McpClient): Answerer {
  const { fetch: answer, close } = createMcpHandler(() => createMcpServer(client), {
    legacy: 'reject',
    // Nobody is told of changes: the tools stay the same.
    maxSubscriptions: 0
  })
  return { answer, close }
}

/** Before, a client began with a handshake. Without sessions, nothing follows from it. */
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

import { once } from 'node:events'
import { createMcpHandler } from '@modelcontextprotocol/server'
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

/**
 * Answers one request of the protocol over HTTP. Requests share no state: each has an MCP server of its own. The tools
 * call svc-mock over HTTP with the credentials of the request, so they have the same rights as its client.
 * @param url of svc-mock
 * @returns undefined if the client has left
 */
export async function answerOverHttp({ headers, body, signal }: McpHttpRequest, url: string) {
  const client = openClient(url, headers, REMEDIES, LONGEST_READ)
  // The lists never change, so there is nothing to subscribe to.
  const { fetch: answer, close } = createMcpHandler(() => createMcpServer(client), { maxSubscriptions: 0 })
  // The signal belongs to a connection, which may carry many more requests.
  const over = new AbortController()
  const left = () => once(signal, 'abort', { signal: over.signal }).then(() => undefined)
  const request = new Request(`${url}/_mock/mcp`, {
    method: 'POST',
    headers: { ...headers },
    signal: over.signal
  })
  const text = async () => textOf(await answer(request, { parsedBody: body ?? null }))
  try {
    return signal.aborted ? undefined : await Promise.race([text(), left()])
  } finally {
    over.abort()
    await close()
  }
}

const textOf = async (reply: Response) => ({
  status: reply.status,
  headers: Object.fromEntries(reply.headers),
  text: await reply.text()
})

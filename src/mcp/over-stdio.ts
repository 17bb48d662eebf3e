import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { McpClient } from './client.js'
import { createMcpServer } from './server.js'
import { Tasks } from './tasks.js'
import type { Tool } from './tool.js'

interface Streams {
  readonly input: Readable
  /** Reserved for the protocol. */
  readonly output: Writable
}

/**
 * Speaks the protocol over two streams until the client leaves or the signal is aborted.
 * @param more additional tools
 * @param about further information for the client about this server
 */
export async function speakOverStdio(
  { input, output }: Streams,
  client: McpClient,
  signal: AbortSignal,
  more: readonly Tool[],
  about: string
): Promise<void> {
  if (signal.aborted) return
  const transport = new StdioServerTransport(input, output)
  const tasks = new Tasks()
  const connection = serveStdio(() => createMcpServer(client, { tools: more, about, tasks }), { transport })
  const left = new AbortController()
  const until = { signal: left.signal }
  await Promise.race([
    once(input, 'end', until),
    once(input, 'close', until),
    once(output, 'close', until),
    once(output, 'error', until),
    once(signal, 'abort', until)
  ]).catch(() => undefined)
  left.abort()
  await connection.close()
  await tasks.end()
}

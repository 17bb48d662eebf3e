import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Test } from 'tap'
import { type Body, MAIN } from '../helper.js'

export interface Told {
  readonly isError: boolean
  /** As JSON, if it is not cut. */
  readonly answer: Body
  /** How to read the rest, if it is cut. */
  readonly note: string | undefined
  readonly text: string
}

/** An MCP client, closed when the test ends. */
export interface Agent {
  readonly client: Client
  readonly use: (tool: string, input?: object) => Promise<Told>
  /** Uses a tool that must succeed. */
  readonly result: (tool: string, input?: object) => Promise<Body>
}

type Transport = StdioClientTransport | StreamableHTTPClientTransport

/** Clients with a handshake, and with self-contained requests. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const
type Revision = (typeof REVISIONS)[number]

async function agentBy(t: Test, transport: Transport, revision: Revision = '2025-11-25'): Promise<Agent> {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
  t.teardown(() => client.close())
  await client.connect(transport)
  const use: Agent['use'] = async (name, input = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
    const [text = '', note] = content.map((part) => (part.type === 'text' ? part.text : ''))
    return { isError, answer: note === undefined ? JSON.parse(text) : undefined, note, text }
  }
  return {
    client,
    use,
    result: async (tool, input) => {
      const { isError, answer, text } = await use(tool, input)
      if (isError) throw new Error(`${tool} ${JSON.stringify(input)}: ${text.slice(0, 1000)}`)
      return answer.result
    }
  }
}

/** An agent of `svc-mock mcp`, as a process. */
export async function stdioAgent(
  t: Test,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  revision?: Revision
): Promise<Agent & { readonly transport: StdioClientTransport; readonly errors: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe'
  })
  let errors = ''
  transport.stderr?.on('data', (text: Buffer) => (errors += text.toString()))
  return { ...(await agentBy(t, transport, revision)), transport, errors: () => errors }
}

export function httpAgent(
  t: Test,
  url: string,
  headers: Record<string, string> = {},
  revision?: Revision
): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL('/_mock/mcp', url), { requestInit: { headers } })
  return agentBy(t, transport, revision)
}

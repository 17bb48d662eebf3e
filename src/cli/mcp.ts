import { openClient } from '../mcp/client.js'
import { speakOverStdio } from '../mcp/over-stdio.js'
import { readServer, tellIgnored } from './client-command.js'
import { ALL_OPTIONS, readFlags } from './command.js'
import { MCP_FLAGS } from './commands/mcp.js'
import { exploreTool } from './mcp-explore.js'
import { openServer } from './own-server.js'
import { CLIENT_VARIABLES, type Environment } from './target.js'

const REMEDIES = {
  key: `Start svc-mock mcp with a key that the server accepts: --key KEY, or ${CLIENT_VARIABLES.key} with --url.`,
  token: `Start svc-mock mcp with the token of the server: --token TOKEN, or ${CLIENT_VARIABLES.token} with --url.`
}

/** Speaks the Model Context Protocol over standard input and output until the client leaves. @returns the exit code */
export async function mcpCommand(args: readonly string[]): Promise<number> {
  const request = readMcpRequest(args, process.env)
  if (request.server === undefined) tellIgnored(process.env)
  const ended = new AbortController()
  const end = () => ended.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  const { target, close } = await openServer(request, 'mcp')
  const { url, key, token } = target
  const client = openClient(
    url,
    { ...(key === undefined ? {} : { 'x-api-key': key }), ...(token === undefined ? {} : { 'x-mock-token': token }) },
    REMEDIES
  )
  const about = key === undefined ? '' : `It finds this sandbox by the key ${key} (header x-api-key).`
  const streams = { input: process.stdin, output: process.stdout }
  try {
    await speakOverStdio(streams, client, ended.signal, [exploreTool], about)
  } finally {
    process.stdin.destroy()
    await close()
  }
  return 0
}

/** Reads the command line. @throws {UsageError} for the first problem */
export function readMcpRequest(args: readonly string[], env: Environment): ReturnType<typeof readServer> {
  const { values, forServer } = readFlags(MCP_FLAGS, args, { server: ALL_OPTIONS })
  return readServer(values, forServer, env, true)
}

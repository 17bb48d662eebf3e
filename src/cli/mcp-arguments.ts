import { flagsHelp, readServer, readServerFlags, serverOptionsHelp } from './client-command.js'
import type { Flag } from './ctl-commands.js'
import { CLIENT_VARIABLES, type Environment } from './target.js'

/** The options of the command besides those of the server. */
export const MCP_FLAGS: Readonly<Record<string, Flag>> = {
  url: { value: 'URL', help: 'Use the server that runs there, instead of one of its own.' },
  key: {
    value: 'KEY',
    help: `The key of the sandbox. Environment, with --url: ${CLIENT_VARIABLES.key}. Default: a new one.`
  },
  token: {
    value: 'TOKEN',
    help: `With --url: the token of its --control-token. Environment: ${CLIENT_VARIABLES.token}.`
  }
}

export const MCP_HELP = `Usage: svc-mock mcp [options]

Lets a coding agent use a server: speaks the Model Context Protocol over
standard input and output, until the input ends. The server is one of its own,
in memory and on a free port, or a running one.

Options:
${flagsHelp(MCP_FLAGS)}

Options of the server (not with --url), which is in memory, on a free port and
silent by default:
${serverOptionsHelp(Object.keys(MCP_FLAGS))}

Examples:
  svc-mock mcp --demo
  svc-mock mcp --url http://127.0.0.1:4700 --key demo`

/** Reads the command line. @throws {UsageError} naming the first thing that is wrong */
export function readMcpRequest(args: readonly string[], env: Environment): ReturnType<typeof readServer> {
  const { values, forServer } = readServerFlags(args, MCP_FLAGS)
  return readServer(values, forServer, env, true)
}

import { serverOptionsHelp } from '../client-command.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'
import { CLIENT_VARIABLES } from '../target.js'

export const MCP_FLAGS = {
  url: { value: 'URL', help: 'Use a running server instead of one of its own.' },
  key: {
    value: 'KEY',
    help: `The key of the sandbox. Environment, with --url: ${CLIENT_VARIABLES.key}. Default: a new one.`
  },
  token: {
    value: 'TOKEN',
    help: `With --url: the token of its --control-token. Environment: ${CLIENT_VARIABLES.token}.`
  }
} as const satisfies Flags

export const MCP: Command = {
  usage: ['mcp [options]'],
  about: `Lets a coding agent use a server: speaks the Model Context Protocol over standard
input and output until the input ends. The server is one of its own, in memory and
on a free port, or a running one.`,
  flags: MCP_FLAGS,
  server: {
    options: ALL_OPTIONS,
    help: () => `Options of the server (not with --url), which is in memory, on a free port and
silent by default:
${serverOptionsHelp(Object.keys(MCP_FLAGS))}`
  },
  examples: ['mcp --demo', 'mcp --url http://127.0.0.1:4700 --key demo']
}

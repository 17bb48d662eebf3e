import type { Command } from './command.js'
import { print } from './print.js'
import { hasFlag } from './usage.js'

interface ListedCommand {
  readonly summary: string
  /** Loads what its help and its completion need; `run` loads the rest. */
  readonly load: () => Promise<Command>
  readonly run: (args: string[]) => Promise<number>
}

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  serve: {
    summary: 'run the server',
    load: async () => (await import('./commands/serve.js')).SERVE,
    run: async (args) => (await import('./serve.js')).serveCommand(args)
  },
  run: {
    summary: 'run a command with a server of its own',
    load: async () => (await import('./commands/run.js')).RUN,
    run: async (args) => (await import('./run.js')).runCommand(args)
  },
  explore: {
    summary: 'find the faults that a client does not survive',
    load: async () => (await import('./commands/explore.js')).EXPLORE,
    run: async (args) => (await import('./explore.js')).exploreCommand(args)
  },
  mcp: {
    summary: 'let a coding agent use a server',
    load: async () => (await import('./commands/mcp.js')).MCP,
    run: async (args) => (await import('./mcp.js')).mcpCommand(args)
  },
  wait: {
    summary: 'wait until a server is ready',
    load: async () => (await import('./wait.js')).WAIT,
    run: async (args) => (await import('./wait.js')).waitCommand(args)
  },
  ctl: {
    summary: 'control a sandbox of a running server',
    load: async () => (await import('./ctl-help.js')).CTL,
    run: async (args) => (await import('./ctl.js')).ctlCommand(args)
  },
  profile: {
    summary: 'show or check assumptions about the service',
    load: async () => (await import('./commands/profile.js')).PROFILE,
    run: async (args) => (await import('./profile.js')).profileCommand(args)
  },
  learn: {
    summary: 'learn a profile from a real service',
    load: async () => (await import('./commands/learn.js')).LEARN,
    run: async (args) => (await import('./learn.js')).learnCommand(args)
  },
  record: {
    summary: 'record the exchanges between a client and a real service',
    load: async () => (await import('./commands/record.js')).RECORD,
    run: async (args) => (await import('./record.js')).recordCommand(args)
  },
  conform: {
    summary: 'compare the mock with recorded replies of a real service',
    load: async () => (await import('./commands/conform.js')).CONFORM,
    run: async (args) => (await import('./conform.js')).conformCommand(args)
  },
  recording: {
    summary: 'inspect a recorded run',
    load: async () => (await import('./commands/recording.js')).RECORDING,
    run: async (args) => (await import('./recording.js')).recordingCommand(args)
  },
  show: {
    summary: 'show recorded runs in a browser',
    load: async () => (await import('./commands/show.js')).SHOW,
    run: async (args) => (await import('./show.js')).showCommand(args)
  },
  openapi: {
    summary: 'print the OpenAPI document of the interface',
    load: async () => (await import('./commands/openapi.js')).OPENAPI,
    run: async (args) => (await import('./openapi.js')).openapiCommand(args)
  },
  compact: {
    summary: 'shrink a database file',
    load: async () => (await import('./compact.js')).COMPACT,
    run: async (args) => (await import('./compact.js')).compactCommand(args)
  },
  complete: {
    summary: 'print a completion script for a shell',
    load: async () => (await import('./complete.js')).COMPLETE,
    run: async (args) => (await import('./complete.js')).completeCommand(args, COMMANDS)
  }
}

/** Runs a command, or shows its help. @returns the exit code */
export async function callCommand(name: string, args: string[]): Promise<number> {
  const { load, run } = COMMANDS[name]!
  const isAboutServer = hasFlag(args, '--help-server')
  if (!isAboutServer && !hasFlag(args, '-h', '--help')) return run(args)
  const [command, { helpOf }] = await Promise.all([load(), import('./command.js')])
  if (isAboutServer && command.server === undefined) return run(args)
  print(await (isAboutServer ? command.server!.help() : (command.helpFor?.(args) ?? helpOf(command))))
  return 0
}

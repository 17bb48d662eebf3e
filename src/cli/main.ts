#!/usr/bin/env node
import { didYouMean, nearest } from '../lib/nearest.js'
import { VERSION } from '../lib/version.js'
import { print, printError } from './print.js'
import { asksForHelp, hasFlag, UsageError } from './usage.js'

const SUMMARIES = {
  serve: 'run the server',
  run: 'run a command with a server of its own',
  explore: 'find the faults that a command does not survive',
  mcp: 'let a coding agent use a server',
  wait: 'wait until a server is ready',
  ctl: 'control a sandbox of a running server',
  profile: 'show or check assumptions about the service',
  learn: 'write a profile from what a service does',
  record: 'record what a client and a real service say to each other',
  conform: 'compare the mock with what a real service has answered',
  recording: 'look at a recorded run',
  show: 'show recorded runs in a browser',
  openapi: 'print the OpenAPI document of the interface',
  compact: 'shrink a database file',
  complete: 'print a script that completes commands in a shell'
}

const HELP = `svc-mock ${VERSION}: a mock control plane for local development and tests

Usage: svc-mock <command> [options]

Commands:
${Object.entries(SUMMARIES)
  .map(([name, help]) => `  ${name.padEnd(9)} ${help}`)
  .join('\n')}

'svc-mock <command> --help' lists the options of a command.
Options: -h, --help, -v, --version

Examples:
  svc-mock serve
  svc-mock run -- npm test
  svc-mock wait --timeout 1m
  svc-mock ctl clock advance --by 1h30m --key demo
  svc-mock openapi > openapi.json`

/** Each loads its modules only when it is called: those of a server take longer to load than most calls of it. */
const COMMANDS: Readonly<Record<keyof typeof SUMMARIES, (args: string[]) => Promise<number>>> = {
  serve: async (args) => (await import('./serve.js')).serveCommand(asksForHelp(args) ? ['--help'] : args),
  run: async (args) => (await import('./run.js')).runCommand(args),
  explore: async (args) => (await import('./explore.js')).exploreCommand(args),
  mcp: async (args) => (await import('./mcp.js')).mcpCommand(args),
  wait: async (args) => (await import('./wait.js')).waitCommand(args),
  ctl: async (args) => (await import('./ctl.js')).ctlCommand(args),
  profile: async (args) => (await import('./profile.js')).profileCommand(args),
  learn: async (args) => (await import('./learn.js')).learnCommand(args),
  record: async (args) => (await import('./record.js')).recordCommand(args),
  conform: async (args) => (await import('./conform.js')).conformCommand(args),
  recording: async (args) => (await import('./recording.js')).recordingCommand(args),
  show: async (args) => (await import('./show.js')).showCommand(args),
  openapi: async (args) => (await import('./openapi.js')).openapiCommand(args),
  compact: async (args) => (await import('./compact.js')).compactCommand(args),
  complete: async (args) => (await import('./complete.js')).completeCommand(args, SUMMARIES)
}

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args
  if (hasFlag(args, '-v', '--version')) return succeed(VERSION)
  if (command === 'help' && rest.length > 0) return main([...rest, '--help'])
  if (command === '-h' || command === '--help' || command === 'help') return succeed(HELP)
  if (rest[0] === 'help' && command !== undefined) return main([command, ...rest.slice(1), '--help'])
  const names = Object.keys(COMMANDS)
  if (command === undefined) throw new UsageError(`name a command: ${names.join(', ')}`)
  if (command.startsWith('-'))
    throw new UsageError(`there is no option ${command}${didYouMean(nearest(command, ['--help', '--version']))}`)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command as keyof typeof COMMANDS] : undefined
  if (run === undefined) throw new UsageError(`there is no command ${command}${didYouMean(nearest(command, names))}`)
  return run(rest)
}

function succeed(text: string): number {
  print(text)
  return 0
}

// Exit codes: 0 success, 1 failure, 2 mistake in the command line; ctl has more.
async function exitCodeOf(args: string[]): Promise<number> {
  try {
    return await main(args)
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof UsageError)) {
      printError(`svc-mock: ${message}`)
      return 1
    }
    const [first = ''] = args
    const { command = Object.hasOwn(COMMANDS, first) ? first : '' } = error
    printError(`svc-mock: ${message} (see '${['svc-mock', command, '--help'].filter(Boolean).join(' ')}')`)
    return 2
  }
}

// What reads the output may end before its end, as head does; anything else means that the output is lost.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  printError(`svc-mock: the standard output cannot be written (${code})`)
  process.exitCode = 1
})

// There is nowhere to say it, and no reason to end.
process.stderr.on('error', () => undefined)

// Not a top-level await: what a command loads may share modules with this one, and would wait for it for ever.
void exitCodeOf(process.argv.slice(2)).then((code) => {
  process.exitCode ??= code
})

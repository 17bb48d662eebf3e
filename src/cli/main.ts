#!/usr/bin/env node
import { VERSION } from '../lib/version.js'
import { compactCommand } from './compact.js'
import { ctlCommand } from './ctl.js'
import { serveCommand } from './serve.js'
import { UsageError } from './usage.js'
import { waitCommand } from './wait.js'

const HELP = `svc-mock ${VERSION}: a mock control plane for local development and tests

Usage: svc-mock <command> [options]

Commands:
  serve     run the server
  wait      wait until a server is ready
  ctl       control a sandbox of a running server
  compact   shrink a database file

'svc-mock <command> --help' lists the options of a command.
Options: --help, --version`

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  serve: serveCommand,
  wait: waitCommand,
  ctl: ctlCommand,
  compact: compactCommand
}

async function main([command, ...args]: string[]): Promise<number> {
  if (command === '--version') return print(VERSION)
  if (command === '--help' || command === 'help') return print(HELP)
  if (command === undefined) throw new UsageError(`name a command: ${Object.keys(COMMANDS).join(', ')}`)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (run === undefined) throw new UsageError(`there is no command ${command}`)
  return run(args)
}

function print(text: string): number {
  console.log(text)
  return 0
}

// Exit codes: 0 success, 1 failure, 2 mistake in the command line.
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const [command = ''] = process.argv.slice(2)
  const help = Object.hasOwn(COMMANDS, command) ? `svc-mock ${command} --help` : 'svc-mock --help'
  console.error(`svc-mock: ${(error as Error).message}${isUsage ? ` (see '${help}')` : ''}`)
  process.exitCode = isUsage ? 2 : 1
}

import { parseArgs } from 'node:util'
import { type Flags, flagsHelp, optionsOf } from './command.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-commands.js'
import { commandAbout, commandIn, commandNameOf, commandsUnder, meantBy, unknownCommand } from './ctl-find.js'
import { CLIENT_VARIABLES } from './target.js'
import { DEFAULT_URL, UsageError } from './usage.js'

/** The flags of all commands. */
export const COMMON_FLAGS: Flags = {
  url: {
    value: 'URL',
    help: `Where the server listens. Default: ${DEFAULT_URL}. Environment: ${CLIENT_VARIABLES.url}.`
  },
  key: {
    value: 'KEY',
    help: `The key of the sandbox. Not needed with --auth off. Environment: ${CLIENT_VARIABLES.key}.`
  },
  token: {
    value: 'TOKEN',
    help: `The token of --control-token, if the server has one. Environment: ${CLIENT_VARIABLES.token}.`
  },
  json: { help: 'Print JSON on a terminal, too. What is piped is always JSON.' }
}

/** All flags, as `parseArgs()` wants them. */
export const ALL_FLAGS: ReturnType<typeof optionsOf> = optionsOf(
  Object.assign({}, COMMON_FLAGS, ...CONTROL_COMMANDS.map(({ flags }) => flags)) as Flags
)

/** Does something with the words of a command line, and says which command they are about if they are wrong. */
export function aboutCommand<T>(args: readonly string[], act: (words: readonly string[]) => T): T {
  const { positionals } = parseArgs({ args: [...args], options: ALL_FLAGS, strict: false })
  const named = (error: unknown): never => {
    if (error instanceof UsageError) error.command = commandAbout(positionals)
    throw error
  }
  try {
    const result = act(positionals)
    return result instanceof Promise ? (result.catch(named) as T) : result
  } catch (error) {
    return named(error)
  }
}

const WIDTH = 26

/** The help of `svc-mock ctl`, or of the command or commands that the words name. @throws {UsageError} for none */
export function helpOf(words: readonly string[]): string {
  if (words.length === 0) return overview()
  const command = commandIn(words)
  if (command !== undefined) return helpOfCommand(command)
  const group = commandsUnder(words)
  if (group.length === 0) {
    const [meant, ...others] = meantBy(words)
    if (meant === undefined || others.length > 0) throw unknownCommand(words)
    return helpOf(meant.split(' '))
  }
  return `Usage: svc-mock ctl ${words.join(' ')} <command> [options]

Commands:
${listed(group)}

'svc-mock ctl <command> --help' has the options of a command, and examples.`
}

const overview = () => `Usage: svc-mock ctl <command> [options]

Controls a sandbox of a running server. Prints a table or JSON on a terminal,
and JSON elsewhere.

Commands:
${listed(CONTROL_COMMANDS)}

'svc-mock ctl <command> --help' has the options of a command, and examples.
An id may be given by its beginning, if no other begins like this.

Options of all commands:
${flagsHelp(COMMON_FLAGS)}

Examples:
  svc-mock ctl workspaces --key demo
  export ${CLIENT_VARIABLES.key}=demo
  svc-mock ctl clock advance --by 1h30m
  svc-mock ctl requests --follow

Exit codes: 0 done, 1 refused by the server (also a verification that fails) or output that cannot be written,
2 a mistake in the command line, 3 no answer from the server.`

function helpOfCommand(command: ControlCommand): string {
  const { usage, help, flags = {}, examples } = command
  const others = commandsUnder(commandNameOf(command)).filter((other) => other !== command)
  return [
    `Usage: svc-mock ctl ${usage} [options]`,
    help,
    ...(Object.keys(flags).length === 0 ? [] : [`Options:\n${flagsHelp(flags)}`]),
    `Options of all commands:\n${flagsHelp(COMMON_FLAGS)}`,
    `Examples:\n${examples.map((example) => `  svc-mock ctl ${example}`).join('\n')}`,
    ...(others.length === 0 ? [] : [`See also:\n${listed(others)}`])
  ].join('\n\n')
}

const listed = (commands: readonly ControlCommand[]) =>
  commands.map(({ usage, help }) => `  ${usage.padEnd(WIDTH)}${help}`).join('\n')

import { argumentsOf, type Command, type Flags, helpOf } from './command.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { commandAbout, commandIn, commandNameOf, commandsUnder, meantBy, unknownCommand } from './ctl-find.js'
import { CLIENT_VARIABLES, DEFAULT_URL } from './target.js'
import { UsageError } from './usage.js'

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

/** The flags of any command. */
export const ALL_FLAGS = Object.assign({}, COMMON_FLAGS, ...CONTROL_COMMANDS.map(({ flags }) => flags)) as Flags

export const CTL: Command = {
  usage: ['ctl <command> [options]'],
  about: 'Controls a sandbox of a running server.',
  flags: COMMON_FLAGS,
  subcommands: CONTROL_COMMANDS,
  helpFor: (args) => aboutCommand(args, helpAbout)
}

/** Does something with the words of a command line, and says which command they are about if they are wrong. */
export async function aboutCommand<T>(
  args: readonly string[],
  act: (words: readonly string[]) => T | Promise<T>
): Promise<T> {
  const words = argumentsOf(ALL_FLAGS, args)
  try {
    return await act(words)
  } catch (error) {
    if (error instanceof UsageError) error.command = commandAbout(words)
    throw error
  }
}

/** The help of `svc-mock ctl`, or of the command or commands that the words name. @throws {UsageError} for none */
export function helpAbout(words: readonly string[]): string {
  const command = commandIn(words)
  if (command !== undefined) return helpOfCommand(command)
  const group = commandsUnder(words)
  const [meant, ...others] = group.length === 0 ? meantBy(words) : []
  if (meant !== undefined && others.length === 0) return helpAbout(meant.split(' '))
  if (group.length === 0) throw unknownCommand(words)
  return helpOf({
    usage: [['ctl', ...words, '<command> [options]'].join(' ')],
    about: `Controls a sandbox of a running server. Prints a table or JSON on a terminal,
and JSON elsewhere.`,
    subcommands: inShort(group),
    flags: COMMON_FLAGS,
    notes: `'svc-mock ctl <command> --help' has the options of a command, and examples.
An id may be given by its beginning, if no other begins like this.`,
    ...(words.length === 0 && {
      examples: [
        'ctl workspaces --key demo',
        'ctl clock advance --by 1h30m --key demo',
        'ctl requests --follow --key demo'
      ],
      exits: `0 done, 1 refused by the server (also a verification that fails) or output that cannot be written,
2 a mistake in the command line, 3 no answer from the server.`
    })
  })
}

function helpOfCommand(command: ControlCommand): string {
  const { usage, help, flags, examples } = command
  return helpOf({
    usage: [`ctl ${usage} [options]`],
    about: help,
    subcommands: inShort(commandsUnder(commandNameOf(command)).filter((other) => other !== command)),
    flags: { ...flags, ...COMMON_FLAGS },
    examples: examples.map((example) => `ctl ${example}`)
  })
}

/** Without the flags, which the help of each has. */
const inShort = (commands: readonly ControlCommand[]) => commands.map(({ usage, help }) => ({ usage, help }))

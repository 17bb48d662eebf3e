import { calledBy, type Command, commandNameOf, type Flags, helpOf } from './command.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { CLIENT_VARIABLES, DEFAULT_URL } from './target.js'

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

export const CTL: Command = {
  usage: ['ctl <command> [options]'],
  about: `Controls a sandbox of a running server. Prints a table or JSON on a terminal,
and JSON elsewhere.`,
  flags: COMMON_FLAGS,
  subcommands: CONTROL_COMMANDS,
  notes: `'svc-mock ctl <command> --help' has the options of a command, and examples.
A UUID may be cut, to four characters or more, if no other begins like this.`,
  examples: [
    'ctl workspaces --key demo',
    'ctl clock advance --by 1h30m --key demo',
    'ctl requests --follow --key demo'
  ],
  exits: `0 done, 1 refused by the server (also a verification that fails) or output that cannot be written,
2 a mistake in the command line, 3 no answer from the server.`,
  helpFor: (args) => {
    const words = args.filter((word) => !word.startsWith('-'))
    const command = calledBy(words, CONTROL_COMMANDS)
    return command === undefined ? helpOf({ ...CTL, subcommands: inShort(CONTROL_COMMANDS) }) : helpOfCommand(command)
  }
}

function helpOfCommand(command: ControlCommand): string {
  const { usage, help, flags, examples } = command
  const further = CONTROL_COMMANDS.filter((other) => other !== command && calledBy(commandNameOf(other), [command]))
  return helpOf({
    usage: [`ctl ${usage} [options]`],
    about: help,
    subcommands: inShort(further),
    flags: { ...flags, ...COMMON_FLAGS },
    examples: examples.map((example) => `ctl ${example}`)
  })
}

/** Without the flags, which the help of each has. */
const inShort = (commands: readonly ControlCommand[]) => commands.map(({ usage, help }) => ({ usage, help }))

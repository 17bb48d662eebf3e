import { calledBy, type Command, commandNameOf, type Flags, helpOf } from './command.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { CLIENT_VARIABLES, URL_FLAG } from './target.js'

/** The flags that all commands have. */
export const COMMON_FLAGS: Flags = {
  url: URL_FLAG,
  key: {
    value: 'KEY',
    help: `The key of the sandbox. Not needed with --auth off. Environment: ${CLIENT_VARIABLES.key}.`
  },
  token: {
    value: 'TOKEN',
    help: `The token of --control-token, if the server has one. Environment: ${CLIENT_VARIABLES.token}.`
  },
  json: { help: 'Print JSON on a terminal, too. Elsewhere, the output is always JSON.' }
}

export const CTL: Command = {
  usage: ['ctl <command> [options]'],
  about: `Controls a sandbox of a running server. Prints a table or JSON on a terminal,
and JSON elsewhere.`,
  flags: COMMON_FLAGS,
  subcommands: CONTROL_COMMANDS,
  notes: `'svc-mock ctl <command> --help' shows the options of a command, and examples.
You can shorten a UUID, for example to the eight characters before its first hyphen.`,
  examples: [
    'ctl workspaces --key demo',
    'ctl clock advance --by 1h30m --key demo',
    'ctl requests --follow --key demo'
  ],
  exits: `0 done, 1 refused by the server, or failed verification, or output that cannot be written,
2 usage error, 3 no answer from the server.`,
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

/** Without flags, which the help of each command lists. */
const inShort = (commands: readonly ControlCommand[]) => commands.map(({ usage, help }) => ({ usage, help }))

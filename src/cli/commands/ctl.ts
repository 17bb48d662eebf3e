import type { Command } from '../command.js'
import { CONTROL_COMMANDS } from '../ctl-commands.js'
import { aboutCommand, COMMON_FLAGS, helpOf } from '../ctl-help.js'

export const CTL: Command = {
  usage: ['ctl <command> [options]'],
  about: 'Controls a sandbox of a running server.',
  flags: COMMON_FLAGS,
  subcommands: CONTROL_COMMANDS,
  helpFor: (args) => aboutCommand(args, helpOf)
}

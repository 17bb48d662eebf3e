import type { Command } from '../command.js'
import { CONTROL_COMMANDS } from '../ctl-calls.js'
import { aboutCommand, COMMON_FLAGS, helpAbout } from '../ctl-help.js'

export const CTL: Command = {
  usage: ['ctl <command> [options]'],
  about: 'Controls a sandbox of a running server.',
  flags: COMMON_FLAGS,
  subcommands: CONTROL_COMMANDS,
  helpFor: (args) => aboutCommand(args, helpAbout)
}

import { type Command, helpOf, type Subcommand } from '../command.js'
import { LEARN, LEARN_FLAGS } from './learn.js'

export const PROFILE_COMMANDS: readonly Subcommand[] = [
  {
    usage: 'show',
    help: 'Print the built-in assumptions as a profile, in YAML.',
    flags: { json: { help: 'Print JSON instead.' } }
  },
  { usage: 'list', help: 'List the profiles that come with svc-mock.' },
  { usage: 'check FILE', help: 'Check a profile.' },
  { usage: 'learn FILE…', help: 'The same as svc-mock learn.', flags: LEARN_FLAGS }
]

export const PROFILE: Command = {
  usage: ['profile list', 'profile show [--json]', 'profile check FILE'],
  about: `A profile says where a service differs from svc-mock's assumptions: what it offers
and how it behaves. 'svc-mock serve --profile FILE' uses one, and 'svc-mock learn'
learns one from a real service.`,
  subcommands: PROFILE_COMMANDS,
  examples: ['profile list', 'profile show > profile.yaml', 'profile check profile.yaml'],
  helpFor: (args) => helpOf(args[0] === 'learn' ? LEARN : PROFILE)
}

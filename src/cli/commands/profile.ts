import { type Command, helpOf, type Subcommand } from '../command.js'
import { LEARN, LEARN_FLAGS } from './learn.js'

/** What can be done with profiles, without a server. */
export const PROFILE_COMMANDS: readonly Subcommand[] = [
  {
    usage: 'show',
    help: 'Print the built-in assumptions as a profile, in YAML.',
    flags: { json: { help: 'Print JSON instead.' } }
  },
  { usage: 'list', help: 'List the profiles that come with svc-mock.' },
  { usage: 'check FILE', help: 'Check a profile, and do nothing else.' },
  { usage: 'learn FILE…', help: 'The same as svc-mock learn.', flags: LEARN_FLAGS }
]

export const PROFILE: Command = {
  usage: ['profile list', 'profile show [--json]', 'profile check FILE'],
  about: `A profile says what the service offers and how it behaves, where that is not as
svc-mock assumes. 'svc-mock serve --profile FILE' uses it, and 'svc-mock learn'
writes one from what a service does.`,
  subcommands: PROFILE_COMMANDS,
  examples: ['profile list', 'profile show > profile.yaml', 'profile check profile.yaml'],
  helpFor: (args) => helpOf(args[0] === 'learn' ? LEARN : PROFILE)
}

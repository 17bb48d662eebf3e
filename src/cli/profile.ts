import { builtInWording } from '../http/vocabulary.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { openProfile } from '../profile/file.js'
import { BUILT_IN, toProfileDocument } from '../profile/profile.js'
import { STATES } from '../resources/states.js'
import { asksForHelp, parseCommandLine, UsageError } from './usage.js'

/** What can be done with profiles, without a server. */
export const PROFILE_COMMANDS = {
  show: 'Print the built-in assumptions as a profile, in YAML.',
  check: 'Check a profile, and do nothing else.',
  learn: "Write a profile from a service's own OpenAPI document."
} as const

export const JSON_HELP = 'Print JSON instead.'

const HELP = `Usage: svc-mock profile show [--json]
       svc-mock profile check FILE
       svc-mock profile learn --openapi FILE [--out FILE [--force]]

A profile says what the service offers and how it behaves, where that is not as
svc-mock assumes. 'svc-mock serve --profile FILE' uses it.

Commands:
  show        ${PROFILE_COMMANDS.show}
  check FILE  ${PROFILE_COMMANDS.check}
  learn       ${PROFILE_COMMANDS.learn}
              'svc-mock profile learn --help' lists its options.

Options:
  --json
      ${JSON_HELP}

Examples:
  svc-mock profile show > profile.yaml
  svc-mock profile check profile.yaml`

const builtIn = () => toProfileDocument(BUILT_IN, STATES)

/** Shows the built-in profile, checks one, or learns one. @returns the exit code */

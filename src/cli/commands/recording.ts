import type { Command, Flag, Subcommand } from '../command.js'
import { DEFAULT_URL } from '../target.js'

const json: Flag = { help: 'Print JSON instead.' }
const profile: Flag = { value: 'FILE', help: 'The profile that the server had.' }
const at: Flag = { value: 'MOMENT', help: 'A step.' }

/** What can be done with a recording. */
export const RECORDING_COMMANDS: readonly Subcommand[] = [
  { usage: 'info FILE', help: 'Show what a recording is about.', flags: { json } },
  { usage: 'steps FILE', help: 'List the steps.', flags: { json } },
  { usage: 'state FILE', help: 'Print the state document after a step.', flags: { at, profile } },
  {
    usage: 'diff FILE',
    help: 'Show the differences between the states after two steps.',
    flags: {
      from: { value: 'MOMENT', help: 'The earlier step.' },
      to: { value: 'MOMENT', help: 'The later step.' },
      json,
      profile
    }
  },
  {
    usage: "find FILE 'EXPRESSION'",
    help: 'Find the first step after which an expression holds.',
    flags: { json, profile }
  },
  {
    usage: 'fork FILE',
    help: 'Bring the state after a step into a sandbox of a running server.',
    flags: {
      at,
      profile,
      key: { value: 'KEY', help: 'Key of the sandbox, whose contents are replaced.' },
      url: { value: 'URL', help: `Address of the server. Default: ${DEFAULT_URL}.` },
      token: { value: 'TOKEN', help: 'Token of its control API.' }
    }
  },
  { usage: 'har FILE', help: 'Print the requests as an HTTP Archive (HAR).' }
]

export const RECORDING: Command = {
  usage: [
    'recording info|steps FILE [--json]',
    'recording state FILE --at MOMENT',
    'recording diff FILE --from MOMENT --to MOMENT [--json]',
    "recording find FILE 'EXPRESSION' [--json]",
    'recording fork FILE --at MOMENT --key KEY',
    'recording har FILE'
  ],
  about: `Looks at a recording of a run. A moment is the
number of a step, 0 for the beginning, or a RequestID: right after that request.
An expression is JMESPath over the state document; it holds if its result is
true, or not empty.`,
  subcommands: RECORDING_COMMANDS,
  examples: [
    'recording steps run.svcmock',
    'recording state run.svcmock --at 12',
    `recording find run.svcmock "workgroups[].workspaces[?status=='Failed'][]"`
  ]
}

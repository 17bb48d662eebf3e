import type { Command, Flag, Subcommand } from '../command.js'
import { CLIENT_VARIABLES, URL_FLAG } from '../target.js'

const json: Flag = { help: 'Print JSON instead.' }
const profile: Flag = { value: 'FILE', help: 'The profile that the server had.' }
const at: Flag = { value: 'MOMENT', help: 'The moment.' }

export const RECORDING_COMMANDS: readonly Subcommand[] = [
  {
    usage: 'info FILE',
    help: 'Summarize the recording: its server, options, times and numbers of steps.',
    flags: { json }
  },
  { usage: 'steps FILE', help: 'List the steps.', flags: { json } },
  { usage: 'state FILE', help: 'Print the state document of a moment.', flags: { at, profile } },
  {
    usage: 'diff FILE',
    help: 'List the differences between the states of two moments.',
    flags: {
      from: { value: 'MOMENT', help: 'The earlier moment.' },
      to: { value: 'MOMENT', help: 'The later moment.' },
      json,
      profile
    }
  },
  {
    usage: "find FILE 'EXPRESSION'",
    help: 'Print the first step after which an expression holds.',
    flags: { json, profile }
  },
  {
    usage: 'fork FILE',
    help: 'Replace the contents of a sandbox in a running server by the state of a moment.',
    flags: {
      at,
      profile,
      key: { value: 'KEY', help: 'Key of the sandbox.' },
      url: URL_FLAG,
      token: { value: 'TOKEN', help: `Token of its control API. Environment: ${CLIENT_VARIABLES.token}.` }
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
  about: `Inspects a recording of a run. A moment is the number of a step, 0 for the
beginning, or a RequestID: right after that request. An expression is JMESPath
over the state document; it holds if its result is true, a number other than 0,
or not empty.`,
  subcommands: RECORDING_COMMANDS,
  examples: [
    'recording steps run.svcmock',
    'recording state run.svcmock --at 12',
    `recording find run.svcmock "workgroups[].workspaces[?status=='Failed'][]"`
  ]
}

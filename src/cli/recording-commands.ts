/** What can be done with a recording. */
export const RECORDING_COMMANDS = {
  info: 'Show what a recording is about.',
  steps: 'List the steps.',
  state: 'Print the state document after a step.',
  diff: 'Show the differences between the states after two steps.',
  find: 'Find the first step after which an expression holds.',
  fork: 'Bring the state after a step into a sandbox of a running server.',
  har: 'Print the requests as an HTTP Archive (HAR).'
} as const

/** Its commands. */
export type RecordingCommand = keyof typeof RECORDING_COMMANDS

interface Flag {
  readonly help: string
  /** Absent: a switch. */
  readonly placeholder?: string
  /** The commands that have it. */
  readonly of: readonly RecordingCommand[]
}

/** Options of the commands. */
export const RECORDING_FLAGS: Readonly<Record<string, Flag>> = {
  at: { placeholder: 'MOMENT', help: 'A step.', of: ['state', 'fork'] },
  from: { placeholder: 'MOMENT', help: 'The earlier step.', of: ['diff'] },
  to: { placeholder: 'MOMENT', help: 'The later step.', of: ['diff'] },
  json: { help: 'Print JSON instead.', of: ['info', 'steps', 'diff', 'find'] },
  profile: {
    placeholder: 'FILE',
    help: 'The profile that the server had.',
    of: ['state', 'diff', 'find', 'fork']
  },
  key: { placeholder: 'KEY', help: 'Key of the sandbox, whose contents are replaced.', of: ['fork'] },
  url: { placeholder: 'URL', help: 'Address of the server. Default: http://127.0.0.1:4700.', of: ['fork'] },
  token: { placeholder: 'TOKEN', help: 'Token of its control API.', of: ['fork'] }
}

import { CLOCK_MODES } from '../../sim/clock.js'
import { serverOptionsHelp } from '../client-command.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'
import { CLIENT_VARIABLES } from '../target.js'

/** The options of the command besides those of the server. */
export const RUN_FLAGS = {
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command, in which {url} and {key} stand for those of the server. Repeatable.',
    isList: true
  },
  'virtual-time': {
    help:
      'Waiting takes no time: while all of the client sleeps, the clock jumps. For programs in Node and Python; for ' +
      'others, use --clock poll or --rate.'
  },
  clock: {
    value: CLOCK_MODES.join('|'),
    help: 'How the clock of the sandbox runs; poll: every poll leads to the next state.'
  },
  rate: { value: 'N', help: 'Seconds of the sandbox per second of the machine.' },
  record: {
    value: 'FILE',
    help: 'Write a recording of the run, for svc-mock recording. With --url, what the memory of the server has.'
  },
  url: { value: 'URL', help: 'Use the server that runs there, instead of one of its own.' },
  key: { value: 'KEY', help: 'The key of the sandbox. Default: a new one.' },
  token: {
    value: 'TOKEN',
    help: `With --url: the token of its --control-token. Environment: ${CLIENT_VARIABLES.token}.`
  }
} as const satisfies Flags

export const RUN: Command = {
  usage: ['run [options] -- COMMAND [ARGUMENT…]'],
  about: `Runs a command with a server of its own: in memory, on a free port, gone at the
end. The command finds it by SVC_MOCK_URL and SVC_MOCK_KEY; in its arguments,
{url} and {key} stand for them. A summary follows on standard error.`,
  flags: RUN_FLAGS,
  server: {
    options: ALL_OPTIONS,
    help: () => `Options of the server (not with --url), which is in memory, on a free port and
silent by default:
${serverOptionsHelp([...Object.keys(RUN_FLAGS), 'record-keep'])}`
  },
  examples: [
    'run -- npm test',
    'run --seed-file seed.yaml --env API_URL={url} -- pytest tests',
    'run --virtual-time --transitions realistic -- python3 provision.py',
    "run --demo -- curl -H 'x-api-key: {key}' {url}/controller/v4/v2/workgroups"
  ],
  exits: `that of the command; 128 and the number of the signal that ended it;
127 if it does not exist, 126 if it cannot be run, 2 for a mistake in the options.`
}

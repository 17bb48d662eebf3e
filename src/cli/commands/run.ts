import { CLOCK_MODES } from '../../sim/clock.js'
import { serverOptionsHelp } from '../client-command.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'
import { CLIENT_VARIABLES } from '../target.js'

/** The command's own options. */
export const RUN_FLAGS = {
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command. {url} and {key} in it are those of the server. Repeatable.',
    isList: true
  },
  'virtual-time': {
    help:
      'Waits take no time: while the whole client sleeps, the clock jumps. For programs in Node and Python; for ' +
      'others, use --clock poll or --rate.'
  },
  clock: {
    value: CLOCK_MODES.join('|'),
    help: "How the sandbox's clock runs; poll: every poll shows the next state."
  },
  rate: { value: 'N', help: "How many times as fast as real time the sandbox's clock runs." },
  record: {
    value: 'FILE',
    help: 'Write a recording of the run, for svc-mock recording. With --url: of what the server has in memory.'
  },
  url: { value: 'URL', help: 'Use the running server at this address, instead of a new one.' },
  key: { value: 'KEY', help: 'Key of the sandbox. Default: a new one.' },
  token: {
    value: 'TOKEN',
    help: `With --url: the token of its control API. Environment: ${CLIENT_VARIABLES.token}.`
  }
} as const satisfies Flags

export const RUN: Command = {
  usage: ['run [options] -- COMMAND [ARGUMENT…]'],
  about: `Runs a command with its own server: in memory, on a free port, and gone at the
end. The command finds it in SVC_MOCK_URL and SVC_MOCK_KEY; in its arguments,
{url} and {key} stand for them. Prints a summary on standard error at the end.`,
  flags: RUN_FLAGS,
  server: {
    options: ALL_OPTIONS,
    help: () => `Options of the server (not with --url). By default, it is in memory, on a free
port, and silent:
${serverOptionsHelp([...Object.keys(RUN_FLAGS), 'record-keep'])}`
  },
  examples: [
    'run -- npm test',
    'run --seed-file seed.yaml --env API_URL={url} -- pytest tests',
    'run --virtual-time --transitions realistic -- python3 provision.py',
    "run --demo -- curl -H 'x-api-key: {key}' {url}/controller/v4/v2/workgroups"
  ],
  exits: `that of the command, or 128 plus the number of the signal that ended it;
127 if it does not exist, 126 if it cannot be run, 1 if its server cannot start or does
not answer, 2 usage error.`
}

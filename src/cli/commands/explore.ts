import { PLAN_NAMES } from '../../explore/plans.js'
import { EXPLORE_DEFAULTS } from '../../node/explore-defaults.js'
import { embeddedDefaults, type Options } from '../../options.js'
import { serverOptionsHelp } from '../client-command.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'

/** The options of the command besides those of the server. */
export const EXPLORE_FLAGS = {
  report: { value: 'DIR', help: 'Folder for the results, without other files.', default: 'explore' },
  only: { value: 'PLAN', help: `A kind of plan to try: ${PLAN_NAMES.join(', ')}. Repeatable.`, isList: true },
  except: { value: 'PLAN', help: 'A kind of plan to leave out. Repeatable.', isList: true },
  'max-plans': { value: 'N', help: 'Maximum number of plans. Default: all.' },
  budget: { value: 'DURATION', help: 'After this time, no plan is begun. Default: none.' },
  timeout: { value: 'DURATION', help: 'How long one run of the command may take.', default: '20s' },
  'virtual-time': {
    help:
      'Waiting takes no time: while all of the client sleeps, the clock jumps. For programs in Node and Python, ' +
      'also those that another one starts. Default: if the command is one of these, or a shell that starts one.'
  },
  'real-time': { help: 'Waiting takes as long as it says.' },
  'virtual-timeout': {
    value: 'DURATION',
    help: 'With virtual time: how much of it one run of the command may take.',
    // Three times as long, few careful clients wait. It is short enough for one that polls every second.
    default: '1h'
  },
  jobs: {
    value: 'N',
    help: 'How many runs at once; 1 for a command that cannot run twice at a time.',
    // Clients wait most of the time, so there may be more than there are cores.
    default: '4'
  },
  pairs: { help: 'Try a second fault, too, at calls that only a first one brings about.' },
  recover: {
    value: 'COMMAND',
    help: 'A command line for sh that recovers after the command was killed or failed half-way. Default: the command.'
  },
  'fresh-recovery': { help: 'Who is run again gets another empty {dir}, instead of that of the first run.' },
  'one-shot': { help: 'Each run may make copies of its own, also after one that has failed.' },
  against: {
    value: 'COMMAND',
    help: 'A command line for sh that is another version of the client: say what has become better or worse since.'
  },
  since: { value: 'FILE', help: 'A report.json: say what has become better or worse since.' },
  contract: { value: 'FILE', help: 'Say whether the client sends calls again as this file, in JSON or YAML, asks.' },
  why: { value: 'SYMPTOM', help: 'Say which plans bring this about, as in "two workspaces named main".' },
  baseline: { value: 'FILE', help: 'A report.json; findings that it has are left out.' },
  replay: { value: 'FILE', help: 'Try only the plan in this file, with the command in it if none is given.' },
  stay: { help: 'With --replay: leave the server up, until Ctrl-C.' },
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command, in which {url}, {key} and {dir} stand for those of the run. Repeatable.',
    isList: true
  },
  cwd: { value: 'DIR', help: 'Folder of the command; {dir} is an empty one for each run. Default: this one.' }
} as const satisfies Flags

/** The options of its server that are not given. */
export const EXPLORE_SERVER: Options = { ...embeddedDefaults(), ...EXPLORE_DEFAULTS }

export const EXPLORE: Command = {
  usage: [
    'explore [options] -- COMMAND [ARGUMENT…]',
    'explore why SYMPTOM [options] -- COMMAND [ARGUMENT…]',
    'explore --replay FILE [options]'
  ],
  about: `Runs a command, such as the test of a client, again and again, each time with
one thing going wrong at one call. Compares what is left at the end with a run
in which nothing goes wrong, and writes a report and a plan for each finding,
which --replay repeats. The command finds the server by SVC_MOCK_URL and
SVC_MOCK_KEY; in its arguments, {url}, {key} and {dir} stand for the address,
the key, and a folder for what belongs to the run, which is also its TMPDIR.`,
  flags: EXPLORE_FLAGS,
  server: {
    options: ALL_OPTIONS,
    help: () => `Options of the server, which is in memory and on a free port; by default,
transitions are instant, and take a moment in virtual time:
${serverOptionsHelp(Object.keys(EXPLORE_FLAGS), EXPLORE_SERVER)}`
  },
  examples: [
    'explore -- npm test',
    'explore --only lost --only killed-after -- python3 provision.py',
    'explore --baseline known.json --report results -- ./deploy.sh',
    'explore why "hung in Creating" -- ./deploy.sh',
    'explore --replay explore/plan-017.json --stay'
  ],
  exits: `0 nothing found, 1 something found (with --against and --since: something worse; with
why: no plan), 2 it could not be judged, or a mistake in the command line.`
}

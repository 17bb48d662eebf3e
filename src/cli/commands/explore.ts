import { PLAN_NAMES } from '../../explore/plans.js'
import { EXPLORE_DEFAULTS } from '../../node/explore-defaults.js'
import { embeddedDefaults, type Options } from '../../options.js'
import { serverOptionsHelp } from '../client-command.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'

/** The command's own options. */
export const EXPLORE_FLAGS = {
  report: { value: 'DIR', help: 'Folder for the results. It must not have other files.', default: 'explore' },
  only: { value: 'PLAN', help: `A kind of plan to try: ${PLAN_NAMES.join(', ')}. Repeatable.`, isList: true },
  except: { value: 'PLAN', help: 'A kind of plan to skip. Repeatable.', isList: true },
  'max-plans': { value: 'N', help: 'Maximum number of plans. Default: all.' },
  budget: { value: 'DURATION', help: 'Begin no plan after this time. Default: no limit.' },
  timeout: { value: 'DURATION', help: 'How long one run of the command may take.', default: '20s' },
  'virtual-time': {
    help:
      'Waits take no time: while the whole client sleeps, the clock jumps. For programs in Node and Python, even if ' +
      'another one starts them. On by default if the command is or starts one, and does not fail in virtual time.'
  },
  'real-time': { help: 'Waits take real time.' },
  'virtual-timeout': {
    value: 'DURATION',
    help: 'How much virtual time one run of the command may take.',
    // A second attempt may take three times as long, and few careful clients wait longer than that. Longer limits would
    // be slow with a client that polls every second.
    default: '1h'
  },
  jobs: {
    value: 'N',
    help: 'Number of concurrent runs; 1 if two runs of the command would disturb each other.',
    // May exceed the number of cores, because clients mostly wait.
    default: '4'
  },
  pairs: { help: 'Also try a second fault at calls that occur only after a first one.' },
  recover: {
    value: 'COMMAND',
    help: 'A command line for sh that recovers after the command was killed or failed halfway. Default: the command.'
  },
  'fresh-recovery': {
    help: 'The run after a kill or a failure gets an empty {dir}, instead of that of the first run.'
  },
  'one-shot': { help: 'Each run may create its own copies, even after a failed one.' },
  against: {
    value: 'COMMAND',
    help: 'A command line for sh that runs another version of the client; list plans that now end better or worse.'
  },
  since: { value: 'FILE', help: 'A report.json; list plans that now end better or worse.' },
  contract: {
    value: 'FILE',
    help: 'A contract in JSON or YAML; check whether the client sends calls again as it demands.'
  },
  why: { value: 'SYMPTOM', help: 'List the plans that cause a symptom, such as "two workspaces named main".' },
  baseline: { value: 'FILE', help: 'A report.json whose findings are omitted.' },
  replay: { value: 'FILE', help: 'Try only the plan in this file. The default command is the one in the file.' },
  stay: { help: 'With --replay: keep the server up until Ctrl+C.' },
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command. {url}, {key} and {dir} in it are those of the run. Repeatable.',
    isList: true
  },
  cwd: {
    value: 'DIR',
    help: 'Working directory of the command; {dir} is an empty one per run. Default: the current one.'
  }
} as const satisfies Flags

/** The defaults of its server's options. */
export const EXPLORE_SERVER: Options = { ...embeddedDefaults(), ...EXPLORE_DEFAULTS }

export const EXPLORE: Command = {
  usage: [
    'explore [options] -- COMMAND [ARGUMENT…]',
    'explore why SYMPTOM [options] -- COMMAND [ARGUMENT…]',
    'explore --replay FILE [options]'
  ],
  about: `Runs a command, such as the test of a client, repeatedly, each time with a fault
at one call. Compares the end of each run with that of a run without any fault.
Writes a report, and a plan for each finding, which --replay repeats. The command
finds the server in SVC_MOCK_URL and SVC_MOCK_KEY; in its arguments, {url}, {key}
and {dir} stand for the address, the key, and a folder for the files of the run,
which is also its TMPDIR.`,
  flags: EXPLORE_FLAGS,
  server: {
    options: ALL_OPTIONS,
    help: () => `Options of the server, which is in memory and on a free port. By default,
transitions are instant or, in virtual time, take a moment:
${serverOptionsHelp(Object.keys(EXPLORE_FLAGS), EXPLORE_SERVER)}`
  },
  examples: [
    'explore -- npm test',
    'explore --only lost --only killed-after -- python3 provision.py',
    'explore --baseline known.json --report results -- ./deploy.sh',
    'explore why "hung in Creating" -- ./deploy.sh',
    'explore --replay explore/plan-017.json --stay'
  ],
  exits: `0 nothing found, 1 something found (with --against or --since: something worse; with
why: no plan), 2 the client could not be judged, or usage error.`
}

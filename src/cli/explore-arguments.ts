import { PLAN_NAMES } from '../explore/plans.js'
import type { PlanName } from '../explore/result.js'
import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import { EXPLORE_DEFAULTS } from '../node/explore.js'
import { embeddedDefaults, type Options } from '../options.js'
import { flagsHelp, readClientCommand, serverOptions, serverOptionsHelp, variable } from './client-command.js'
import type { Flag } from './ctl-commands.js'
import type { Environment } from './target.js'
import { UsageError } from './usage.js'

/** What `svc-mock explore` is asked for. Times are milliseconds. */
export interface ExploreRequest {
  /** The command, with placeholders. */
  readonly command: readonly string[]
  /** Another one, for a shell, that recovers; undefined: the command itself. */
  readonly recover: string | undefined
  readonly options: Options
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** Folder of the command, with placeholders; undefined: the present one. */
  readonly cwd: string | undefined
  readonly timeout: number
  /** Whether waiting takes no time; undefined: if the command is one that virtual time is for. */
  readonly isTimeVirtual: boolean | undefined
  readonly virtualTimeout: number
  readonly budget: number
  readonly jobs: number
  readonly maxPlans: number
  readonly only: readonly PlanName[] | undefined
  readonly pairs: boolean
  /** Folder for the results. */
  readonly report: string
  /** File of a report whose findings are known. */
  readonly baseline: string | undefined
  /** File of the only plan to try. */
  readonly replay: string | undefined
  readonly stay: boolean
}

/** The options of the command besides those of the server. */
export const EXPLORE_FLAGS: Readonly<Record<string, Flag>> = {
  report: { value: 'DIR', help: 'Folder for the results, without other files. Default: explore.' },
  only: { value: 'PLAN', help: `A kind of plan to try: ${PLAN_NAMES.join(', ')}. Repeatable.`, isList: true },
  'max-plans': { value: 'N', help: 'Maximum number of plans. Default: all.' },
  budget: { value: 'DURATION', help: 'After this time, no plan is begun. Default: none.' },
  timeout: { value: 'DURATION', help: 'How long one run of the command may take. Default: 20s.' },
  'virtual-time': {
    help:
      'Waiting takes no time: while all of the client sleeps, the clock jumps. For programs in Node and Python, ' +
      'also those that another one starts. Default: if the command is one of these.'
  },
  'real-time': { help: 'Waiting takes as long as it says.' },
  'virtual-timeout': {
    value: 'DURATION',
    help: 'With virtual time: how much of it one run of the command may take. Default: 1h.'
  },
  jobs: {
    value: 'N',
    help: 'How many runs at once; 1 for a command that cannot run twice at a time. Default: 4.'
  },
  pairs: { help: 'Try a second fault, too, at calls that only a first one brings about.' },
  recover: {
    value: 'COMMAND',
    help: 'A command line for sh that recovers after the command was killed or failed half-way. Default: the command.'
  },
  baseline: { value: 'FILE', help: 'A report.json; findings that it has are left out.' },
  replay: { value: 'FILE', help: 'Try only the plan in this file.' },
  stay: { help: 'With --replay: leave the server up, until Ctrl-C.' },
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command, in which {url}, {key} and {dir} stand for those of the run. Repeatable.',
    isList: true
  },
  cwd: { value: 'DIR', help: 'Folder of the command; {dir} is an empty one for each run. Default: this one.' }
}

/** Those of its server. */
const DEFAULTS: Options = { ...embeddedDefaults(), ...EXPLORE_DEFAULTS }

export const EXPLORE_HELP = `Usage: svc-mock explore [options] -- COMMAND [ARGUMENT…]

Runs a command, such as the test of a client, again and again, each time with
one thing going wrong at one call. Compares what is left at the end with a run
in which nothing goes wrong, and writes a report and a plan for each finding,
which --replay repeats. The command finds the server by SVC_MOCK_URL and
SVC_MOCK_KEY; in its arguments, {url}, {key} and {dir} stand for the address,
the key, and a folder for what belongs to the run, which is also its TMPDIR.

Options:
${flagsHelp(EXPLORE_FLAGS)}

Options of the server, which is in memory and on a free port; by default,
transitions are instant:
${serverOptionsHelp(Object.keys(EXPLORE_FLAGS), DEFAULTS)}

Examples:
  svc-mock explore -- npm test
  svc-mock explore --only lost --only killed-after -- python3 provision.py
  svc-mock explore --baseline known.json --report results -- ./deploy.sh
  svc-mock explore --replay explore/plan-017.json --stay -- npm test

Exit codes: 0 nothing found, 1 something found, 2 it could not be judged, or a
mistake in the command line.`

const TIMEOUT = '20s'
/** Three times as long, few careful clients wait. It is short enough for one that polls every second. */
const VIRTUAL_TIMEOUT = '1h'
/** Clients wait most of the time, so there may be more than there are cores. */
const JOBS = 4

/** Reads the command line. @throws {UsageError} naming the first thing that is wrong */
export function readExploreRequest(args: readonly string[], env: Environment): ExploreRequest {
  const lacksCommand = 'give the command after --, as in svc-mock explore -- npm test'
  const { values, forServer, command } = readClientCommand(args, EXPLORE_FLAGS, lacksCommand)
  const given = values as Readonly<Record<string, string | undefined>>
  const lists = values as { readonly env?: string[]; readonly only?: string[] }
  const flags = values as Readonly<Record<string, boolean | undefined>>
  const { recover, report = 'explore', baseline, replay, cwd } = given
  if (flags['stay'] === true && replay === undefined) throw new UsageError('--stay has a meaning only with --replay')
  const isVirtual = flags['virtual-time'] === true
  const isReal = flags['real-time'] === true
  if (isVirtual && isReal) throw new UsageError('--virtual-time and --real-time exclude each other')
  for (const [name, value] of Object.entries({ report, cwd, recover, baseline, replay }))
    if (value === '') throw new UsageError(`--${name} must not be empty`)
  const options = serverOptions(forServer, env, DEFAULTS)
  if (options.auth !== 'any') throw new UsageError('--auth must be any: each run has a sandbox, and a key, of its own')
  return {
    command,
    recover,
    options,
    variables: (lists.env ?? []).map(variable),
    cwd,
    timeout: durationOf('timeout', given['timeout'] ?? TIMEOUT),
    isTimeVirtual: isVirtual || isReal ? isVirtual : undefined,
    virtualTimeout: durationOf('virtual-timeout', given['virtual-timeout'] ?? VIRTUAL_TIMEOUT),
    budget: given['budget'] === undefined ? Infinity : durationOf('budget', given['budget']),
    jobs: countOf('jobs', given['jobs']) ?? JOBS,
    maxPlans: countOf('max-plans', given['max-plans']) ?? Infinity,
    only: lists.only?.map(planName),
    pairs: flags['pairs'] === true,
    report,
    baseline,
    replay,
    stay: flags['stay'] === true
  }
}

function durationOf(name: string, text: string): number {
  const duration = parseDuration(text)
  const milliseconds = duration === undefined ? 0 : lengthOf(duration)
  if (milliseconds > 0) return milliseconds
  throw new UsageError(`--${name} must be a duration ${DURATION_FORMS}, and more than zero, but is ${text}`)
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number from 1 to 999999, but is ${text}`)
}

function planName(text: string): PlanName {
  if (PLAN_NAMES.includes(text as PlanName)) return text as PlanName
  throw new UsageError(`--only must be one of ${PLAN_NAMES.join(', ')}, but is ${text}`)
}

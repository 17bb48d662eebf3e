import { PLAN_NAMES, USUAL_PLANS } from '../explore/plans.js'
import type { PlanName } from '../explore/result.js'
import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import type { Options } from '../options.js'
import { readClientCommand, serverOptions, variable } from './client-command.js'
import { EXPLORE_FLAGS, EXPLORE_SERVER } from './commands/explore.js'
import type { Environment } from './target.js'
import { UsageError } from './usage.js'

/** What `svc-mock explore` is asked for. Times are milliseconds. */
export interface ExploreRequest {
  /** The command, with placeholders; empty: that of the plan to replay. */
  readonly command: readonly string[]
  /** Another one, for a shell, that recovers; undefined: the command itself. */
  readonly recover: string | undefined
  /** Another version of it, for a shell. */
  readonly against: string | undefined
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
  readonly only: readonly PlanName[]
  readonly pairs: boolean
  /** Whether it is meant that each run makes copies of its own. */
  readonly oneShot: boolean
  /** Whether a run that follows another one has a folder of its own. */
  readonly isRecoveryFresh: boolean
  /** File of a report to compare with. */
  readonly since: string | undefined
  /** File of a contract to hold the client to. */
  readonly contract: string | undefined
  /** What to explain, instead of telling what was found. */
  readonly why: string | undefined
  /** Folder for the results. */
  readonly report: string
  /** File of a report whose findings are known. */
  readonly baseline: string | undefined
  /** File of the only plan to try. */
  readonly replay: string | undefined
  readonly stay: boolean
}

/** Reads the command line. @throws {UsageError} naming the first thing that is wrong */
export function readExploreRequest(args: readonly string[], env: Environment): ExploreRequest {
  const [first, ...rest] = args
  const { values, forServer, command } = readClientCommand(first === 'why' ? ['--why', ...rest] : args, EXPLORE_FLAGS)
  const given = values as Readonly<Record<string, string | undefined>>
  const { env: variables, only, except } = values as Readonly<Record<'env' | 'only' | 'except', readonly string[]>>
  const flags = values as Readonly<Record<string, boolean | undefined>>
  const { recover, against, since, contract, why, report = '', baseline, replay, cwd } = given
  if (command.length === 0 && replay === undefined)
    throw new UsageError('give the command after --, as in svc-mock explore -- npm test')
  if (flags['stay'] === true && replay === undefined) throw new UsageError('--stay has a meaning only with --replay')
  const isVirtual = flags['virtual-time'] === true
  const isReal = flags['real-time'] === true
  if (isVirtual && isReal) throw new UsageError('--virtual-time and --real-time exclude each other')
  const modes = Object.entries({ against, since, contract, why, replay }).filter(([, value]) => value !== undefined)
  if (modes.length > 1) throw new UsageError(`${modes.map(([name]) => `--${name}`).join(' and ')} exclude each other`)
  for (const [name, value] of Object.entries({ report, cwd, recover, against, since, contract, why, baseline, replay }))
    if (value === '') throw new UsageError(`--${name} must not be empty`)
  const options = serverOptions(forServer, env, EXPLORE_SERVER)
  if (options.auth !== 'any') throw new UsageError('--auth must be any: each run has a sandbox, and a key, of its own')
  return {
    command,
    recover,
    against,
    since,
    contract,
    why,
    options,
    variables: variables.map(variable),
    cwd,
    timeout: durationOf('timeout', given['timeout']!),
    isTimeVirtual: isVirtual || isReal ? isVirtual : undefined,
    virtualTimeout: durationOf('virtual-timeout', given['virtual-timeout']!),
    budget: given['budget'] === undefined ? Infinity : durationOf('budget', given['budget']),
    jobs: countOf('jobs', given['jobs'])!,
    maxPlans: countOf('max-plans', given['max-plans']) ?? Infinity,
    only: chosenPlans(only, except),
    pairs: flags['pairs'] === true,
    oneShot: flags['one-shot'] === true,
    isRecoveryFresh: flags['fresh-recovery'] === true,
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

function chosenPlans(only: readonly string[], except: readonly string[]): PlanName[] {
  for (const [flag, names] of Object.entries({ only, except }))
    for (const name of names)
      if (!PLAN_NAMES.includes(name as PlanName))
        throw new UsageError(`--${flag} must be one of ${PLAN_NAMES.join(', ')}, but is ${name}`)
  const asked = only.length === 0 ? USUAL_PLANS : PLAN_NAMES.filter((name) => only.includes(name))
  const chosen = asked.filter((name) => !except.includes(name))
  if (chosen.length === 0) throw new UsageError('--only and --except leave no kind of plan')
  return chosen
}

import { PLAN_NAMES, type PlanName, USUAL_PLANS } from '../explore/plans.js'
import { readClientCommand, serverOptions, variable } from './client-command.js'
import { EXPLORE_FLAGS, EXPLORE_SERVER } from './commands/explore.js'
import type { Environment } from './target.js'
import { durationOf, UsageError, wholeNumberOf } from './usage.js'

/** The arguments of `svc-mock explore`. Times are milliseconds. */
export type ExploreRequest = ReturnType<typeof readExploreRequest>

const MOST = 999_999

/** Reads the command line. @throws {UsageError} naming the first mistake */
export function readExploreRequest(args: readonly string[], env: Environment) {
  const [first, ...rest] = args
  const { values, forServer, command } = readClientCommand(first === 'why' ? ['--why', ...rest] : args, EXPLORE_FLAGS)
  const { recover, against, since, contract, why, report, baseline, replay, cwd, stay = false } = values
  const { 'virtual-time': isVirtual = false, 'real-time': isReal = false, 'max-plans': maxPlans, budget } = values
  if (command.length === 0 && replay === undefined)
    throw new UsageError('give the command after --, as in svc-mock explore -- npm test')
  if (stay && replay === undefined) throw new UsageError('--stay needs --replay')
  if (isVirtual && isReal) throw new UsageError('--virtual-time and --real-time exclude each other')
  const modes = Object.entries({ against, since, contract, why, replay }).filter(([, value]) => value !== undefined)
  if (modes.length > 1) throw new UsageError(`${modes.map(([name]) => `--${name}`).join(' and ')} exclude each other`)
  const texts = { report, cwd, recover, against, since, contract, why, baseline, replay }
  for (const [name, value] of Object.entries(texts))
    if (value === '') throw new UsageError(`--${name} must not be empty`)
  const options = serverOptions(forServer, env, EXPLORE_SERVER)
  if (options.auth !== 'any') throw new UsageError('--auth must be any, because each run has its own sandbox and key')
  return {
    ...texts,
    /** Has placeholders; empty: the plan to replay has it. */
    command,
    options,
    variables: values.env.map(variable),
    timeout: durationOf('--timeout', values.timeout),
    /** undefined: depends on the command. */
    isTimeVirtual: isVirtual || isReal ? isVirtual : undefined,
    virtualTimeout: durationOf('--virtual-timeout', values['virtual-timeout']),
    budget: budget === undefined ? Infinity : durationOf('--budget', budget),
    jobs: wholeNumberOf('--jobs', values.jobs, 1, MOST),
    maxPlans: maxPlans === undefined ? Infinity : wholeNumberOf('--max-plans', maxPlans, 1, MOST),
    only: chosenPlans(values.only, values.except),
    pairs: values.pairs === true,
    oneShot: values['one-shot'] === true,
    isRecoveryFresh: values['fresh-recovery'] === true,
    stay
  }
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

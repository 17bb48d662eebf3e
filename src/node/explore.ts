import { pino } from 'pino'
import { Exploration, type Settings } from '../explore/explore.js'
import { idsIn, isReport, titleOf } from '../explore/findings.js'
import { PLAN_NAMES, type PlanName } from '../explore/plans.js'
import type { ExploreProgress, ExploreReport } from '../explore/result.js'
import type { Attempt, Outcome } from '../explore/run.js'
import { BareError, callSite } from '../lib/call-site.js'
import { sandboxIdOf } from '../lib/secrets.js'
import { DURATION_FORMS, lengthOf, parseDuration, sleep } from '../lib/time.js'
import { typeName } from '../lib/type-name.js'
import { checkOptions, embeddedDefaults, OptionError } from '../options.js'
import { throwingAt } from '../test-control/handle/from-caller.js'
import type { SandboxHandle } from '../test-control/handle/handle.js'
import type { Options, StateDocument } from '../test-control/handle/types.js'
import { EXPLORE_DEFAULTS } from './explore-defaults.js'
import { sandboxInside } from './inside.js'
import { listen } from './serve.js'

/** The server of one run, as its client gets it. */
export interface ExploreSession extends Pick<SandboxHandle, 'url' | 'key' | 'headers' | 'call'> {
  /** Aborted when the run ends before the client does. */
  readonly signal: AbortSignal
}

/** A client, which resolves if it has succeeded, and rejects if it has failed. */
export type ExploreClient = (session: ExploreSession) => Promise<unknown>

/** Registers a test, as `test()` of a test runner or `t.test()` does. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown

/** How to explore. */
export interface ExploreOptions {
  /** The state from which each run starts. */
  readonly seed?: StateDocument
  /** Options of the server. */
  readonly server?: Partial<Options>
  /** The kinds of plans to try; by default all but `beside`. */
  readonly plans?: readonly PlanName[]
  readonly maxPlans?: number
  /** Maximum duration of one run; by default 5 s. */
  readonly timeout?: string
  /** Duration after which no plan is started; all are with `test`. */
  readonly budget?: string
  /** Number of parallel plans; by default one, so that the client may have state of its own. */
  readonly jobs?: number
  /** Whether to try a second fault at calls that only occur after a first one; never with `test`. */
  readonly pairs?: boolean
  /** Runs after a killed or failed run, instead of the client itself. */
  readonly recover?: ExploreClient
  /** Whether each run is meant to make copies of its own, even after a failed one. */
  readonly oneShot?: boolean
  /** A report whose findings are omitted. */
  readonly baseline?: ExploreReport
  /** Makes a test of each plan, which fails on a finding: `test` of node:test, tap (`t.test`) or Vitest. */
  readonly test?: RegisterTest
  readonly onProgress?: (progress: ExploreProgress) => void
}

/** A client does not survive a plan. */
export class FindingError extends BareError {
  override readonly name = 'FindingError'
}

/**
 * Runs a client again and again, each time with a fault at one call, and compares the state at the end with that of a
 * run without faults.
 * @throws {ExploreError} if the client cannot be judged: it fails without a fault, or never does the same twice
 * @throws {OptionError} if an option is invalid
 */
export async function explore(client: ExploreClient, options: ExploreOptions = {}): Promise<ExploreReport> {
  return throwingAt(callSite(explore), () => exploreWith(client, options))
}

async function exploreWith(client: ExploreClient, options: ExploreOptions): Promise<ExploreReport> {
  checkType('client', client, 'a function')
  checkType('options', options, 'an object')
  const { seed, server: given = {}, test, recover } = options
  const settings = settingsOf(options)
  const server = await listen(
    checkOptions({ ...EXPLORE_DEFAULTS, ...given }, embeddedDefaults()),
    pino({ level: 'silent' })
  )
  const close = () => {
    // A client that hangs keeps its connections.
    server.closeConnections()
    return server.close()
  }
  try {
    const { plane, url } = server
    const handleOf = (key?: string) => sandboxInside(plane, url, key)
    const baseline = handleOf()
    if (seed === undefined) await baseline.clock.read()
    else
      await baseline.seed(seed).catch((error: unknown) => {
        throw new OptionError(`seed must be a state document: ${reasonOf(error)}`)
      })
    const exploration = await Exploration.begin(
      plane,
      plane.sandboxes.find(sandboxIdOf(baseline.key))!,
      { attempt: attemptOf(client, handleOf), recover: recover && attemptOf(recover, handleOf) },
      settings
    )
    if (test === undefined) await exploration.all()
    else if (!(await asTests(exploration, test, close))) return exploration.report
    await close()
    return exploration.report
  } catch (error) {
    await close()
    throw error
  }
}

const TYPES: Readonly<Record<keyof ExploreOptions, string>> = {
  seed: 'an object',
  server: 'an object',
  plans: 'an array',
  maxPlans: 'a number',
  timeout: 'a string',
  budget: 'a string',
  jobs: 'a number',
  pairs: 'a boolean',
  recover: 'a function',
  oneShot: 'a boolean',
  baseline: 'an object',
  test: 'a function',
  onProgress: 'a function'
}

function checkType(name: string, value: unknown, type: string): void {
  if (typeName(value) !== type) throw new OptionError(`${name} must be ${type}, not ${typeName(value)}`)
}

function settingsOf(options: ExploreOptions): Settings {
  for (const [name, value] of Object.entries(options) as [keyof ExploreOptions, unknown][]) {
    if (!Object.hasOwn(TYPES, name)) throw new OptionError(`there is no option ${name}`)
    if (value !== undefined) checkType(name, value, TYPES[name])
  }
  const {
    plans,
    maxPlans = Infinity,
    jobs = 1,
    pairs = false,
    oneShot = false,
    timeout = '5s',
    budget,
    baseline,
    onProgress
  } = options
  if (baseline !== undefined && !isReport(baseline))
    throw new OptionError('baseline must be a report that explore() returned, of format 1')
  const unknown = plans?.length === 0 ? 'none' : plans?.find((name) => !PLAN_NAMES.includes(name))
  if (unknown !== undefined) throw new OptionError(`plans must be some of ${PLAN_NAMES.join(', ')}, not ${unknown}`)
  for (const [name, value] of Object.entries({ maxPlans, jobs }))
    if (!(value >= 1 && value === Math.floor(value)))
      throw new OptionError(`${name} must be a whole number, at least 1`)
  return {
    timeout: millisecondsOf('timeout', timeout),
    budget: budget === undefined ? Infinity : millisecondsOf('budget', budget),
    jobs,
    maxPlans,
    only: plans,
    pairs,
    oneShot,
    ...(baseline === undefined ? {} : { known: new Set(idsIn(baseline)) }),
    onProgress
  }
}

function millisecondsOf(name: string, text: string): number {
  const duration = parseDuration(text)
  const milliseconds = duration === undefined ? 0 : lengthOf(duration)
  if (milliseconds > 0) return milliseconds
  throw new OptionError(`${name} must be a duration ${DURATION_FORMS}, and more than zero`)
}

/** Runs a function as a client. If it does not end in time, its calls never return. */
function attemptOf(client: ExploreClient, handleOf: (key: string) => SandboxHandle): Attempt {
  return async ({ key, signal }) => {
    const { url, headers, call } = handleOf(key)
    const over = new Promise<never>(() => undefined)
    const untilAborted = (async (...input: Parameters<typeof call>) => {
      const [reply] = await Promise.allSettled([signal.aborted ? over : withTimeout(call(...input))])
      if (signal.aborted) return over
      if (reply.status === 'rejected') throw reply.reason
      return reply.value
    }) as typeof call
    const session: ExploreSession = { url, key, headers, call: untilAborted, signal }
    const ended = (async () => client(session))().then(
      (): Outcome => ({ isDone: true }),
      (error: unknown): Outcome => ({ isDone: false, reason: reasonOf(error) })
    )
    const aborted = new Promise<Outcome>((resolve) =>
      signal.addEventListener('abort', () => resolve({ isDone: false, reason: '' }))
    )
    return Promise.race([ended, aborted])
  }
}

const CALL_TIMEOUT_MS = 2000

/** Every client needs a timeout for requests; `call` brings its own. */
async function withTimeout<T>(reply: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(CALL_TIMEOUT_MS, over.signal).then(() => {
    throw new Error(`no reply within ${CALL_TIMEOUT_MS} ms`)
  })
  return Promise.race([reply, late]).finally(() => over.abort())
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0]!.slice(0, 200)
}

/**
 * Makes a test of each plan.
 * @param close called after the last one, if the runner starts none before all are registered
 * @returns whether all have ended
 */
async function asTests(exploration: Exploration, test: RegisterTest, close: () => Promise<void>): Promise<boolean> {
  const { plans } = exploration
  let begun = 0
  let isLater = false
  for (const plan of plans) {
    const ended = test(titleOf(plan), async () => {
      begun++
      const { problem } = await exploration.try(plan)
      if (isLater && begun === plans.length) await close()
      if (problem !== undefined) throw new FindingError(`${problem.kind}: ${problem.summary}`)
    })
    if (ended instanceof Promise) await ended
    else isLater = begun < plans.length
  }
  return !isLater
}

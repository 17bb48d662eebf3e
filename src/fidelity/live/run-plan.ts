import { sleep, wallTime } from '../../sim/clock.js'
import type { Exchange } from '../exchange.js'
import { callLive, canCall, type LiveTarget } from './client.js'
import { fill, lookUp, type Scope } from './placeholders.js'
import { millisecondsOf, type Plan, PlanError, type Step } from './plan.js'

/** Between two calls, in milliseconds. */
const PAUSE_MS = 200

/** Longest time that a reply may ask to wait, in milliseconds, and how often. */
const MOST_RETRY_MS = 60_000
const MOST_RETRIES = 5

/** Maximum number of calls of the steps, and again of those at the end. */
const MAX_CALLS = 500

/** Begins the names of what a plan makes. */
const OWN = 'svc-mock-'

/** What to run, and where. */
interface LiveOptions extends LiveTarget {
  readonly plan: Plan
  /** For the placeholders `values.…`. */
  readonly values?: Readonly<Record<string, string>>
  /** Called before each call. */
  readonly onStep?: (step: { readonly operation: string; readonly call: number }) => void
  /** When aborted, only the steps at the end are run. */
  readonly signal?: AbortSignal
  readonly maxCalls?: number
  /** Replaced by tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Runs a plan against a service. The steps at its end are run in any case: also after an error, when the signal is
 * aborted, and when nobody reads on.
 * @returns the exchanges as they happen, not masked
 * @throws {PlanError} after the steps at the end, if something has failed for good
 */
export async function* runPlan(options: LiveOptions): AsyncGenerator<Exchange, void, undefined> {
  const { plan, signal = new AbortController().signal } = options
  const run = new PlanRun(options)
  const end = () => run.steps(plan.finally ?? [], new AbortController().signal, true)
  let failure: { readonly error: unknown } | undefined
  let isRead = false
  try {
    yield* run.steps(plan.steps, signal, false)
    isRead = true
  } catch (error) {
    isRead = true
    failure = { error }
  } finally {
    if (!isRead) await drain(end())
  }
  yield* end()
  if (failure !== undefined) throw failure.error
}

/** Runs what nobody reads any more. */
async function drain(exchanges: AsyncGenerator<Exchange>): Promise<void> {
  while ((await exchanges.next()).done !== true);
}

class PlanRun {
  readonly #options: LiveOptions
  /** Results of the named steps. */
  readonly #results = new Map<string, unknown[]>()
  readonly #unique = `${OWN}${wallTime().toString(36)}`
  #calls = 0

  constructor(options: LiveOptions) {
    this.#options = options
  }

  /** @param isLast whether all are run, and an error is only told after the last one */
  async *steps(
    steps: readonly Step[],
    signal: AbortSignal,
    isLast: boolean
  ): AsyncGenerator<Exchange, void, undefined> {
    const last = this.#calls + (this.#options.maxCalls ?? MAX_CALLS)
    let failure: PlanError | undefined
    for (const step of steps) {
      if (!canCall(this.#options, step.operation)) continue
      for (const scope of this.#scopes(step)) {
        if (signal.aborted || this.#calls >= last) break
        try {
          yield* this.#step(step, scope, signal)
        } catch (error) {
          if (!(error instanceof PlanError) || !isLast) throw error
          failure ??= error
        }
      }
    }
    if (failure !== undefined) throw failure
  }

  /** What the placeholders of a step stand for, each time that it is run. */
  #scopes({ each, where }: Step): Scope[] {
    const named = Object.fromEntries([...this.#results].map(([name, results]) => [name, results.at(-1)]))
    const scope = { ...named, values: this.#options.values ?? {}, unique: this.#unique }
    if (each === undefined) return [scope]
    const [name = '', ...path] = each.split('.')
    const fields = Object.entries(fill(where ?? {}, scope) ?? {})
    return (this.#results.get(name) ?? [])
      .flatMap((result) => (Array.isArray(result) ? (result as unknown[]) : [result]))
      .flatMap((result) => lookUp(result, path) ?? [])
      .filter((item) => fields.every(([field, value]) => lookUp(item, [field]) === value))
      .map((item) => ({ ...scope, each: item }))
  }

  async *#step(step: Step, scope: Scope, signal: AbortSignal): AsyncGenerator<Exchange, void, undefined> {
    const params = fill(step.params ?? {}, scope) as Readonly<Record<string, string>>
    // What it is about does not exist.
    if (Object.keys(params).length < Object.keys(step.params ?? {}).length) return
    const body = fill(step.body, scope)
    const { until } = step
    let waited = 0
    for (let retries = 0; !signal.aborted;) {
      if (this.#calls > 0) await this.#wait(PAUSE_MS, signal)
      this.#calls++
      this.#options.onStep?.({ operation: step.operation, call: this.#calls })
      const exchange = { number: this.#calls, ...(await callLive(this.#options, step.operation, params, body)) }
      const result = resultOf(exchange)
      if (step.name !== undefined && result !== undefined)
        this.#results.set(step.name, [...(this.#results.get(step.name) ?? []), result])
      yield exchange
      const retryAfter = retryAfterOf(exchange)
      if (retryAfter !== undefined && ++retries <= MOST_RETRIES) {
        await this.#wait(retryAfter, signal)
        continue
      }
      if (until === undefined || this.#holds(step, until, exchange, result)) return
      if (waited >= millisecondsOf(until.within))
        throw new PlanError(`${step.operation} was not done within ${until.within}`)
      const pause = millisecondsOf(until.every)
      waited += pause
      await this.#wait(pause, signal)
    }
  }

  /** Whether a step need not be repeated. @throws {PlanError} if it never will be as wanted */
  #holds({ operation }: Step, until: NonNullable<Step['until']>, { status }: Exchange, result: unknown): boolean {
    if (status !== null && until.status?.includes(status) === true) return true
    if (until.field === undefined) return false
    if (status !== null && status >= 400 && status < 500)
      throw new PlanError(`${operation} was answered with ${status} while its ${until.field} was awaited`)
    const value = String(lookUp(result, until.field.split('.')))
    if (until.unless?.includes(value) === true) throw new PlanError(`${operation}: ${until.field} is ${value}`)
    return until.in?.includes(value) === true
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return (this.#options.wait ?? sleep)(milliseconds, signal)
  }
}

/** What an operation has returned; undefined: an error, or nothing. */
function resultOf({ status, body }: Exchange): unknown {
  if (status === null || status >= 300) return undefined
  return typeof body === 'object' && body !== null && 'Result' in body ? body.Result : body
}

/** How long a reply asks to wait before the same call, in milliseconds. */
function retryAfterOf({ status, headers }: Exchange): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = Number(headers['retry-after'] ?? 1)
  return Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000, MOST_RETRY_MS)
}

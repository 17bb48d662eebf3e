import type { OperationRoute } from '../../interface/operation-routes.js'
import { BUILT_IN, type Profile } from '../../profile/profile.js'
import { routeUnder } from '../../profile/routes.js'
import { sleep, wallTime } from '../../sim/clock.js'
import type { Exchange } from '../exchange.js'
import { callLive, canCall, credentialFor, type LiveTarget } from './client.js'
import { failureOf } from './failure.js'
import { withServiceNames } from './field-names.js'
import { isNeeded } from './needs.js'
import { fill, lookUp, type Scope, unfilled } from './placeholders.js'
import { type Plan, type Step, stepName } from './plan.js'
import { CredentialError, PlanError } from './plan-error.js'
import { isSuccess, resultOf, retryAfterOf } from './reply.js'
import { Wait } from './wait.js'

/** Between two calls, in milliseconds. */
const PAUSE_MS = 200

/** How often a call is repeated because its reply asks for that. */
const MOST_RETRIES = 5

/** Maximum number of calls of the steps, and again of those at the end. */
const MAX_CALLS = 500

/** Begins the names of what a plan makes. */
const OWN = 'svc-mock-'

/** A call that is about to be made. */
export interface Progress {
  readonly operation: string
  readonly call: number
  /** For a step that waits: what it has seen last, and how long it has waited, in milliseconds. */
  readonly seen?: string | undefined
  readonly waited?: number
}

/** What to run, and where. */
interface LiveOptions extends LiveTarget {
  readonly plan: Plan
  /** For the placeholders `values.…`. */
  readonly values?: Readonly<Record<string, string>>
  /** Whose paths, names of fields and words for states the service is expected to have. */
  readonly profile?: Profile
  /** Called before each call. */
  readonly onStep?: (progress: Progress) => void
  /** Gets a sentence about what the user would not expect. */
  readonly onRemark?: (remark: string) => void
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
  const { signal = new AbortController().signal, onRemark } = options
  const run = new PlanRun(options)
  const end = () => run.steps('finally', new AbortController().signal)
  let failure: { readonly error: unknown } | undefined
  let isRead = false
  try {
    yield* run.steps('steps', signal)
    isRead = true
  } catch (error) {
    isRead = true
    failure = { error }
  } finally {
    if (!isRead) await drain(end())
  }
  // Every call would be refused.
  if (failure?.error instanceof CredentialError && !run.hasChanged) throw failure.error
  try {
    yield* end()
  } catch (error) {
    if (failure === undefined) throw error
    if (run.hasChanged) onRemark?.(`what the plan has made may be left: ${(error as Error).message}`)
  }
  if (failure !== undefined) throw failure.error
}

/** Runs what nobody reads any more. */
async function drain(exchanges: AsyncGenerator<Exchange>): Promise<void> {
  while ((await exchanges.next()).done !== true);
}

class PlanRun {
  readonly #options: LiveOptions
  readonly #profile: Profile
  /** Results of the named steps. */
  readonly #results = new Map<string, unknown[]>()
  readonly #unique = `${OWN}${wallTime().toString(36)}`
  /** The credentials that the service has accepted. */
  readonly #accepted = new Set<string>()
  readonly #remarks = new Set<string>()
  #calls = 0
  /** Whether something was called that can change the service. */
  hasChanged = false

  constructor(options: LiveOptions) {
    this.#options = options
    this.#profile = options.profile ?? BUILT_IN
  }

  /** Runs the steps; those at the end all, and an error is only told after the last one. */
  async *steps(part: 'steps' | 'finally', signal: AbortSignal): AsyncGenerator<Exchange, void, undefined> {
    const last = this.#calls + (this.#options.maxCalls ?? MAX_CALLS)
    let failure: PlanError | undefined
    const steps = this.#options.plan[part] ?? []
    for (const [index, step] of steps.entries()) {
      if (!canCall(this.#options, step.operation)) continue
      const isRequired = isNeeded(step, steps.slice(index + 1))
      const own = stepName(step, index, part)
      const route = routeUnder(this.#profile.edge.paths, step.operation)
      if (route === undefined) {
        this.#remark(`${own} is skipped: the profile has no path for it`)
        continue
      }
      for (const scope of this.#scopes(step, own)) {
        if (signal.aborted || this.#calls >= last) break
        const nothing = unfilled(step.params ?? {}, scope)
        if (nothing.length > 0) {
          // What it is about does not exist.
          this.#remark(`${own} is skipped: {{${nothing[0]!}}} stands for nothing`)
          continue
        }
        try {
          yield* this.#step(step, route, scope, signal, isRequired)
        } catch (error) {
          if (!(error instanceof PlanError) || part === 'steps') throw error
          failure ??= error
        }
      }
    }
    if (failure !== undefined) throw failure
  }

  /**
   * What the placeholders of a step stand for, each time that it is run.
   * @param own the step as it is told to the user
   */
  #scopes({ each, where }: Step, own: string): Scope[] {
    const named = Object.fromEntries([...this.#results].map(([name, results]) => [name, results.at(-1)]))
    const scope = { ...named, values: this.#options.values ?? {}, unique: this.#unique }
    if (each === undefined) return [scope]
    const [name = '', ...path] = each.split('.')
    const fields = Object.entries(fill(where ?? {}, scope) ?? {})
    const results = (this.#results.get(name) ?? []).flatMap((result) =>
      Array.isArray(result) ? (result as unknown[]) : [result]
    )
    if (results.length > 0 && results.every((result) => lookUp(result, path) === undefined))
      this.#remark(`${own} is skipped: no result of ${name} has ${path.join('.')}`)
    return results
      .flatMap((result) => lookUp(result, path) ?? [])
      .filter((item) => fields.every(([field, value]) => lookUp(item, [field]) === value))
      .map((item) => ({ ...scope, each: item }))
  }

  async *#step(
    step: Step,
    route: OperationRoute,
    scope: Scope,
    signal: AbortSignal,
    isRequired: boolean
  ): AsyncGenerator<Exchange, void, undefined> {
    const { operation, until, name } = step
    const params = fill(step.params ?? {}, scope) as Readonly<Record<string, string>>
    const body = withServiceNames(fill(step.body, scope), this.#profile.names.fields)
    const wait = until === undefined ? undefined : new Wait(step, until, this.#profile)
    for (let retries = 0; !signal.aborted;) {
      if (this.#calls > 0) await this.#wait(PAUSE_MS, signal)
      this.#calls++
      this.hasChanged ||= route.method !== 'GET'
      this.#options.onStep?.({
        operation,
        call: this.#calls,
        ...(wait === undefined ? {} : { seen: wait.seen, waited: wait.waited })
      })
      const { exchange: unnumbered, problem } = await callLive(this.#options, { operation, route, params, body })
      const exchange = { number: this.#calls, ...unnumbered }
      const result = resultOf(exchange, this.#profile)
      if (name !== undefined && result !== undefined)
        this.#results.set(name, [...(this.#results.get(name) ?? []), result])
      yield exchange
      const retryAfter = retryAfterOf(exchange)
      if (retryAfter !== undefined && ++retries <= MOST_RETRIES) {
        await this.#wait(retryAfter, signal)
        continue
      }
      this.#checkCredential(operation, exchange)
      if (wait === undefined) {
        if (isRequired && !isSuccess(exchange)) throw failureOf(step, exchange, problem, scope)
        return
      }
      if (wait.isDone(exchange, result)) return
      if (wait.isPuzzled)
        this.#remark(
          `${operation}: ${wait.seen!} is a word that the profile does not have (awaiting ${wait.awaited.join(' or ')})`
        )
      await this.#wait(wait.next(), signal)
    }
  }

  /** @throws {CredentialError} if the service does not know who calls */
  #checkCredential(operation: Step['operation'], exchange: Exchange): void {
    const credential = credentialFor(this.#options, operation)
    const { status } = exchange
    if (isSuccess(exchange)) this.#accepted.add(credential)
    // A caller whom the service knows may lack the right to a single operation.
    else if (status === 401 ? !this.#accepted.has(credential) : status === 403 && this.#accepted.size === 0)
      throw new CredentialError(credential, status!)
  }

  /** Says something once. */
  #remark(remark: string): void {
    if (!this.#remarks.has(remark)) this.#options.onRemark?.(remark)
    this.#remarks.add(remark)
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return (this.#options.wait ?? sleep)(milliseconds, signal)
  }
}

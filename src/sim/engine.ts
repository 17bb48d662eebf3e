import type { Static, TObject } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import type { CausedChanges, RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../interface/errors.js'
import type { Slices } from '../lib/scheduler.js'
import { addDuration, LAST_TIME, parseDuration, wallTime } from '../lib/time.js'
import type { Bounds, Durations, Speed } from '../profile/durations.js'
import { type ClockState, timeOf } from './clock.js'
import { type DueEvent, type DueEventStore, dueEventStore } from './due-events.js'
import { type EndKind, type EventKind, eventOf } from './events.js'
import { type TransitionRuleStore, transitionRuleStore } from './rules.js'
import type { SimTx, SimulatedSandbox } from './sandbox.js'
import type { Transition } from './state-machine.js'

/** The outcome of a finished transition. */
export interface Ending<Payload = DueEvent['payload']> {
  readonly resource: string
  readonly failed: boolean
  readonly reason: string | null
  /** Data stored when it started. */
  readonly payload: Payload
}

export interface FiredEvent {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly kind: string
  readonly resource: string
  readonly requestId: string
}

/** The events that have been run so far. */
export interface Run {
  /** The first {@link FIRED_LIMIT} events. */
  readonly fired: FiredEvent[]
  /** Number of events. */
  count: number
  /** When the last one was due; undefined if there was none. */
  last: number | undefined
  /** Whether it stopped at {@link EVENT_LIMIT} with more events due. */
  limited: boolean
}

/** Maximum number of events per run, because a runaway schedule would never end. */
export const EVENT_LIMIT = 50_000

/** Maximum number of events that a run lists. */
export const FIRED_LIMIT = 10_000

/** Number of slices after which a sandbox that falls further and further behind is assumed never to catch up. */
const PATIENCE = 10

type Handler<Tx> = (tx: Tx, event: DueEvent) => void

/** How long transitions take. */
interface Pace {
  readonly speed: Speed
  /** Replaces the durations of the transitions themselves. */
  readonly durations: Durations
}

/** The row changes of an event that has fired, among those of the write that it is part of. */
export interface Fired extends CausedChanges {
  readonly event: DueEvent
  /** Draws of the stream of ids used up by then. */
  readonly draws: number
}

export const isFired = (change: RawChange | Fired): change is Fired => 'event' in change

/** Runs due events in order, each in its own transaction with the clock at its due time. */
export class Engine<Tx extends SimTx = SimTx> {
  readonly dueEvents: DueEventStore
  readonly rules: TransitionRuleStore
  /** All kinds of events, by name. */
  readonly kinds = new Map<string, EventKind>()
  /** All transitions, by name. */
  readonly transitions = new Map<string, Transition>()
  /** Number of events that have fired. */
  fired = 0
  readonly #handlers = new Map<string, Handler<Tx>>()
  /** Names of all transitions, for statements. */
  #transitionKinds: string[] = []

  /** Called when a sandbox's clock falls behind for the first time since it was set. */
  onSlowed: (sandbox: Tx['sandbox']) => void = () => undefined

  /**
   * @param newTx begins a transaction at a time of the sandbox, for a write or an event
   * @param setClock changes only the clock; the next {@link settle} runs the events that are due then
   */
  constructor(
    private readonly db: Database,
    private readonly pace: Pace,
    readonly newTx: (sandbox: Tx['sandbox'], now: number, requestId: string) => Tx,
    readonly setClock: (sandbox: Tx['sandbox'], clock: ClockState) => void
  ) {
    this.dueEvents = dueEventStore(db)
    this.rules = transitionRuleStore(db)
  }

  onEvent<Payload extends TObject>(
    kind: EventKind<Payload>,
    handler: (tx: Tx, event: DueEvent & { readonly payload: Static<Payload> }) => void
  ): void {
    this.kinds.set(kind.name, kind)
    this.#handlers.set(kind.name, handler)
  }

  onEnd<Noted extends TObject>(end: EndKind<Noted>, handler: (tx: Tx, ending: Ending<Static<Noted>>) => void): void {
    const { transition } = end
    this.transitions.set(transition.name, transition)
    this.#transitionKinds = [...this.transitions.keys()]
    this.onEvent(eventOf(end), (tx, { resource, payload }) => {
      const { failed, reason, ...noted } = payload as { failed?: boolean; reason?: string }
      handler(tx, { resource, failed: failed === true, reason: reason ?? null, payload: noted })
    })
  }

  /** Scheduled or held events of unfinished transitions; only the first `limit`, if given. */
  underWay({ key }: SimulatedSandbox, limit?: number): DueEvent[] {
    return this.dueEvents.listOfKinds(key, this.#transitionKinds, limit)
  }

  /** Whether any transition is unfinished. */
  isAnyUnderWay({ key }: SimulatedSandbox): boolean {
    return this.dueEvents.hasAny(key, this.#transitionKinds)
  }

  /**
   * Starts a transition. A rule, the profile or `--transitions` decides when and how it ends. If it takes no time, it
   * has ended when this returns.
   * @returns when it ends, in milliseconds since 1970; `Infinity` while it is held
   */
  begin(tx: Tx, transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    const rule = this.rules.take(tx.sandbox.key, transition.name, resource)
    const after =
      rule?.after === undefined
        ? { months: 0, milliseconds: this.#durationOf(tx, transition) }
        : parseDuration(rule.after)!
    const ending = rule?.outcome === 'fail' ? { ...payload, failed: true, reason: rule.reason } : payload
    const event = { kind: transition.name, resource, payload: ending, requestId: tx.requestId }
    if (rule?.outcome === 'hold') {
      this.dueEvents.insert(tx.sandbox.key, { ...event, due: null })
      return Infinity
    }
    const due = addDuration(tx.now, after)
    if (due <= tx.now) this.#handle(tx, { ...event, due, sequence: 0 })
    else this.schedule(tx, { ...event, due })
    return due
  }

  /** How long a transition takes at a speed, in milliseconds, unless a rule says otherwise. */
  boundsOf({ name, duration }: Transition, speed = this.pace.speed): Bounds {
    return this.pace.durations.get(name)?.[speed] ?? { min: duration[speed], max: duration[speed] }
  }

  /** Draws from the stream of the sandbox if the duration varies. */
  #durationOf({ sandbox }: Tx, transition: Transition): number {
    const { min, max } = this.boundsOf(transition)
    return min === max ? min : min + Math.floor(sandbox.ids.fraction() * (max - min + 1))
  }

  /** Cancels the events of a resource: those of some kinds, or all. */
  cancel({ sandbox }: SimTx, resource: string, kinds?: readonly string[]): void {
    this.dueEvents.cancel(sandbox.key, resource, kinds)
  }

  /** Schedules an event, unless it is due after the last time that a timestamp can show. */
  schedule({ sandbox }: SimTx, event: Omit<DueEvent, 'sequence' | 'due'> & { due: number }): void {
    if (event.due > LAST_TIME) return
    this.dueEvents.insert(sandbox.key, event)
    sandbox.nextDue = Math.min(sandbox.nextDue, event.due)
  }

  /**
   * The sandbox's time, which is never before past changes. If the machine's clock is set back, a clock in mode `real`
   * continues from the last time it showed.
   * @param wall a fresh reading of the machine's clock
   */
  now(sandbox: SimulatedSandbox, wall = wallTime()): number {
    const { clock, shown, newestChange } = sandbox
    if (clock.mode !== 'real') return Math.max(clock.base, newestChange)
    const reached = Math.max(shown, newestChange)
    const time = timeOf(clock, wall)
    if (time < reached) sandbox.clock = { ...clock, base: reached, anchor: wall }
    return (sandbox.shown = Math.max(time, reached))
  }

  /** Whether any event is due. Takes one comparison. */
  isDue(sandbox: SimulatedSandbox, now = this.now(sandbox)): boolean {
    return sandbox.nextDue <= now
  }

  /**
   * Runs the events due by `now`, the sandbox's current time, as part of every write. If more are due than can be run,
   * a clock in mode `real` is set back to the last event that ran, and continues from there.
   * @returns the time up to which all due events have run
   * @throws {ServiceError} `unavailable` if a clock in another mode has more events due than can be run in one go; the
   * events that ran are kept
   */
  *settle(sandbox: Tx['sandbox'], now: number): Slices<number> {
    if (sandbox.nextDue > now) return now
    const behind = now - sandbox.nextDue
    const run = newRun()
    for (let slices = 1; ; slices++) {
      const stop = this.#go(sandbox, now, run)
      if (stop === 'done') return now
      if (stop === 'limited') return this.#fallBehind(sandbox, now, run)
      // Only a clock that runs can fall further behind.
      if (slices >= PATIENCE && this.now(sandbox) - run.last! > behind) return this.#fallBehind(sandbox, now, run)
      yield
    }
  }

  /** Runs the events due by a time, in order. */
  *run(sandbox: Tx['sandbox'], until: number): Slices<Run> {
    const run = newRun()
    while (this.#go(sandbox, until, run) === 'timeUp') yield
    return run
  }

  /**
   * Advances the clock to a time and runs the events due by then, until `isEnough` returns true for one. If it stops
   * early, the clock stands at the last event that ran; the same holds between two slices.
   */
  *moveClock(sandbox: Tx['sandbox'], to: number, isEnough?: (event: DueEvent) => boolean): Slices<Run> {
    const run = newRun()
    for (;;) {
      const stop = this.#go(sandbox, to, run, isEnough)
      const { mode, rate } = sandbox.clock
      const base = stop === 'done' ? to : run.last!
      this.setClock(sandbox, { mode, rate, base, anchor: wallTime() })
      if (stop !== 'timeUp') return run
      yield
    }
  }

  /** Runs events until none are left, `isEnough` stops it, the limit is reached, or time is up; at least one if due. */
  #go(
    sandbox: Tx['sandbox'],
    until: number,
    run: Run,
    isEnough?: (event: DueEvent) => boolean
  ): 'done' | 'enough' | 'limited' | 'timeUp' {
    for (;;) {
      const event = this.dueEvents.next(sandbox.key)
      const due = event?.due ?? Infinity
      if (event === undefined || due > until) {
        sandbox.nextDue = due
        return 'done'
      }
      if (run.count === EVENT_LIMIT) {
        run.limited = true
        return 'limited'
      }
      this.#fire(sandbox, event)
      this.fired++
      run.count++
      run.last = due
      if (run.fired.length < FIRED_LIMIT) {
        run.fired.push({ at: due, kind: event.kind, resource: event.resource, requestId: event.requestId })
      }
      if (isEnough?.(event) === true) return 'enough'
      if (this.db.commits.isTimeUp()) return 'timeUp'
    }
  }

  #fallBehind(sandbox: Tx['sandbox'], now: number, { last }: Run): number {
    const { mode, rate } = sandbox.clock
    if (mode !== 'real') {
      throw new ServiceError(
        'unavailable',
        `The sandbox has to catch up with more than ${EVENT_LIMIT} events. Those that ran are kept; repeat ` +
          'the call to continue.'
      )
    }
    const behind = sandbox.behind + now - last!
    if (sandbox.behind === 0) this.onSlowed(sandbox)
    this.setClock(sandbox, { mode, rate, base: last!, anchor: wallTime() })
    sandbox.behind = behind
    return last!
  }

  #fire(sandbox: Tx['sandbox'], event: DueEvent): void {
    const fire = () => {
      this.db.atomic(() => {
        this.dueEvents.remove(sandbox.key, event.sequence)
        this.#handle(this.newTx(sandbox, event.due!, event.requestId), event)
      })
    }
    const changes: RawChange[] = []
    this.db.watcher.watch(changes, fire)
    const fired: Fired = { event, changes, draws: sandbox.random.draws }
    this.db.watcher.report(fired)
  }

  #handle(tx: Tx, event: DueEvent): void {
    this.#handlers.get(event.kind)!(tx, event)
  }
}

const newRun = (): Run => ({ fired: [], count: 0, last: undefined, limited: false })

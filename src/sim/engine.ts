import type { Static, TObject } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import type { RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../lib/errors.js'
import type { Slices } from '../lib/slices.js'
import { addDuration, LAST_TIME, parseDuration } from '../lib/time.js'
import { type ClockState, timeOf, wallTime } from './clock.js'
import { type DueEvent, DueEventStore } from './due-events.js'
import { type EndKind, type EventKind, eventOf } from './events.js'
import { TransitionRuleStore } from './rules.js'
import type { SimulatedSandbox } from './sandbox.js'
import type { Profile, Transition } from './state-machine.js'
import type { SimTx } from './tx.js'

/** How a transition that is over has ended. */
export interface Ending<Payload = DueEvent['payload']> {
  readonly resource: string
  readonly failed: boolean
  /** Why it failed. */
  readonly reason: string | null
  /** What was noted when it began. */
  readonly payload: Payload
}

/** An event that was run. */
export interface FiredEvent {
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly kind: string
  readonly resource: string
  readonly requestId: string
}

/** What running events has come to so far. */
export interface Run {
  /** The first events, {@link FIRED_LIMIT} at most. */
  readonly fired: FiredEvent[]
  /** How many there were. */
  count: number
  /** When the last one was due; undefined if there was none. */
  last: number | undefined
  /** Whether it stopped at {@link EVENT_LIMIT}, with more to do. */
  limited: boolean
}

/** The most events that are run in one go; a runaway schedule would never end. */
export const EVENT_LIMIT = 50_000

/** How many events a run lists. */
export const FIRED_LIMIT = 10_000

/**
 * After how many slices a clock that falls ever further behind, while its sandbox catches up, is known not to get
 * there.
 */
const PATIENCE = 10

type Handler<Tx> = (tx: Tx, event: DueEvent) => void

/** What the engine cannot do by itself: it knows neither the stores of a transaction, nor where a clock is kept. */
export interface EnginePorts<Tx extends SimTx> {
  readonly newTx: (sandbox: Tx['sandbox'], now: number, requestId: string) => Tx
  readonly saveClock: (sandbox: Tx['sandbox'], clock: ClockState) => void
}

/** Is told of each event that fired, with the rows that it changed. */
export type FireObserver = (event: DueEvent, changes: readonly RawChange[]) => void

/** Runs what is due, in order, each event in its own transaction with the clock at its due time. */
export class Engine<Tx extends SimTx = SimTx> {
  readonly dueEvents: DueEventStore
  readonly rules: TransitionRuleStore
  readonly #db: Database
  readonly #ports: EnginePorts<Tx>
  readonly #profile: Profile
  readonly #handlers = new Map<string, Handler<Tx>>()
  readonly #kinds = new Map<string, EventKind>()
  readonly #transitions = new Map<string, Transition>()
  #observer: FireObserver | undefined
  /** Names of all transitions, for statements. */
  #transitionKinds: string[] = []

  /**
   * Is told when a sandbox has so much to catch up with that its clock is slowed, for the first time since that was
   * set.
   */
  onSlowed: (sandbox: Tx['sandbox']) => void = () => undefined

  constructor(db: Database, profile: Profile, ports: EnginePorts<Tx>) {
    this.dueEvents = new DueEventStore(db)
    this.rules = new TransitionRuleStore(db)
    this.#db = db
    this.#profile = profile
    this.#ports = ports
  }

  /** Tells of every event that fires; it may still be undone, with the write that it is part of. */
  observe(observer: FireObserver): void {
    this.#observer = observer
  }

  /** A transaction in a sandbox at a moment, for a write or an event. */
  newTx(sandbox: Tx['sandbox'], now: number, requestId: string): Tx {
    return this.#ports.newTx(sandbox, now, requestId)
  }

  /** Says what happens when an event of a kind is due. */
  onEvent<Payload extends TObject>(
    kind: EventKind<Payload>,
    handler: (tx: Tx, event: DueEvent & { readonly payload: Static<Payload> }) => void
  ): void {
    this.#kinds.set(kind.name, kind)
    this.#handlers.set(kind.name, handler)
  }

  /** Says what happens when a transition ends. */
  onEnd<Noted extends TObject>(end: EndKind<Noted>, handler: (tx: Tx, ending: Ending<Static<Noted>>) => void): void {
    const { transition } = end
    this.#transitions.set(transition.name, transition)
    this.#transitionKinds = [...this.#transitions.keys()]
    this.onEvent(eventOf(end), (tx, { resource, payload }) => {
      const { failed, reason, ...noted } = payload as { failed?: boolean; reason?: string }
      handler(tx, { resource, failed: failed === true, reason: reason ?? null, payload: noted })
    })
  }

  /** Every kind of event that can be due, by name. */
  get kinds(): ReadonlyMap<string, EventKind> {
    return this.#kinds
  }

  /** Every transition there is, by name. */
  get transitions(): ReadonlyMap<string, Transition> {
    return this.#transitions
  }

  /** What is due, or held, of transitions that have not ended; the first few, if a limit is given. */
  underWay({ key }: SimulatedSandbox, limit?: number): DueEvent[] {
    return this.dueEvents.listOfKinds(key, this.#transitionKinds, limit)
  }

  /** Whether any transition has not ended. */
  isAnyUnderWay({ key }: SimulatedSandbox): boolean {
    return this.dueEvents.hasAny(key, this.#transitionKinds)
  }

  /**
   * Lets a transition run: it ends as long after now, and in the way, that a rule or the profile says. One that takes
   * no time has ended when this returns.
   * @returns when it ends, in milliseconds since 1970; `Infinity` while it is held
   */
  begin(tx: Tx, transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    const rule = this.rules.take(tx.sandbox.key, transition.name, resource)
    const after =
      rule?.after === undefined || rule.after === null
        ? { months: 0, milliseconds: this.durationOf(transition) }
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

  /** Milliseconds a transition takes unless a rule says otherwise. */
  durationOf(transition: Transition): number {
    return transition.duration[this.#profile]
  }

  /** Takes back what is due for a resource: events of some kinds, or all. */
  cancel({ sandbox }: SimTx, resource: string, kinds?: readonly string[]): void {
    this.dueEvents.cancel(sandbox.key, resource, kinds)
  }

  /** Lets something happen later. A time that no timestamp can show never comes. */
  schedule({ sandbox }: SimTx, event: Omit<DueEvent, 'sequence' | 'due'> & { due: number }): void {
    if (event.due > LAST_TIME) return
    this.dueEvents.insert(sandbox.key, event)
    sandbox.nextDue = Math.min(sandbox.nextDue, event.due)
  }

  /**
   * The sandbox's time. It never falls behind what has already happened. If the machine's clock is put back, that of
   * mode `real` goes on from what it has shown: it would go back else, or stand still until the machine's clock is
   * there again.
   * @param wall what the machine's clock shows, if that has just been read
   */
  now(sandbox: SimulatedSandbox, wall = wallTime()): number {
    const { clock, shown, newestChange } = sandbox
    if (clock.mode !== 'real') return Math.max(clock.base, newestChange)
    const reached = Math.max(shown, newestChange)
    const time = timeOf(clock, wall)
    if (time < reached) sandbox.clock = { ...clock, base: reached, anchor: wall }
    return (sandbox.shown = Math.max(time, reached))
  }

  /** Whether something is due. One comparison, as long as nothing is. */
  isDue(sandbox: SimulatedSandbox, now = this.now(sandbox)): boolean {
    return sandbox.nextDue <= now
  }

  /**
   * Runs what is due by a time, the sandbox's now. Part of every write. If that is more than can be run, a clock that
   * runs with the wall is put back to where it has got, and goes on from there: it may not get to its time at all.
   * @returns the time by which all that is due has been run
   * @throws {ServiceError} `unavailable` if a clock that stands still has more due than can be run in one go; what was
   * run holds
   */
  *settle(sandbox: Tx['sandbox'], now: number): Slices<number> {
    if (sandbox.nextDue > now) return now
    const behind = now - sandbox.nextDue
    const run = newRun()
    for (let slices = 1; ; slices++) {
      const stop = this.#go(sandbox, now, run)
      if (stop === 'done') return now
      if (stop === 'limited') return this.#fallBehind(sandbox, now, run)
      if (slices >= PATIENCE && sandbox.clock.mode === 'real' && this.now(sandbox) - run.last! > behind) {
        return this.#fallBehind(sandbox, now, run)
      }
      yield
    }
  }

  /** Runs the events due by a time, in order, until there are no more or `isEnough` says so after one of them. */
  *run(sandbox: Tx['sandbox'], until: number, isEnough?: (event: DueEvent) => boolean): Slices<Run> {
    const run = newRun()
    while (this.#go(sandbox, until, run, isEnough) === 'timeUp') yield
    return run
  }

  /** Changes the clock, and nothing else: what is due by then is run at the next {@link settle}. */
  setClock(sandbox: Tx['sandbox'], clock: ClockState): void {
    this.#ports.saveClock(sandbox, clock)
  }

  /**
   * Moves the clock forward to a time and runs what is due by then, as {@link run}. If that stops early, the clock
   * stands at the last event that was run; so it does between two slices.
   */
  *moveClock(sandbox: Tx['sandbox'], to: number, isEnough?: (event: DueEvent) => boolean): Slices<Run> {
    const run = newRun()
    for (;;) {
      const stop = this.#go(sandbox, to, run, isEnough)
      const { mode, rate } = sandbox.clock
      const base = stop === 'done' ? to : (run.last ?? this.now(sandbox))
      this.setClock(sandbox, { mode, rate, base, anchor: wallTime() })
      if (stop !== 'timeUp') return run
      yield
    }
  }

  /**
   * Runs events until there are no more, or it is enough, or too many, or time is up; at least one, if there is one.
   */
  #go(
    sandbox: Tx['sandbox'],
    until: number,
    run: Run,
    isEnough?: (event: DueEvent) => boolean
  ): 'done' | 'enough' | 'limited' | 'timeUp' {
    for (;;) {
      const event = this.dueEvents.next(sandbox.key, until)
      if (event === undefined) {
        sandbox.nextDue = this.dueEvents.earliest(sandbox.key)
        return 'done'
      }
      if (run.count === EVENT_LIMIT) {
        run.limited = true
        return 'limited'
      }
      this.#fire(sandbox, event)
      run.count++
      run.last = event.due!
      if (run.fired.length < FIRED_LIMIT) {
        run.fired.push({ at: event.due!, kind: event.kind, resource: event.resource, requestId: event.requestId })
      }
      if (isEnough?.(event) === true) return 'enough'
      if (this.#db.isTimeUp()) return 'timeUp'
    }
  }

  #fallBehind(sandbox: Tx['sandbox'], now: number, { last }: Run): number {
    const { mode, rate } = sandbox.clock
    if (mode !== 'real') {
      throw new ServiceError(
        'unavailable',
        `The sandbox has to catch up with more than ${EVENT_LIMIT} events; those run so far are kept, repeat ` +
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
      this.#db.atomic(() => {
        this.dueEvents.remove(sandbox.key, event.sequence)
        this.#handle(this.newTx(sandbox, event.due!, event.requestId), event)
      })
    }
    if (this.#observer === undefined) {
      fire()
      return
    }
    const changes: RawChange[] = []
    this.#db.watcher.watch(changes, fire)
    this.#observer(event, changes)
  }

  #handle(tx: Tx, event: DueEvent): void {
    this.#handlers.get(event.kind)!(tx, event)
  }
}

const newRun = (): Run => ({ fired: [], count: 0, last: undefined, limited: false })

import { type Database, isUnwritable } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import type { RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../interface/errors.js'
import type { CommitListener, Committed, Fired } from '../journal/committed.js'
import type { Position, Replacement, WholeState } from '../journal/recorder.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import { timeOf } from '../sim/clock.js'
import type { Engine } from '../sim/engine.js'
import type { SimTx } from '../sim/sandbox.js'
import type { LongReads } from './long-reads.js'
import { assertNotRemoved, type SandboxRegistry } from './registry.js'
import type { Fill, Sandbox } from './sandbox.js'

/** The author of a change, such as a request, and the sandbox it changes. */
export interface Origin {
  readonly sandbox: Sandbox
  /** RequestID that the timeline names as the cause. */
  readonly id: string
}

/** The origin of a change that no request asks for, with a new RequestID. */
export const originOf = (sandbox: Sandbox): Origin => ({ sandbox, id: sandbox.requestIds.uuid() })

/** How a change replaces the whole sandbox. */
export interface ReplaceOptions {
  readonly by: Replacement
  /** Number of rows that the sandbox will have; if there are many, the change is made in slices. */
  readonly rows: number
  /** Whether the journal forgets earlier requests. */
  readonly clearsJournal?: boolean
}

/** A write under way. */
class Write {
  /** What it has done since its listener was last told; undefined: nothing. */
  effects: Effects | undefined
  /** Whether it may still be undone as a whole, so that its listener is not told yet. */
  isHeldBack = false
  /** Keys of the rows that it keeps beside the sandbox. At the end, all but those of the sandbox are dropped. */
  readonly drafts: number[] = []

  constructor(
    readonly origin: Origin,
    readonly options: Partial<ReplaceOptions> = {}
  ) {}
}

/** What a write does to its sandbox, until that is committed. */
interface Effects extends Committed {
  readonly sandbox: Sandbox
  readonly own: RawChange[]
  readonly fired: Fired[]
  isDone: boolean
  isClockSet: boolean
  position: Position
  state: WholeState | undefined
}

function newEffects({ origin: { sandbox, id }, options: { by, clearsJournal = false } }: Write): Effects {
  const before = positionOf(sandbox)
  return {
    sandbox,
    id,
    isDone: false,
    own: [],
    fired: [],
    isClockSet: false,
    replacement: by,
    clearsJournal,
    before,
    position: before,
    state: undefined
  }
}

/** How a transaction ends: with a slice of the work, or with the error that refused it. */
type Outcome<T> = IteratorResult<undefined, T> | { readonly refusal: unknown }

/** Rolls back the first slice of a trial that takes more than one. */
class TakesLonger extends Error {}

/**
 * The only way to change a sandbox: begin, run what is due, make the change, commit, tell the listener. Work that does
 * not fit into one transaction runs in slices: meanwhile, writes and reads of its sandbox wait, but those of other
 * sandboxes do not.
 */
export class Writer<Tx extends SimTx<Sandbox>> {
  /** What the slice that is running does. */
  #effects!: Effects
  /** Whether a long trial is under way in any sandbox. Only one runs at a time, because each keeps much in memory. */
  #isTrying = false
  #isStopped = false
  #isClosed = false

  /**
   * @param forget drops the cached counts of a sandbox whose rows were changed in another way
   * @param read reads a whole sandbox, for its recorder
   * @param listener learns of each commit
   */
  constructor(
    private readonly db: Database,
    private readonly sandboxes: SandboxRegistry,
    private readonly engine: Engine<Tx>,
    private readonly reads: LongReads,
    private readonly forget: (sandbox: Sandbox) => void,
    private readonly read: (sandbox: Sandbox) => WholeState,
    private readonly listener: CommitListener
  ) {
    engine.onFired = (event, changes) => {
      const { fired, own, sandbox } = this.#effects
      fired.push({ event, changes, draws: sandbox.random.draws, after: own.length })
    }
  }

  /** Makes a change that is all or nothing. */
  write<T>(origin: Origin, change: (tx: Tx) => T): Promise<T> {
    return this.#commit(new Write(origin), 'turn', this.#change(origin, change))
  }

  *#change<T>({ sandbox, id }: Origin, change: (tx: Tx) => T): Slices<T> {
    const now = yield* this.#runDue(sandbox)
    return this.#atomic(change, this.engine.newTx(sandbox, now, id))
  }

  /** Runs what is due, and waits for a sliced change that is under way. For reads, which change nothing else. */
  async settle(origin: Origin): Promise<void> {
    await this.#commit(new Write(origin), 'turn', this.#runDue(origin.sandbox))
  }

  /**
   * Runs the events that are due. It uses one reading of the clock: events due between two readings would run too late.
   * @returns the time of that reading
   */
  *#runDue(sandbox: Sandbox): Slices<number> {
    return yield* this.engine.settle(sandbox, this.engine.now(sandbox))
  }

  /** Runs a step of the change itself. If it throws, nothing of it is kept. */
  #atomic<T, Input = undefined>(step: (input: Input) => T, input?: Input): T {
    const effects = this.#effects
    const { length } = effects.fired
    try {
      const result = this.db.atomic(step, input)
      effects.isDone = true
      return result
    } catch (error) {
      effects.fired.length = length
      throw error
    }
  }

  /** Commits work, in as many transactions as it has slices, and tells the listener after each. */
  async #commit<T>(write: Write, first: Place, work: Slices<T>): Promise<T> {
    const { sandbox } = write.origin
    for (let place = first; ; place = 'rest') {
      if (this.#hasEnded()) throw shuttingDown()
      let outcome: Outcome<T>
      try {
        outcome = await this.db.write(this.#slice(write, place, work), sandbox, place)
      } catch (error) {
        if (!this.#hasEnded() && !sandbox.isRemoved) this.#reload(sandbox, -Infinity)
        throw error
      }
      // Events that ran before a refused change are kept.
      if (!write.isHeldBack || ('done' in outcome && outcome.done)) this.#tell(write)
      if ('refusal' in outcome) throw outcome.refusal
      if (outcome.done === true) return outcome.value
    }
  }

  /** A slice of work, for a transaction. It throws errors of the database, which break the transaction off. */
  #slice<T>(write: Write, place: Place, work: Slices<T>): () => Outcome<T> {
    const { sandbox } = write.origin
    return () => {
      assertNotRemoved(sandbox)
      const { clock, shown, recorder, random } = sandbox
      sandbox.version++
      const effects = (this.#effects = write.effects ??= newEffects(write))
      const outer = this.db.watcher.divert(effects.own)
      let hasProgress = false
      try {
        if (place === 'rest' && this.#isStopped) throw shuttingDown()
        if (place !== 'rest' && recorder?.needsState === true) effects.state = this.read(sandbox)
        const result = work.next()
        if (result.done === true && effects.replacement !== undefined && recorder !== undefined)
          effects.state = this.read(sandbox)
        effects.isClockSet ||= sandbox.clock !== clock
        // A read that finds nothing to do writes nothing.
        const isChanged = effects.isDone || effects.fired.length > 0
        hasProgress = isChanged && (sandbox.isInitial || sandbox.shown !== sandbox.stored.shown)
        return result
      } catch (error) {
        this.#reload(sandbox, shown)
        if (isUnwritable(error)) throw error
        return { refusal: error }
      } finally {
        this.db.watcher.divert(outer)
        effects.position = positionOf(sandbox)
        // Also those of earlier slices, if a copy has taken the place of the rows that had them.
        if (hasProgress || sandbox.random !== random || random.draws !== effects.before.draws)
          this.sandboxes.saveDraws(sandbox)
      }
    }
  }

  #tell(write: Write): void {
    const { effects } = write
    write.effects = undefined
    this.listener(effects!)
  }

  /** Reads the in-memory state again. Its clock must not go back behind the time shown before. */
  #reload(sandbox: Sandbox, shown: number): void {
    this.sandboxes.reload(sandbox)
    this.forget(sandbox)
    sandbox.shown = shown
    this.engine.now(sandbox)
  }

  /** Makes a change in slices, each kept on its own. @param isLong false if it rarely takes more than one slice */
  writeInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>, isLong = true): Promise<T> {
    return this.#commit(new Write(origin), isLong ? 'slice' : 'turn', this.#changeInSlices(origin, change))
  }

  *#changeInSlices<T>({ sandbox, id }: Origin, change: (tx: Tx) => Slices<T>): Slices<T> {
    const now = yield* this.#runDue(sandbox)
    const slices = change(this.engine.newTx(sandbox, now, id))
    for (;;) {
      const { done, value } = this.#atomic(() => slices.next())
      if (done === true) return value
      yield
    }
  }

  /**
   * Replaces the contents of a sandbox, without running due events. A large sandbox is built beside the old one, in
   * slices, and swapped in at the end: nothing changes until then, and others are served between the slices.
   * @param fill fills an empty sandbox, in slices
   */
  replace(origin: Origin, fill: Fill, options: ReplaceOptions): Promise<void> {
    const write = new Write(origin, options)
    return this.sandboxes.store.isLarge(origin.sandbox.key, options.rows)
      ? this.#commitDraft(write, this.#fillBeside(write, fill))
      : this.#commit(write, 'turn', this.#refill(write, fill))
  }

  *#refill({ origin: { sandbox }, options }: Write, fill: Fill): Slices<void> {
    this.#atomic(() => {
      this.db.unwatched(() => {
        // `fill` reads what must stay before it is deleted.
        const steps = fill(sandbox)
        this.sandboxes.store.clear(sandbox.key)
        finish(steps)
        if (options.by !== 'reset') this.sandboxes.noteGiven(sandbox)
      })
    })
  }

  *#fillBeside(write: Write, fill: Fill): Slices<void> {
    const { sandbox } = write.origin
    write.isHeldBack = true
    const draft = this.db.atomic(() => this.sandboxes.draft(sandbox))
    write.drafts.push(sandbox.key, draft.key)
    const steps = fill(draft)
    do yield
    while (!this.db.inBulk(steps))
    this.#atomic(() => {
      this.sandboxes.putInPlace(sandbox, draft)
      if (write.options.by !== 'reset') this.sandboxes.noteGiven(sandbox)
    })
  }

  /** Like {@link #commit}, for work that keeps rows beside the sandbox. */
  async #commitDraft<T>(write: Write, work: Slices<T>): Promise<T> {
    try {
      return await this.#commit(write, 'slice', work)
    } finally {
      const { sandbox } = write.origin
      for (const key of write.drafts) if (key !== sandbox.key || sandbox.isRemoved) this.sandboxes.dropDraft(key)
    }
  }

  /** Makes a change in slices that is all or nothing. */
  async tryInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>): Promise<T> {
    const write = new Write(origin)
    try {
      return await this.#commitDraft(write, this.#try(write, change))
    } catch (error) {
      if (write.isHeldBack) {
        // The copy has replaced the rows, under other rowids.
        origin.sandbox.changes.clear(false)
        origin.sandbox.recorder?.interrupt()
      }
      throw error
    } finally {
      if (write.isHeldBack) this.#isTrying = false
    }
  }

  /** Tries a change in one slice and, if that is not enough, again in several. */
  *#try<T>(write: Write, change: (tx: Tx) => Slices<T>): Slices<T> {
    const { sandbox, id } = write.origin
    const now = yield* this.#runDue(sandbox)
    const begin = () => change(this.engine.newTx(sandbox, now, id))
    const { shown } = sandbox
    const { draws } = sandbox.random
    try {
      return this.#atomic(() => {
        const { done, value } = begin().next()
        if (done !== true) throw new TakesLonger()
        return value
      })
    } catch (error) {
      if (!(error instanceof TakesLonger)) throw error
    }
    this.#reload(sandbox, shown)
    // No id has been handed out, and ids must not depend on how fast the machine is.
    sandbox.random.draws = draws
    do yield
    while (this.#isTrying)
    this.#isTrying = write.isHeldBack = true
    return yield* this.#tryBesideCopy(write, begin)
  }

  /** Makes the change while a copy has the sandbox's place, where it stays if the change fails. */
  *#tryBesideCopy<T>({ origin: { sandbox }, drafts }: Write, begin: () => Slices<T>): Slices<T> {
    const { key } = sandbox
    const { store } = this.sandboxes
    const copy = this.db.atomic(() => this.sandboxes.copy(sandbox))
    drafts.push(key, copy.key)
    while (!this.db.inBulk(copy.steps)) yield
    this.db.atomic(() => store.swap(key, copy.key, sandbox.id))
    const result = yield* begin()
    this.#atomic(() => store.swap(copy.key, key, sandbox.id))
    return result
  }

  /** Whether a read must wait, because events are due or a sliced change is under way. */
  mustWait(sandbox: Sandbox, now?: number): boolean {
    return this.engine.isDue(sandbox, now) || this.isHeld(sandbox)
  }

  /** Whether a sliced change of a sandbox is under way or comes next. */
  isHeld(sandbox: Sandbox): boolean {
    return this.db.commits.isHeld(sandbox) && !this.reads.isUnderWay(sandbox)
  }

  /** Stops sliced work, because the server is shutting down. Slices that ran are kept, but nothing of a trial. */
  stop(): void {
    this.#isStopped = true
  }

  /** Called when the database has been closed. */
  close(): void {
    this.#isClosed = true
  }

  #hasEnded(): boolean {
    return this.#isClosed
  }
}

/** Where a sandbox stands. Reads its clock without moving it. */
function positionOf({ clock, random: { draws }, newestChange }: Sandbox): Position {
  return { at: Math.max(timeOf(clock, wallTime()), newestChange), draws, clock }
}

function shuttingDown(): ServiceError {
  return new ServiceError('unavailable', 'The server is shutting down.')
}

import { type Database, isUnwritable } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import type { RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../interface/errors.js'
import type { CommitListener, Committed } from '../journal/committed.js'
import type { Position, Replacement, WholeState } from '../journal/recorder.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { presentOf } from '../sim/clock.js'
import { type Engine, type Fired, isFired } from '../sim/engine.js'
import type { SimTx } from '../sim/sandbox.js'
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

/** A write under way, with its effects since its listener was last told. */
class Write implements Committed {
  readonly sandbox: Sandbox
  readonly id: string
  readonly replacement: Replacement | undefined
  readonly clearsJournal: boolean
  isDone = false
  isClockSet = false
  changes: (RawChange | Fired)[] = []
  before!: Position
  position!: Position
  state: WholeState | undefined
  /** The error that refused it; what it did before that is kept. */
  refusal: unknown
  /**
   * Keys of the rows that it keeps beside the sandbox. While there are any, it may be undone as a whole, so its
   * listener is not told. At the end, all but those of the sandbox are dropped.
   */
  readonly drafts: number[] = []

  constructor({ sandbox, id }: Origin, { by, clearsJournal = false }: Partial<ReplaceOptions> = {}) {
    this.sandbox = sandbox
    this.id = id
    this.replacement = by
    this.clearsJournal = clearsJournal
  }

  /** Begins again with no effects. */
  begin(): void {
    this.isDone = this.isClockSet = false
    this.changes = []
    this.before = this.position = positionOf(this.sandbox)
    this.state = undefined
  }
}

/**
 * The only way to change a sandbox: begin, run what is due, make the change, commit, tell the listener. Work that does
 * not fit into one transaction runs in slices: meanwhile, writes and reads of its sandbox wait, but those of other
 * sandboxes do not.
 */
export class Writer<Tx extends SimTx<Sandbox>> {
  /** The long trial under way in any sandbox. Only one runs at a time, because each keeps much in memory. */
  #trial: Write | undefined
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
    private readonly forget: (sandbox: Sandbox) => void,
    private readonly read: (sandbox: Sandbox) => WholeState,
    private readonly listener: CommitListener
  ) {}

  /** Makes a change that is all or nothing. */
  write<T>(origin: Origin, change: (tx: Tx) => T): Promise<T> {
    const write = new Write(origin)
    return this.#commit(write, 'turn', this.#change(write, change))
  }

  *#change<T>(write: Write, change: (tx: Tx) => T): Slices<T> {
    const tx = yield* this.#begin(write)
    const result = this.db.atomic(change, tx)
    write.isDone = true
    return result
  }

  /** Runs what is due, and waits for a sliced change that is under way. For reads, which change nothing else. */
  async settle(origin: Origin): Promise<void> {
    const write = new Write(origin)
    await this.#commit(write, 'turn', this.#begin(write))
  }

  /**
   * Runs the events that are due. It uses one reading of the clock: events due between two readings would run too late.
   * @returns the transaction at that time
   */
  *#begin({ sandbox, id }: Write): Slices<Tx> {
    const now = yield* this.engine.settle(sandbox, this.engine.now(sandbox))
    return this.engine.newTx(sandbox, now, id)
  }

  /** Commits work, in as many transactions as it has slices, and tells the listener after each. */
  async #commit<T>(write: Write, first: Place, work: Slices<T>): Promise<T> {
    const { sandbox, drafts } = write
    try {
      for (let place = first; ; place = 'rest') {
        if (this.#isClosed) throw shuttingDown()
        const { done, value } = await this.db.write(this.#slice(write, place, work), sandbox, place)
        if (done === true || drafts.length === 0) this.listener(write)
        if (done === true) return value
      }
    } catch (error) {
      if (error !== write.refusal) this.#reload(sandbox, -Infinity)
      else if (drafts.length === 0) this.listener(write)
      if (this.#trial === write) {
        // The copy has replaced the rows, under other rowids.
        sandbox.changes.clear(presentOf(sandbox))
        sandbox.recorder?.interrupt()
      }
      throw error
    } finally {
      if (this.#trial === write) this.#trial = undefined
      for (const key of drafts) if (key !== sandbox.key || sandbox.isRemoved) this.sandboxes.dropDraft(key)
    }
  }

  /** A slice of work, for a transaction. It throws the error that refuses it, or that breaks the transaction off. */
  #slice<T>(write: Write, place: Place, work: Slices<T>): () => IteratorResult<undefined, T> {
    const { sandbox } = write
    return () => {
      assertNotRemoved(sandbox)
      const { clock, shown, recorder, random } = sandbox
      sandbox.version++
      if (write.drafts.length === 0) write.begin()
      const outer = this.db.watcher.divert(write.changes)
      let hasProgress = false
      try {
        if (place === 'rest' && this.#isStopped) throw shuttingDown()
        if (place !== 'rest' && recorder?.needsState === true) write.state = this.read(sandbox)
        const result = work.next()
        if (result.done === true && write.replacement !== undefined && recorder !== undefined)
          write.state = this.read(sandbox)
        write.isClockSet ||= sandbox.clock !== clock
        // A read that finds nothing to do writes nothing.
        const isChanged = write.isDone || write.changes.some(isFired)
        hasProgress = isChanged && (sandbox.isInitial || sandbox.shown !== sandbox.stored.shown)
        return result
      } catch (error) {
        this.#reload(sandbox, shown)
        if (!isUnwritable(error)) write.refusal = error
        throw error
      } finally {
        this.db.watcher.divert(outer)
        write.position = positionOf(sandbox)
        // Also those of earlier slices, if a copy has taken the place of the rows that had them.
        if (hasProgress || sandbox.random !== random || random.draws !== write.before.draws)
          this.sandboxes.saveDraws(sandbox)
      }
    }
  }

  /** Reads the in-memory state again. Its clock must not go back behind the time shown before. */
  #reload(sandbox: Sandbox, shown: number): void {
    if (this.#isClosed || sandbox.isRemoved) return
    this.sandboxes.reload(sandbox)
    this.forget(sandbox)
    sandbox.shown = shown
    this.engine.now(sandbox)
  }

  /** Makes a change in slices, each kept on its own. @param isLong false if it rarely takes more than one slice */
  writeInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>, isLong = true): Promise<T> {
    const write = new Write(origin)
    return this.#commit(write, isLong ? 'slice' : 'turn', this.#changeInSlices(write, change))
  }

  *#changeInSlices<T>(write: Write, change: (tx: Tx) => Slices<T>): Slices<T> {
    const slices = change(yield* this.#begin(write))
    for (;;) {
      const { done, value } = this.db.atomic(() => slices.next())
      write.isDone = true
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
    const isLarge = this.sandboxes.store.isLarge(origin.sandbox.key, options.rows)
    return this.#commit(write, isLarge ? 'slice' : 'turn', this.#replace(write, fill, isLarge))
  }

  *#replace(write: Write, fill: Fill, isLarge: boolean): Slices<void> {
    const { sandbox } = write
    const draft = isLarge ? yield* this.#fillBeside(write, fill) : undefined
    this.db.atomic(() => {
      if (draft === undefined) this.#refill(sandbox, fill)
      else this.sandboxes.putInPlace(sandbox, draft)
      if (write.replacement !== 'reset') this.sandboxes.noteGiven(sandbox)
    })
    write.isDone = true
  }

  #refill(sandbox: Sandbox, fill: Fill): void {
    this.db.unwatched(() => {
      // `fill` reads what must stay before it is deleted.
      const steps = fill(sandbox)
      this.sandboxes.store.clear(sandbox.key)
      finish(steps)
    })
  }

  *#fillBeside({ sandbox, drafts }: Write, fill: Fill): Slices<Sandbox> {
    const draft = this.db.atomic(() => this.sandboxes.draft(sandbox))
    drafts.push(sandbox.key, draft.key)
    const steps = fill(draft)
    do yield
    while (!this.db.inBulk(steps))
    return draft
  }

  /** Makes a change in slices that is all or nothing. */
  tryInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>): Promise<T> {
    const write = new Write(origin)
    return this.#commit(write, 'slice', this.#try(write, change))
  }

  /** Makes a change in one slice or, if that is not enough, again in several while a copy has the sandbox's place. */
  *#try<T>(write: Write, change: (tx: Tx) => Slices<T>): Slices<T> {
    const { sandbox, id, drafts } = write
    const { now } = yield* this.#begin(write)
    const begin = () => change(this.engine.newTx(sandbox, now, id))
    const { key, shown, random } = sandbox
    const { draws } = random
    const first = this.db.atomic(
      () => begin().next(),
      undefined,
      ({ done }) => done === true
    )
    if (first.done === true) {
      write.isDone = true
      return first.value
    }
    this.#reload(sandbox, shown)
    // No id has been handed out, and ids must not depend on how fast the machine is.
    random.draws = draws
    do yield
    while (this.#trial !== undefined)
    this.#trial = write
    const { store } = this.sandboxes
    const copy = this.db.atomic(() => this.sandboxes.copy(sandbox))
    drafts.push(key, copy.key)
    while (!this.db.inBulk(copy.steps)) yield
    this.db.atomic(() => store.swap(key, copy.key, sandbox.id))
    const result = yield* begin()
    this.db.atomic(() => store.swap(copy.key, key, sandbox.id))
    write.isDone = true
    return result
  }

  /** Whether a read must wait, because events are due or a sliced change is under way. */
  mustWait(sandbox: Sandbox, now?: number): boolean {
    return this.engine.isDue(sandbox, now) || this.isHeld(sandbox)
  }

  /** Whether a sliced change of a sandbox is under way or comes next. */
  isHeld(sandbox: Sandbox): boolean {
    return this.db.commits.isHeld(sandbox) && sandbox.longReads === 0
  }

  /** Stops sliced work, because the server is shutting down. Slices that ran are kept, but nothing of a trial. */
  stop(): void {
    this.#isStopped = true
  }

  /** Called when the database has been closed. */
  close(): void {
    this.#isClosed = true
  }
}

/** Where a sandbox stands. */
function positionOf(sandbox: Sandbox): Position {
  return { at: presentOf(sandbox), draws: sandbox.random.draws, clock: sandbox.clock }
}

function shuttingDown(): ServiceError {
  return new ServiceError('unavailable', 'The server is shutting down.')
}

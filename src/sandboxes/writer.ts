import { type Database, isUnwritable } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { BEGINS_AGAIN, ChangeCapture, GOES_ON, WriteEffects } from '../journal/change-capture.js'
import type { Position, Replacement, WholeState } from '../journal/recorder.js'
import { ServiceError } from '../lib/errors.js'
import { finish, type Slices } from '../lib/slices.js'
import { timeOf, wallTime } from '../sim/clock.js'
import type { Engine } from '../sim/engine.js'
import type { SimTx } from '../sim/tx.js'
import type { LongReads } from './long-reads.js'
import type { SandboxRegistry } from './registry.js'
import { assertNotRemoved, type Fill, type Sandbox } from './sandbox.js'

/** The author of a change, such as a request, and the sandbox it changes. */
export interface Origin {
  readonly sandbox: Sandbox
  /** RequestID that the timeline names as the cause. */
  readonly id: string
}

/** The work of one write, in one transaction or several. */
interface Work<T> {
  /** Runs work that is kept whether or not the change succeeds, possibly in parts. @returns whether it is complete */
  settle: () => boolean
  change: () => T | typeof GOES_ON | typeof BEGINS_AGAIN
  /** Whether it may use up a slice, so that short writes come first. */
  readonly isLong?: boolean
  /** How it replaces the whole sandbox; absent: it does not. */
  readonly replacement?: Replacement
  /** Whether the change is a trial under way, which must not be reported before it is committed. */
  readonly isOpen?: () => boolean
  /** Called once it is committed, before anything of a later write is recorded. */
  readonly settled?: (() => void) | undefined
}

/** Options of a change that replaces the whole sandbox. */
export interface ReplaceOptions {
  /** What replaces it; a document from outside if absent. */
  readonly by?: Replacement
  /** Number of rows that the sandbox will have; if there are many, the change is made in slices. */
  readonly rows?: number
  /** Called once it is committed, before anything of a later write is recorded. */
  readonly settled?: () => void
}

/** Thrown to undo the first slice of a trial. */
class Undecided extends Error {}

/**
 * The only way to change a sandbox. A change runs in the shared transaction, after due events. Then the in-memory state
 * is updated and the effects are recorded. Long work runs in slices, each in another transaction: meanwhile, writes and
 * reads of its sandbox wait, but those of other sandboxes do not.
 */
export class Writer<Tx extends SimTx<Sandbox>> {
  readonly #db: Database
  readonly #sandboxes: SandboxRegistry
  readonly #engine: Engine<Tx>
  readonly #capture: ChangeCapture
  readonly #forget: (sandbox: Sandbox) => void
  readonly #read: (sandbox: Sandbox) => WholeState
  readonly #reads: LongReads
  #isStopped = false
  #isClosed = false

  /**
   * @param forget drops the cached counts of a sandbox whose rows were changed in another way
   * @param read reads a whole sandbox, for its recorder
   */
  constructor(
    db: Database,
    sandboxes: SandboxRegistry,
    engine: Engine<Tx>,
    reads: LongReads,
    forget: (sandbox: Sandbox) => void,
    read: (sandbox: Sandbox) => WholeState
  ) {
    this.#db = db
    this.#reads = reads
    this.#sandboxes = sandboxes
    this.#engine = engine
    this.#forget = forget
    this.#read = read
    this.#capture = new ChangeCapture(db, engine)
  }

  /** Makes a change that is all or nothing. */
  write<T>(origin: Origin, change: (tx: Tx) => T): Promise<T> {
    const settling = this.#settling(origin.sandbox)
    return this.#run(origin, {
      settle: settling.settle,
      change: () => this.#db.atomic(() => change(this.#engine.newTx(origin.sandbox, settling.now, origin.id)))
    })
  }

  /** Makes a change in slices, each kept on its own. @param isLong false if it rarely takes more than one slice */
  writeInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>, isLong = true): Promise<T> {
    const settling = this.#settling(origin.sandbox)
    let slices: Slices<T> | undefined
    return this.#run(origin, {
      isLong,
      settle: settling.settle,
      change: () => {
        const begun = (slices ??= change(this.#engine.newTx(origin.sandbox, settling.now, origin.id)))
        return this.#db.atomic(() => next(begun))
      }
    })
  }

  /**
   * Makes a change in slices that is all or nothing. If it fits into one slice, a failure is simply rolled back.
   * Otherwise it is rolled back and started again with an undo log.
   */
  tryInSlices<T>(origin: Origin, change: (tx: Tx) => Slices<T>): Promise<T> {
    const { sandbox, id } = origin
    const settling = this.#settling(sandbox)
    const begin = () => change(this.#engine.newTx(sandbox, settling.now, id))
    let slices: Slices<T> | undefined
    return this.#run(origin, {
      isLong: true,
      isOpen: () => slices !== undefined,
      settle: settling.settle,
      change: () => {
        if (slices !== undefined) return next(slices)
        const {
          shown,
          random: { draws }
        } = sandbox
        try {
          return this.#db.atomic(() => {
            const { done, value } = begin().next()
            if (done !== true) throw new Undecided()
            return value
          })
        } catch (error) {
          if (!(error instanceof Undecided)) throw error
          this.#reload(sandbox, shown)
          // No id has been handed out, and ids must not depend on how fast the machine is.
          sandbox.random.draws = draws
          slices = this.#logged(sandbox, begin)
          return BEGINS_AGAIN
        }
      }
    })
  }

  /**
   * Replaces the contents of a sandbox, without running due events. A large sandbox is built beside the old one, in
   * slices, and swapped in at the end: nothing changes until then, and others are served between the slices.
   * @param fill fills an empty sandbox, in slices
   */
  replace(origin: Origin, fill: Fill, options: ReplaceOptions = {}): Promise<void> {
    return this.#sandboxes.store.isLarge(origin.sandbox.key, options.rows ?? 0)
      ? this.#replaceLarge(origin, fill, options)
      : this.#replaceAtOnce(origin, fill, options)
  }

  #replaceAtOnce({ sandbox, id }: Origin, fill: Fill, { by = 'import', settled }: ReplaceOptions): Promise<void> {
    let undoing: Slices<void> | undefined
    return this.#run(
      { sandbox, id },
      {
        replacement: by,
        settled,
        settle: () => {
          if (!this.#db.undoLog.isOpen(sandbox.key)) return true
          undoing ??= this.#undo(sandbox)
          if (undoing.next().done === true) undoing = undefined
          return false
        },
        change: () => {
          this.#db.atomic(() => {
            this.#db.unwatched(() => {
              // `fill` reads what must stay before it is deleted.
              const steps = fill(sandbox)
              this.#sandboxes.store.clear(sandbox.key)
              finish(steps)
            })
          })
        }
      }
    )
  }

  async #replaceLarge({ sandbox, id }: Origin, fill: Fill, { by = 'import', settled }: ReplaceOptions): Promise<void> {
    let draft: Sandbox | undefined
    let steps: Slices<void> | undefined
    try {
      await this.#run(
        { sandbox, id },
        {
          replacement: by,
          isLong: true,
          isOpen: () => draft !== undefined,
          settled,
          settle: () => true,
          change: () => {
            if (draft === undefined) {
              draft = this.#db.atomic(() => this.#sandboxes.draft(sandbox))
              steps = fill(draft)
              return BEGINS_AGAIN
            }
            if (!this.#db.inBulk(steps!)) return GOES_ON
            this.#db.undoLog.discard(sandbox.key)
            this.#db.atomic(() => {
              this.#sandboxes.putInPlace(sandbox, draft!)
            })
            return undefined
          }
        }
      )
      this.#sandboxes.sweep()
    } catch (error) {
      if (draft !== undefined) this.#sandboxes.dropDraft(draft)
      throw error
    }
  }

  /** Whether a read must queue, because events are due or a sliced change is under way. */
  mustWait(sandbox: Sandbox, now?: number): boolean {
    return this.#engine.isDue(sandbox, now) || this.isHeld(sandbox)
  }

  /** Whether a sliced change of a sandbox is under way or comes next. */
  isHeld(sandbox: Sandbox): boolean {
    return (this.#db.isHeld(sandbox) && !this.#reads.isUnderWay(sandbox)) || this.#db.undoLog.isOpen(sandbox.key)
  }

  /**
   * Stops sliced work, because the server is shutting down. Slices that ran are kept; a trial is undone when the
   * sandbox is next used, at the latest after the next start.
   */
  stop(): void {
    this.#isStopped = true
  }

  #hasEnded(): boolean {
    return this.#isClosed
  }

  /** Called when the database has been closed. */
  close(): void {
    this.#isClosed = true
  }

  /** The work before a change. It uses one reading of the clock: events due between two readings would run too late. */
  #settling(sandbox: Sandbox): { readonly settle: () => boolean; now: number } {
    let before: Slices<number> | undefined
    const settling = {
      now: NaN,
      settle: () => {
        if (!Number.isNaN(settling.now)) return true
        if (before === undefined) {
          if (this.#db.undoLog.isOpen(sandbox.key)) before = this.#catchUp(sandbox)
          else {
            const now = this.#engine.now(sandbox)
            if (sandbox.nextDue > now) {
              settling.now = now
              return true
            }
            before = this.#engine.settle(sandbox, now)
          }
        }
        const { done, value } = before.next()
        if (done === true) settling.now = value
        return done === true
      }
    }
    return settling
  }

  /** The work before a change if a trial was interrupted. */
  *#catchUp(sandbox: Sandbox): Slices<number> {
    yield* this.#undo(sandbox)
    return yield* this.#engine.settle(sandbox, this.#engine.now(sandbox))
  }

  async #run<T>({ sandbox, id }: Origin, work: Work<T>): Promise<T> {
    const { settle, change, replacement, isLong = false, isOpen, settled } = work
    const { recorder } = sandbox
    let notes = new WriteEffects(sandbox, replacement)
    for (let place: Place = isLong ? 'slice' : 'turn'; ; place = 'rest') {
      if (this.#hasEnded()) throw shuttingDown()
      let refusal: unknown
      const wasOpen = isOpen?.() === true
      const job = () => {
        assertNotRemoved(sandbox)
        const {
          clock,
          shown,
          random,
          random: { draws }
        } = sandbox
        sandbox.version++
        let hasShown = false as boolean
        try {
          if (place === 'rest' && this.#isStopped) throw shuttingDown()
          if (recorder?.needsState === true && place !== 'rest' && !this.#db.undoLog.isOpen(sandbox.key))
            notes.state = this.#read(sandbox)
          notes.before ??= positionOf(sandbox)
          const result = this.#capture.collect(notes, settle, change)
          if (recorder !== undefined && replacement !== undefined && result !== GOES_ON)
            notes.state = this.#read(sandbox)
          notes.isClockSet ||= sandbox.clock !== clock
          hasShown = sandbox.shown !== sandbox.stored.shown
          return result
        } catch (error) {
          refusal = error
          this.#reload(sandbox, shown)
          throw error
        } finally {
          notes.position = positionOf(sandbox)
          if (hasShown || sandbox.random !== random || random.draws !== draws) this.#sandboxes.saveDraws(sandbox)
        }
      }
      try {
        const result = await this.#db.write(job, sandbox, place)
        if (result !== GOES_ON) {
          settled?.()
          this.#capture.keep(sandbox, id, notes)
          return result
        }
        if (!wasOpen) {
          this.#capture.keep(sandbox, id, notes)
          notes = new WriteEffects(sandbox, replacement)
        }
      } catch (error) {
        if (this.#hasEnded()) throw error
        if (wasOpen || error !== refusal) this.#db.undoLog.abandon(sandbox.key)
        // Events that ran before a refused change are kept, unless the commit failed.
        if (!wasOpen && error === refusal && !isUnwritable(error)) this.#capture.keep(sandbox, id, notes)
        // The commit may have failed, and with it work of the job that raised no error.
        this.#reload(sandbox, error === refusal ? sandbox.shown : -Infinity)
        throw error
      }
    }
  }

  /** Reloads the in-memory state. */
  #refresh(sandbox: Sandbox): void {
    this.#sandboxes.reload(sandbox)
    this.#forget(sandbox)
  }

  /** The clock may have advanced in vain, but must not go back behind the time shown before. */
  #reload(sandbox: Sandbox, shown: number): void {
    this.#refresh(sandbox)
    sandbox.shown = shown
    this.#engine.now(sandbox)
  }

  /** Runs a trial with an undo log. */
  *#logged<T>(sandbox: Sandbox, begin: () => Slices<T>): Slices<T> {
    const { undoLog } = this.#db
    const { key, shown } = sandbox
    while (undoLog.isBusy) yield
    undoLog.begin(key)
    try {
      const value = yield* begin()
      undoLog.keep(key)
      while (!undoLog.forget(key)) if (this.#db.isTimeUp()) yield
      return value
    } catch (error) {
      yield* this.#undo(sandbox)
      this.#reload(sandbox, shown)
      throw error
    }
  }

  /** Undoes a failed or interrupted trial. */
  *#undo(sandbox: Sandbox): Slices<void> {
    // Rows may come back under other rowids.
    sandbox.changes.clear(false)
    sandbox.recorder?.interrupt()
    while (!this.#db.unwatched(() => this.#db.undoLog.undo(sandbox.key))) if (this.#db.isTimeUp()) yield
    this.#refresh(sandbox)
  }
}

/** Where a sandbox stands. Reads its clock without moving it. */
function positionOf({ clock, random: { draws }, newestChange }: Sandbox): Position {
  return { at: Math.max(timeOf(clock, wallTime()), newestChange), draws, clock }
}

function shuttingDown(): ServiceError {
  return new ServiceError('unavailable', 'The server is shutting down.')
}

/** Runs the next slice of some work. */
function next<T>(slices: Slices<T>): T | typeof GOES_ON {
  const { done, value } = slices.next()
  return done === true ? value : GOES_ON
}

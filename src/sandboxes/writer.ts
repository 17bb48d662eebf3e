import { type Database, isUnwritable } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { BEGINS_AGAIN, ChangeCapture, GOES_ON, WriteEffects } from '../journal/change-capture.js'
import { ServiceError } from '../lib/errors.js'
import { finish, type Slices } from '../lib/slices.js'
import type { Engine } from '../sim/engine.js'
import type { SimTx } from '../sim/tx.js'
import type { LongReads } from './long-reads.js'
import type { SandboxRegistry } from './registry.js'
import { assertNotRemoved, type Fill, type Sandbox } from './sandbox.js'

/** Who makes a change, and where. A request is one. */
export interface Origin {
  readonly sandbox: Sandbox
  /** RequestID that the timeline names as the cause. */
  readonly id: string
}

/** What one write does, over one transaction or several. */
interface Work<T> {
  /** Runs what must hold whatever becomes of the change, in one piece or in several. @returns whether it was all */
  settle: () => boolean
  change: () => T | typeof GOES_ON | typeof BEGINS_AGAIN
  /** Whether it may use up a slice, so that short writes come before it. */
  readonly isLong?: boolean
  /** Whether it makes the sandbox something else as a whole. */
  readonly isWhole?: boolean
  /** Whether the change is a trial that has begun, of which nothing is to be told before it is known that it holds. */
  readonly isOpen?: () => boolean
  /** What to do once it holds, before anything of a later write is noted. */
  readonly settled?: (() => void) | undefined
}

/** What is known of a change that makes a sandbox something else as a whole. */
export interface ReplaceOptions {
  /** How many rows the sandbox is going to have; with many, the change is made in slices. */
  readonly rows?: number
  /** What to do once it holds, before anything of a later write is noted. */
  readonly settled?: () => void
}

/** Thrown to undo what a trial has done in its first slice. */
class Undecided extends Error {}

/**
 * The one way to change a sandbox. A change runs in the common transaction, after what is due; what is in memory is
 * kept true to what came of it, and what is to be told of it is handed on. What takes long is done in slices, each of
 * them part of another transaction: meanwhile the writes and reads of its sandbox wait, and those of others do not.
 */
export class Writer<Tx extends SimTx<Sandbox>> {
  readonly #db: Database
  readonly #sandboxes: SandboxRegistry
  readonly #engine: Engine<Tx>
  readonly #capture: ChangeCapture
  readonly #forget: (sandbox: Sandbox) => void
  readonly #reads: LongReads
  #isStopped = false
  #isClosed = false

  /** @param forget lets go of what is counted of a sandbox in memory, because its rows were changed beside that */
  constructor(
    db: Database,
    sandboxes: SandboxRegistry,
    engine: Engine<Tx>,
    reads: LongReads,
    forget: (sandbox: Sandbox) => void
  ) {
    this.#db = db
    this.#reads = reads
    this.#sandboxes = sandboxes
    this.#engine = engine
    this.#forget = forget
    this.#capture = new ChangeCapture(db, engine)
  }

  /** Makes a change that holds as a whole, or not at all. */
  write<T>(origin: Origin, change: (tx: Tx) => T): Promise<T> {
    const settling = this.#settling(origin.sandbox)
    return this.#run(origin, {
      settle: settling.settle,
      change: () => this.#db.atomic(() => change(this.#engine.newTx(origin.sandbox, settling.now, origin.id)))
    })
  }

  /** Makes a change in slices, each of which holds. @param isLong not if it takes more than a slice only seldom */
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
   * Makes a change in slices, of which nothing holds unless it comes to its end without an error. What takes no more
   * than a slice is simply rolled back; what takes longer is begun once more, with a log of what undoes it.
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
          // Nobody has been told of an id; what is drawn must not depend on how fast the machine is.
          sandbox.random.draws = draws
          slices = this.#logged(sandbox, begin)
          return BEGINS_AGAIN
        }
      }
    })
  }

  /**
   * Makes a sandbox something else as a whole, without running what is due. A large one is made anew beside this one,
   * in slices, and put in its place at the end: until then nothing has changed, and others are served between the
   * slices.
   * @param fill fills an empty sandbox, in slices
   */
  replace(origin: Origin, fill: Fill, { rows = 0, settled }: ReplaceOptions = {}): Promise<void> {
    return this.#sandboxes.store.isLarge(origin.sandbox.key, rows)
      ? this.#replaceLarge(origin, fill, settled)
      : this.#replaceAtOnce(origin, fill, settled)
  }

  #replaceAtOnce({ sandbox, id }: Origin, fill: Fill, settled: ReplaceOptions['settled']): Promise<void> {
    let undoing: Slices<void> | undefined
    return this.#run(
      { sandbox, id },
      {
        isWhole: true,
        settled,
        settle: () => {
          if (undoing === undefined && !this.#db.undoLog.isOpen(sandbox.key)) return true
          undoing ??= this.#undo(sandbox)
          if (undoing.next().done === true) undoing = undefined
          return false
        },
        change: () => {
          this.#db.atomic(() => {
            this.#db.unwatched(() => {
              // What is to stay is read before it goes.
              const steps = fill(sandbox)
              this.#sandboxes.store.clear(sandbox.key)
              finish(steps)
            })
          })
        }
      }
    )
  }

  async #replaceLarge({ sandbox, id }: Origin, fill: Fill, settled: ReplaceOptions['settled']): Promise<void> {
    let draft: Sandbox | undefined
    let steps: Slices<void> | undefined
    try {
      await this.#run(
        { sandbox, id },
        {
          isWhole: true,
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

  /** Whether a read has to wait for its turn, because something is due, or the sandbox is being moved. */
  mustWait(sandbox: Sandbox, now?: number): boolean {
    return this.#engine.isDue(sandbox, now) || this.isHeld(sandbox)
  }

  /** Whether a sandbox is being moved, or will be as soon as it is its turn. */
  isHeld(sandbox: Sandbox): boolean {
    return (this.#db.isHeld(sandbox) && !this.#reads.isUnderWay(sandbox)) || this.#db.undoLog.isOpen(sandbox.key)
  }

  /**
   * Ends what is done in slices: the server shuts down. What was run holds; a trial is undone, at the next start at the
   * latest.
   */
  stop(): void {
    this.#isStopped = true
  }

  #hasEnded(): boolean {
    return this.#isClosed
  }

  /** There is no database any more. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * What is run before a change. One time for all of it: what is due between two readings of the clock would be run too
   * late.
   */
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

  /** What is run before a change where a trial was broken off. */
  *#catchUp(sandbox: Sandbox): Slices<number> {
    yield* this.#undo(sandbox)
    return yield* this.#engine.settle(sandbox, this.#engine.now(sandbox))
  }

  async #run<T>({ sandbox, id }: Origin, work: Work<T>): Promise<T> {
    const { settle, change, isWhole = false, isLong = false, isOpen, settled } = work
    let notes = new WriteEffects()
    notes.isWhole = isWhole
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
          const result = this.#capture.collect(notes, settle, change)
          notes.isClockSet ||= sandbox.clock !== clock
          hasShown = sandbox.shown !== sandbox.stored.shown
          return result
        } catch (error) {
          refusal = error
          this.#reload(sandbox, shown)
          throw error
        } finally {
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
          notes = new WriteEffects()
          notes.isWhole = isWhole
        }
      } catch (error) {
        if (this.#hasEnded()) throw error
        if (wasOpen || error !== refusal) this.#db.undoLog.abandon(sandbox.key)
        // What ran before a change that was refused holds, unless the commit failed.
        if (!wasOpen && error === refusal && !isUnwritable(error)) this.#capture.keep(sandbox, id, notes)
        // The commit may have failed, and with it what the job did without an error.
        this.#reload(sandbox, error === refusal ? sandbox.shown : -Infinity)
        throw error
      }
    }
  }

  /** Reads again what memory knows of the rows. */
  #refresh(sandbox: Sandbox): void {
    this.#sandboxes.reload(sandbox)
    this.#forget(sandbox)
  }

  /** The clock may have been moved in vain, but does not go back behind what it had shown before. */
  #reload(sandbox: Sandbox, shown: number): void {
    this.#refresh(sandbox)
    sandbox.shown = shown
    this.#engine.now(sandbox)
  }

  /** A trial whose changes are written down, so that they can be undone. */
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

  /** Undoes a trial that has come to nothing, or that was broken off. */
  *#undo(sandbox: Sandbox): Slices<void> {
    while (!this.#db.unwatched(() => this.#db.undoLog.undo(sandbox.key))) if (this.#db.isTimeUp()) yield
    this.#refresh(sandbox)
  }
}

function shuttingDown(): ServiceError {
  return new ServiceError('unavailable', 'The server is shutting down.')
}

/** Does the next slice of some work. */
function next<T>(slices: Slices<T>): T | typeof GOES_ON {
  const { done, value } = slices.next()
  return done === true ? value : GOES_ON
}

import { Budget, type Keeper, Queue } from './budget.js'
import type { Position } from './recorder.js'
import type { Step } from './step.js'

/** A step of a change log. */
interface KeptStep extends Step {
  /** Increases in the order in which things happened in the sandbox. */
  readonly order: number
}

/** Limits of a change log. */
interface ChangeLogLimits {
  /** Steps; 0 turns it off. */
  readonly steps: number
  /** Approximate memory, in bytes. */
  readonly bytes: number
}

/** Overhead of a step and of a change, in addition to their contents. */
const OVERHEAD = 120
const CHANGE_OVERHEAD = 72

/**
 * What has changed in one sandbox, in order and without gaps: the newest steps since the sandbox was last replaced as a
 * whole. They can be undone, which leads back to any moment between them.
 */
export class ChangeLog implements Keeper {
  readonly #limits: ChangeLogLimits
  readonly #budget: Budget
  #steps = new Queue<KeptStep>()
  #bytes = 0
  #order = 0
  #lostAt = -Infinity
  #base: Position | undefined
  #last: Position | undefined

  /** @param budget shared with everything else recorded in memory, in this and other sandboxes */
  constructor(limits: ChangeLogLimits = { steps: 0, bytes: 0 }, budget = new Budget()) {
    this.#limits = limits
    if (limits.steps === 0) this.#lostAt = Infinity
    this.#budget = budget
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Number of steps that it holds. */
  get size(): number {
    return this.#steps.size
  }

  /**
   * The time in the sandbox of the newest step that would be there before the others, but is not kept. `-Infinity`:
   * there is none, since the sandbox was created, loaded or replaced.
   */
  get lostAt(): number {
    return this.#lostAt
  }

  /** Where the sandbox stood before the first step; undefined if there is none. */
  get base(): Position | undefined {
    return this.#base
  }

  /** The order of the next step. */
  get next(): number {
    return this.#order
  }

  /** Says where the sandbox stands before the next step. */
  begin(position: Position): void {
    if (this.size === 0) this.#base = this.#last = position
  }

  /** Adds a step, unless it changes nothing. */
  add(step: Step): void {
    if (this.#limits.steps === 0) return
    const { id, fired, at, changes, draws, clock } = step
    const before = this.#last
    const after = before && positionAfter(before, step)
    const isMoved = after === undefined || after.draws !== before!.draws || after.clock !== before!.clock
    if (fired === undefined && changes.length === 0 && !isMoved) return
    this.#steps.push({ order: this.#order++, id, fired, at, changes, draws, clock })
    this.#last = after
    this.#grow(sizeOf(step))
    while (this.size > this.#limits.steps || this.#bytes > this.#limits.bytes) this.giveUp()
    this.#budget.use(this)
  }

  /** The steps, newest first. */
  newestFirst(): Iterable<KeptStep> {
    return this.#steps.newestFirst()
  }

  /** A copy of the steps, oldest first. */
  list(): KeptStep[] {
    return this.#steps.list()
  }

  /**
   * Forgets everything.
   * @param isBeginning whether nothing came before this moment
   */
  clear(isBeginning: boolean): void {
    this.#lostAt = isBeginning && this.#limits.steps > 0 ? -Infinity : Infinity
    this.#grow(-this.#bytes)
    this.#budget.leave(this)
    this.#steps = new Queue()
    this.#base = this.#last = undefined
  }

  /** Drops the oldest step. */
  giveUp(): void {
    const oldest = this.#steps.shift()
    this.#lostAt = Math.max(this.#lostAt, oldest.at)
    if (this.#base !== undefined) this.#base = positionAfter(this.#base, oldest)
    this.#grow(-sizeOf(oldest))
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.#budget.count(bytes)
  }
}

function positionAfter(before: Position, { at, draws, clock }: Step): Position {
  return { at, draws: draws ?? before.draws, clock: clock ?? before.clock }
}

/** An estimate: the journal, which shares most changes, has counted their texts exactly. */
const sizeOf = ({ changes }: Pick<Step, 'changes'>) =>
  changes.reduce((bytes, [, values]) => bytes + values.length + CHANGE_OVERHEAD, OVERHEAD)

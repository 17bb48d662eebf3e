import { type Budget, Keeper } from './budget.js'
import type { Position } from './recorder.js'
import type { Step } from './step.js'

interface KeptStep extends Step {
  /** Increases in the order in which things happened in the sandbox. */
  readonly order: number
}

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
 * The changes in one sandbox, in order and without gaps: the newest steps since the sandbox was last replaced as a
 * whole. Undoing them leads back to any moment between them.
 */
export class ChangeLog extends Keeper {
  #steps: KeptStep[] = []
  #order = 0
  #lostAt = -Infinity
  #base: Position | undefined
  #last: Position | undefined
  #first = 0

  constructor(
    private readonly limits: ChangeLogLimits,
    budget?: Budget
  ) {
    super(budget)
    if (limits.steps === 0) this.#lostAt = Infinity
  }

  get size(): number {
    return this.#steps.length
  }

  /**
   * The sandbox's time at the newest step that is no longer kept, or when it was loaded. `-Infinity`: it keeps all
   * steps since the sandbox was created or replaced.
   */
  get lostAt(): number {
    return this.#lostAt
  }

  /** Where the sandbox stood before the first step; undefined without steps. */
  get base(): Position | undefined {
    return this.#base
  }

  /** The order of the next step. */
  get next(): number {
    return this.#order
  }

  /** The order of the first step since which it knows all. What has a lower one came before its {@link base}. */
  get first(): number {
    return this.#first
  }

  /** Says where the sandbox stands before the next step. */
  begin(position: Position): void {
    if (this.size === 0) this.#base = this.#last = position
  }

  /** Adds a step, unless it changes nothing. */
  add(step: Step): void {
    if (this.limits.steps === 0) return
    const { id, fired, at, changes, draws, clock } = step
    const before = this.#last
    const after = before && positionAfter(before, step)
    const isMoved = after === undefined || after.draws !== before!.draws || after.clock !== before!.clock
    if (fired === undefined && changes.length === 0 && !isMoved) return
    this.#steps.push({ order: this.#order++, id, fired, at, changes, draws, clock })
    this.#last = after
    this.count(sizeOf(step))
    while (this.size > this.limits.steps || this.bytes > this.limits.bytes) this.giveUp()
    this.use()
  }

  /** A copy of the steps, oldest first. */
  list(): KeptStep[] {
    return [...this.#steps]
  }

  /**
   * Forgets everything.
   * @param lostAt the sandbox's time; `-Infinity`: nothing came before this moment
   */
  clear(lostAt: number): void {
    if (this.limits.steps > 0) this.#lostAt = lostAt
    this.countNothing()
    this.#steps = []
    this.#first = ++this.#order
    this.#base = this.#last = undefined
  }

  override giveUp(): void {
    const oldest = this.#steps.shift()!
    this.#first = oldest.order + 1
    this.#lostAt = Math.max(this.#lostAt, oldest.at)
    if (this.#base !== undefined) this.#base = positionAfter(this.#base, oldest)
    this.count(-sizeOf(oldest))
  }
}

function positionAfter(before: Position, { at, draws, clock }: Step): Position {
  return { at, draws: draws ?? before.draws, clock: clock ?? before.clock }
}

/** An estimate: the journal, which shares most changes, has counted their texts exactly. */
const sizeOf = ({ changes }: Pick<Step, 'changes'>) =>
  changes.reduce((bytes, [, values]) => bytes + values.length + CHANGE_OVERHEAD, OVERHEAD)

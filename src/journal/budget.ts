/** Limits the memory of all keepers together. When it is exceeded, the least recently used one drops records first. */
export class Budget {
  /** Those that hold something, the least recently used one first. */
  readonly #keepers = new Set<Keeper>()
  #bytes = 0

  constructor(private readonly limit = Infinity) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Adds to the total, or subtracts if negative. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Marks a keeper as just used, and makes the least recently used ones drop records until the limit is met. */
  use(keeper: Keeper): void {
    this.#keepers.delete(keeper)
    this.#keepers.add(keeper)
    while (this.#bytes > this.limit) {
      const idle = this.#keepers.values().next().value!
      if (idle.bytes === 0) this.#keepers.delete(idle)
      else idle.giveUp()
    }
  }

  /** Forgets a keeper that has become empty. */
  leave(keeper: Keeper): void {
    this.#keepers.delete(keeper)
  }
}

/** Records what has happened, and can drop the oldest of it. */
export abstract class Keeper {
  #bytes = 0

  /** @param budget shared with the other keepers */
  constructor(private readonly budget = new Budget()) {}

  /** Approximate memory of what it keeps. */
  get bytes(): number {
    return this.#bytes
  }

  /** Drops the oldest record. */
  abstract giveUp(): void

  /** Counts memory that it takes up, or gives up if negative. */
  protected count(bytes: number): void {
    this.#bytes += bytes
    this.budget.count(bytes)
  }

  /** Marks it as just used, which may make keepers drop records. */
  protected use(): void {
    this.budget.use(this)
  }

  /** Forgets what it counted, because everything has been dropped. */
  protected countNothing(): void {
    this.count(-this.#bytes)
    this.budget.leave(this)
  }
}

/** Approximate sizes in V8, in bytes, on the high side. */
const TEXT = 24
const OBJECT = 56
const PROPERTY = 48
const ARRAY = 48
const SLOT = 8
const NUMBER = 16

/** A longer text is scanned for characters that force V8 to store two bytes per character. */
const LONG = 64

/** Memory of a text, in bytes. */
export function textSize(text: string): number {
  return TEXT + (text.length > LONG && /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}

/**
 * Memory of a value parsed from JSON, in bytes. It may be twenty times its text: `{}` is an object.
 * @param enough stops counting above this size
 */
export function heapSize(value: unknown, enough = Infinity): number {
  let size = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && size <= enough) {
    const item = waiting.pop()
    if (typeof item === 'string') {
      size += textSize(item)
    } else if (typeof item === 'number') {
      size += NUMBER
    } else if (Array.isArray(item)) {
      size += ARRAY + SLOT * item.length
      if (size <= enough) for (const element of item) waiting.push(element)
    } else if (typeof item === 'object' && item !== null) {
      size += OBJECT
      for (const field in item) {
        size += PROPERTY + field.length
        if (size > enough) break
        waiting.push((item as Record<string, unknown>)[field])
      }
    }
  }
  return size
}

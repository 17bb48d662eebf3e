import { Recency } from '../lib/recency.js'

/** Something that records what has happened and can drop the oldest of it. */
export interface Keeper {
  /** Bytes that it takes up. */
  readonly bytes: number
  giveUp: () => void
}

/** Limits the memory of all keepers together. When it is exceeded, the least recently used one drops records first. */
export class Budget {
  readonly #limit: number
  readonly #keepers = new Recency<Keeper>()
  #bytes = 0

  constructor(limit = Infinity) {
    this.#limit = limit
  }

  /** Bytes that all keepers take up. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds to the total, or subtracts if negative. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Marks a keeper as just used, and makes the least recently used ones drop records until the limit is met. */
  use(keeper: Keeper): void {
    this.#keepers.touch(keeper)
    while (this.#bytes > this.#limit) {
      const idle = this.#keepers.oldest!
      if (idle.bytes === 0) this.#keepers.remove(idle)
      else idle.giveUp()
    }
  }

  /** Forgets a keeper that has become empty. */
  leave(keeper: Keeper): void {
    this.#keepers.remove(keeper)
  }
}

/** Approximate sizes in V8, in bytes. */
const TEXT = 24
const OBJECT = 56
const PROPERTY = 48
const ARRAY = 48
const SLOT = 8
const NUMBER = 16

/** Memory of a text, in bytes. */
export const textSize = (text: string): number => TEXT + text.length

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

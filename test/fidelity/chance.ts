/** A stream of random values that depends only on its name. */
export class Chance {
  #state: number

  constructor(name: string) {
    // FNV-1a: similar names give unrelated streams.
    this.#state = Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619), 2166136261)
  }

  /** From 0 to 1, excluding 1. */
  next(): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A whole number, including both bounds. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  /** All orders of magnitude are equally likely. */
  magnitude(least: number, most: number): number {
    return Math.exp(this.between(Math.log(least), Math.log(most)))
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)]!
  }

  shuffle<T>(list: readonly T[]): T[] {
    const rest = [...list]
    return list.map(() => rest.splice(this.whole(0, rest.length - 1), 1)[0]!)
  }
}

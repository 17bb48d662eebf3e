/** A stream of random values that depends only on its name. */
export class Chance {
  #state: number

  constructor(name: string) {
    // FNV-1a: names that differ in one character lead to streams that have nothing in common.
    this.#state = Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619), 2166136261)
  }

  /** From 0 to 1, without 1. */
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

  /** A whole number; both bounds can come out. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  /** Small values are as likely as large ones, measured by their orders of magnitude. */
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

/** Counts values by size, cheaply enough to be always on. */
export class Histogram {
  /** Upper bounds of the buckets, ascending. One more bucket has the higher values. */
  readonly bounds: readonly number[]
  /** Number of values in each bucket. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    let bucket = 0
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += value
  }
}

/** Counts values by their size, so cheaply that it need not be turned on. */
export class Histogram {
  /** Upper bounds of the buckets, ascending; a last bucket has what is above all of them. */
  readonly bounds: readonly number[]
  /** Number of values in each bucket. */
  readonly counts: number[]
  /** Sum of all values. */
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

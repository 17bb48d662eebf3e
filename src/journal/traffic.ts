import { Histogram } from '../lib/histogram.js'

/** Upper bounds of durations, in seconds: a read takes some tenths of a millisecond. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The requests for one operation. */
interface OperationTraffic {
  /** Number of requests by status; undefined: a fault dropped the reply. */
  readonly statuses: Map<number | undefined, number>
  readonly durations: Histogram
}

/** Counts the requests to the interface in the whole server, since it started. */
export class Traffic {
  readonly #operations = new Map<string | undefined, OperationTraffic>()

  /** By operationId; undefined: requests for none. */
  get operations(): ReadonlyMap<string | undefined, OperationTraffic> {
    return this.#operations
  }

  /** @param seconds until its reply was ready; undefined: not measured */
  count(operation: string | undefined, status: number | undefined, seconds: number | undefined): void {
    let traffic = this.#operations.get(operation)
    if (traffic === undefined)
      this.#operations.set(operation, (traffic = { statuses: new Map(), durations: new Histogram(DURATIONS) }))
    traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1)
    if (seconds !== undefined) traffic.durations.add(seconds)
  }
}

import { parseTimestamp } from '../lib/time.js'
import type { Exchange } from './exchange.js'

/** The bounds of a length of time, in milliseconds. */
export interface Interval {
  readonly min: number
  readonly max: number
}

interface Running {
  /** When it began, at the earliest and the latest; NaN if unknown. */
  readonly earliest: number
  readonly latest: number
  /** When a reply last showed it. */
  seen: number
}

/** How far the clocks of the service and of the recorder may differ, and so the measured lengths of a transition. */
export const TOLERANCE_MS = 1000

/** Measures transitions from the exchanges between which they begin and end. */
export class Timing {
  readonly #running = new Map<string, Running>()

  /** A transition begins between the sending of a request and its reply. */
  begin(transition: string, resource: string, { sent, answered }: Pick<Exchange, 'sent' | 'answered'>): void {
    this.#running.set(`${transition} ${resource}`, { earliest: sent, latest: answered, seen: -Infinity })
  }

  /** The same, unless the transition is known. */
  beginUnlessKnown(transition: string, resource: string, moment: Pick<Exchange, 'sent' | 'answered'>): void {
    if (!this.#running.has(`${transition} ${resource}`)) this.begin(transition, resource, moment)
  }

  /** A reply shows that a transition is running. */
  see(transition: string, resource: string, { sent }: Exchange): void {
    const key = `${transition} ${resource}`
    const running = this.#running.get(key)
    if (running === undefined) this.#running.set(key, { earliest: NaN, latest: NaN, seen: sent })
    else running.seen = Math.max(running.seen, sent)
  }

  /** Whether a request began it, or a reply has shown it. */
  isKnown(transition: string, resource: string): boolean {
    return this.#running.has(`${transition} ${resource}`)
  }

  /** Something interrupts the transitions of a resource. */
  forget(resource: string): void {
    for (const key of this.#running.keys()) if (key.endsWith(` ${resource}`)) this.#running.delete(key)
  }

  /** How long a transition has been running, at least; NaN if its beginning is unknown. */
  soFar(transition: string, resource: string, { sent }: Exchange): number {
    return sent - (this.#running.get(`${transition} ${resource}`)?.latest ?? NaN)
  }

  /** An exchange shows that a transition has ended. @returns how long it took; undefined if its beginning is unknown */
  end(transition: string, resource: string, { answered }: Exchange): Interval | undefined {
    const running = this.#running.get(`${transition} ${resource}`)
    if (running === undefined) return undefined
    this.#running.delete(`${transition} ${resource}`)
    const { earliest, latest, seen } = running
    if (Number.isNaN(latest)) return undefined
    return { min: Math.max(0, seen - latest), max: Math.max(0, answered - earliest) }
  }
}

/** Smaller numbers are seconds since 1970, until the year 5138. */
const LEAST_MILLISECONDS = 100_000_000_000

/** Milliseconds since 1970 of a time in a reply, in any of its forms; undefined if it cannot be read. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'number') return parseTimestamp(String(value))
  return value < LEAST_MILLISECONDS ? value * 1000 : value
}

/** The forms of timestamps, by their names in a profile. */
const TIME_FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  seconds: (value) => /^[\d-]{10}T[\d:]{8}Z$/.test(String(value)),
  milliseconds: (value) => /^[\d-]{10}T[\d:]{8}\.\d+Z$/.test(String(value)),
  go: (value) => /^[\d-]{10} [\d:.]+ \+0000 UTC$/.test(String(value)),
  unix: (value) => Number.isInteger(value) && String(value).length === 10,
  unix_ms: (value) => Number.isInteger(value) && String(value).length === 13
}

/** The form of a timestamp; undefined if a value is none. */
export const timeFormOf = (value: unknown): string | undefined =>
  Object.keys(TIME_FORMS).find((name) => TIME_FORMS[name]!(value))

import { isDeepStrictEqual } from 'node:util'
import type { RequestEntry } from '../../journal/journal.js'
import { groupBy } from '../../lib/group-by.js'
import { hasMasked } from '../../lib/mask.js'
import type { Finding } from './finding.js'
import { callName, isAfter, pauseBetween, runsOf } from './runs.js'

/** Milliseconds after a reply that reports overload within which a repetition may be too early. */
const BACK_OFF = 1000
/** Minimum of the first pause, if they grow. */
const FIRST_PAUSE = 100
/** How much longer the later pauses are than the earlier ones, at least, if they grow. */
const GROWTH = 1.5

const isBusy = ({ outcome: { status } }: RequestEntry) => status === 429 || status === 503

/** Finds calls repeated within a second of a 429 or 503 without `Retry-After`, unless the pauses grow from a tenth. */
export function findMissingBackOff(requests: readonly RequestEntry[]): Finding[] {
  return retries(
    requests,
    (earlier, later) =>
      isBusy(earlier) && earlier.outcome.retryAfter === undefined && pauseBetween(earlier, later) < BACK_OFF
  )
    .filter((run) => !isBackingOff(run.slice(1).map((later, index) => pauseBetween(run[index]!, later))))
    .map((run) => ({
      rule: 'no-back-off',
      message:
        `${callName(run[0]!)} was repeated ${times(run.length - 1)} within a second of a ${run[0]!.outcome.status}; ` +
        'wait longer before each new try.',
      requests: run.map(({ id }) => id)
    }))
}

/** Whether pauses grow, or a single one may be the first of some that do. */
const isBackingOff = (pauses: readonly number[]) =>
  pauses[0]! >= FIRST_PAUSE && (pauses.length === 1 || isGrowing(pauses))

/** Whether pauses grow: somewhere twice in a row, or by and large, whatever random parts they have. */
export function isGrowing(pauses: readonly number[]): boolean {
  const isLonger = (index: number) => pauses[index]! > 0 && pauses[index]! >= GROWTH * pauses[index - 1]!
  if (pauses.length < 2) return false
  if (pauses.some((_, index) => index > 1 && isLonger(index) && isLonger(index - 1))) return true
  const middle = Math.ceil(pauses.length / 2)
  const [earlier, later] = [meanOf(pauses.slice(0, middle)), meanOf(pauses.slice(middle))]
  return later > 0 && later >= GROWTH * earlier
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Finds calls repeated before the time that `Retry-After` asked for. */
export function findIgnoredRetryAfter(requests: readonly RequestEntry[]): Finding[] {
  return retries(
    requests,
    (earlier, later) => pauseBetween(earlier, later) < (earlier.outcome.retryAfter ?? 0) * 1000
  ).map((run) => ({
    rule: 'retry-after-ignored',
    message:
      `${callName(run[0]!)} was repeated ${times(run.length - 1)} before the ${run[0]!.outcome.retryAfter!} ` +
      's were over that Retry-After of a ' +
      `${run[0]!.outcome.status} asked for; wait as long as it says.`,
    requests: run.map(({ id }) => id)
  }))
}

/** Finds identical calls repeated after a 4xx, with the same error again. A 429 asks for a retry. */
export function findIgnoredErrors(requests: readonly RequestEntry[]): Finding[] {
  const isRefused = ({ outcome: { status } }: RequestEntry) =>
    status !== undefined && status >= 400 && status < 500 && status !== 429
  return retries(
    requests,
    (earlier, later) =>
      isRefused(earlier) &&
      earlier.outcome.status === later.outcome.status &&
      earlier.outcome.error?.message === later.outcome.error?.message &&
      // A masked secret may have changed.
      isDeepStrictEqual(earlier.body, later.body) &&
      !hasMasked(later.body)
  ).map((run) => ({
    rule: 'error-ignored',
    message:
      `${callName(run[0]!)} was repeated ${times(run.length - 1)} as it was after a ` +
      `${run[0]!.outcome.status} (${run[0]!.outcome.error?.message ?? ''}), ` +
      'with the same error again; mend the request, or stop.',
    requests: run.map(({ id }) => id)
  }))
}

/** Runs of the same call, each of which is a retry of the previous one according to `isRetry`. */
function retries(
  requests: readonly RequestEntry[],
  isRetry: (earlier: RequestEntry, later: RequestEntry) => boolean
): RequestEntry[][] {
  return [...groupBy(requests, callName).values()].flatMap((calls) =>
    runsOf(calls, (earlier, later) => isAfter(earlier, later) && isRetry(earlier, later))
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

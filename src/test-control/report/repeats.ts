import type { RequestEntry } from '../../journal/journal.js'
import { groupBy } from '../../lib/group-by.js'
import { isReading } from '../../lib/is-reading.js'
import { hasMasked } from '../../lib/secrets.js'
import { type Finding, findingOf } from './schemas.js'

type Requests = readonly RequestEntry[]

/** Minimum milliseconds between two identical reads, and of a pause after a reply that reports overload. */
const PAUSE = 1000
/** Minimum number of consecutive reads that count as polling. */
const FEWEST_POLLS = 3
/** Minimum of the first pause after a reply that reports overload, if they grow. */
const FIRST_PAUSE = 100
/** Minimum ratio of later to earlier pauses, if they grow. */
const GROWTH = 1.5

/** Names a call by method, path and query. */
function callName({ method, path, query }: RequestEntry): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value as string}`)
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/**
 * Milliseconds between a reply and a later call, by the clock that advanced further: moving the sandbox's clock counts
 * as waiting, too.
 */
export function pauseBetween(earlier: RequestEntry, later: RequestEntry): number {
  return Math.max(later.received - earlier.replied, later.at - earlier.at)
}

/** Whether a call was made after the reply to another, so that they did not overlap. */
const isAfter = (earlier: RequestEntry, later: RequestEntry) => later.received >= earlier.replied

/** Also tells bodies apart: calls with the same whole name request the same thing. */
const wholeName = (request: RequestEntry) => `${callName(request)} ${JSON.stringify(request.body)}`

const isRead = ({ method }: RequestEntry) => isReading(method)

/** The resource that a call is about; for a change, also what that is in, because the next read may look at it. */
function placesOf(request: RequestEntry): string[] {
  const { workgroupID, workspaceID } = request.params
  const places = ['', workgroupID, workspaceID].filter((id) => id !== undefined)
  return isRead(request) ? places.slice(-1) : places
}

/**
 * Finds consecutive reads of one URL, without another call about the same resource or a change inside it in between,
 * each less than a second after the previous one by both clocks.
 */
export function findFastPolls(requests: Requests): Finding[] {
  const isSoon = (earlier: RequestEntry, later: RequestEntry) =>
    isAfter(earlier, later) && later.received - earlier.received < PAUSE && later.at - earlier.at < PAUSE
  const calls = requests.filter(({ operation }) => operation !== undefined)
  const ofPlaces = groupBy(
    calls.flatMap((call) => placesOf(call).map((place) => ({ call, place }))),
    ({ place }) => place
  )
  return [...ofPlaces.values()]
    .flatMap((ofPlace) =>
      runsOf(
        ofPlace.map(({ call }) => call),
        (earlier, later) => isRead(later) && callName(earlier) === callName(later) && isSoon(earlier, later)
      )
    )
    .filter(({ length }) => length >= FEWEST_POLLS)
    .map((run) =>
      findingOf(
        'polling-too-fast',
        run,
        `${callName(run[0]!)} was called ${run.length} times in a row; wait at least a second between two reads, by ` +
          'the clock of the machine or of the sandbox.'
      )
    )
}

/** Finds calls repeated within a second of a 429 or 503 without `Retry-After`, unless the pauses grow from a tenth. */
export function findMissingBackOff(requests: Requests): Finding[] {
  const isBusy = ({ outcome: { status, retryAfter } }: RequestEntry) =>
    (status === 429 || status === 503) && retryAfter === undefined
  return retries(requests, (earlier, later) => isBusy(earlier) && pauseBetween(earlier, later) < PAUSE)
    .filter((run) => !isBackingOff(pairsOf(run).map(([earlier, later]) => pauseBetween(earlier, later))))
    .map((run) =>
      findingOf(
        'no-back-off',
        run,
        `${repeated(run)} within a second of a ${run[0]!.outcome.status}; wait longer before each new try.`
      )
    )
}

/** Whether pauses grow, or a single one may be the first of some that do. */
const isBackingOff = (pauses: readonly number[]) =>
  pauses[0]! >= FIRST_PAUSE && (pauses.length === 1 || isGrowing(pauses))

/** Whether pauses grow: somewhere twice in a row, or on average, because they may have random parts. */
export function isGrowing(pauses: readonly number[]): boolean {
  const isLonger = (index: number) => pauses[index]! > 0 && pauses[index]! >= GROWTH * pauses[index - 1]!
  if (pauses.length < 2) return false
  if (pauses.some((_, index) => index > 1 && isLonger(index) && isLonger(index - 1))) return true
  const middle = Math.ceil(pauses.length / 2)
  const [earlier, later] = [meanOf(pauses.slice(0, middle)), meanOf(pauses.slice(middle))]
  return later > 0 && later >= GROWTH * earlier
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Finds calls repeated before the time that `Retry-After` asked for. */
export function findIgnoredRetryAfter(requests: Requests): Finding[] {
  return retries(
    requests,
    (earlier, later) => pauseBetween(earlier, later) < (earlier.outcome.retryAfter ?? 0) * 1000
  ).map((run) => {
    const { status, retryAfter } = run[0]!.outcome
    return findingOf(
      'retry-after-ignored',
      run,
      `${repeated(run)} before the ${retryAfter} s in the Retry-After of a ${status} had passed; wait that long.`
    )
  })
}

/** Finds identical calls repeated after a 4xx, with the same error again. A 429 asks for a retry. */
export function findIgnoredErrors(requests: Requests): Finding[] {
  const isRefused = ({ outcome: { status } }: RequestEntry) =>
    status !== undefined && status >= 400 && status < 500 && status !== 429
  return retries(
    requests,
    (earlier, later) =>
      isRefused(earlier) &&
      earlier.outcome.status === later.outcome.status &&
      earlier.outcome.error?.message === later.outcome.error?.message &&
      // A masked secret may have changed.
      !hasMasked(later.body)
  ).map((run) => {
    const { status, error } = run[0]!.outcome
    return findingOf(
      'error-ignored',
      run,
      `${repeated(run)} unchanged after a ${status} (${error?.message ?? ''}), with the same error again; correct ` +
        'the request, or stop.'
    )
  })
}

/** Runs of the same call, each of which is a retry of the previous one according to `isRetry`. */
function retries(requests: Requests, isRetry: (earlier: RequestEntry, later: RequestEntry) => boolean): Requests[] {
  return [...groupBy(requests, wholeName).values()].flatMap((calls) =>
    runsOf(calls, (earlier, later) => isAfter(earlier, later) && isRetry(earlier, later))
  )
}

/** Groups neighbours that belong together into runs of at least two items, in order. */
function runsOf<T>(items: readonly T[], belong: (earlier: T, later: T) => boolean): T[][] {
  const runs: T[][] = []
  items.forEach((item, index) => {
    const earlier = items[index - 1]
    if (earlier !== undefined && belong(earlier, item)) runs.at(-1)!.push(item)
    else runs.push([item])
  })
  return runs.filter((run) => run.length > 1)
}

const pairsOf = <T>(items: readonly T[]) => items.slice(1).map((item, index) => [items[index]!, item] as const)

const repeated = (run: Requests) => `${callName(run[0]!)} was repeated (${run.length} calls)`

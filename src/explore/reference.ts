import { groupBy } from '../lib/group-by.js'
import { quantity } from '../lib/quantity.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { STATES } from '../resources/states.js'
import { IGNORED_INPUT } from '../test-control/report/ignored-input.js'
import { type Difference, differenceOf, isSame, type Surplus } from './end-state.js'
import { ExploreError } from './explore-error.js'
import { commonWords, INVENTED, type Masking, maskInvented, maskUnless } from './masking.js'
import type { ExploreFault, PlannablePoint } from './plans.js'
import { callInWords, callOf, describePoint, isDeletion, isWithin, type NamedRequest, nameOf } from './points.js'
import type { Attempt, Limits, Run, Runner } from './run.js'
import { differenceInWords, listed, nounOf } from './words.js'

/** The client's behaviour without any fault. */
export type Reference = Awaited<ReturnType<typeof referenceOf>>

export class ReferenceFailed extends ExploreError {
  constructor(readonly reason: string) {
    super(`the client fails without any fault: ${reason}`)
  }
}

/** The client does not end without any fault. */
export class ReferenceHung extends ExploreError {}

/** Maskings to try in turn; the second one depends on the runs that differed under the first. */
const MASKINGS: readonly ((runs: readonly Run[]) => Masking)[] = [
  () => maskInvented,
  // A client may generate different names in each run. Some states may be seen only after a fault.
  (runs) => maskUnless(commonWords(runs.map((run) => JSON.stringify([textsOf(run), STATES]))))
]

const textsOf = ({ requests, end }: Run) => [requests.map(({ query, body }) => [query, body]), end]

/**
 * Runs a client repeatedly without any fault, and masks just enough to make the runs agree.
 * @throws {ExploreError} if it fails, calls nothing, or differs from run to run
 */
export async function referenceOf(
  runner: Runner,
  attempt: Attempt,
  { timeout, ...settings }: Limits & { readonly hasToWait: boolean }
) {
  let disagreement = ''
  let runs: readonly Run[] = []
  for (const choose of MASKINGS) {
    const masking = choose(runs)
    const runOnce = async (startsLater: boolean) => {
      const run = await runner.run(attempt, { masking, looksBack: true, startsLater, timeout, ...settings })
      requireSuccess(run, timeout)
      return run
    }
    const [first, second] = [await runOnce(false), await runOnce(true)]
    runs = [first, second]
    disagreement = disagreementOf(first, second)
    const start = await runner.endOf(runner.baseline, masking)
    const points = pointsOf(runner.plane, first, second)
    for (const run of runs) runner.forget(run)
    if (disagreement !== '') continue
    const left = differenceOf(start, first.end)
    return {
      masking,
      /** Whether transitions took a moment, so that the client had to wait. */
      hasToWait: settings.hasToWait,
      start,
      points,
      run: first,
      /** Possible mistakes, each as a sentence. */
      questions: [
        ...ignoredIn(runner.plane, first),
        ...refusedIn(first),
        ...alternating(first),
        ...unwatched(points),
        ...mixedUpIn(first, left),
        ...left.extra.filter(isDouble).map((item) => `the client leaves ${nounOf(item)}`)
      ]
    }
  }
  throw new ExploreError(`the client does not do the same twice, so nothing can be compared: ${disagreement}`)
}

/** Fields, parameters and paths that the service does not know, in the words of the report. */
function ignoredIn(plane: ControlPlane, { requests }: Run): string[] {
  return IGNORED_INPUT.flatMap((find) => find(requests, plane)).map(({ rule, message }) => {
    const text = message.replace(/\.$/, '')
    return rule === 'unknown-path' ? `a call fails: ${text}` : text
  })
}

/** Writes that were refused although the client ended with success. */
function refusedIn({ seen, requests }: Run): string[] {
  const statuses = new Map(requests.map(({ id, outcome }) => [id, outcome.status ?? 0]))
  return seen
    .filter(({ id, isRead }) => !isRead && (statuses.get(id) ?? 0) >= 400)
    .map(({ id, point }) => `${describePoint(point)} was refused with ${statuses.get(id)!}, and the client succeeded`)
}

/** Updates of the resource that the path names; others name it in the body. */
const SETS_ONE = /^update(?!WorkspaceSchedule|DatabaseUserPassword)/

/** Settings that the client changes to one value and back, and then again: two parts of it may disagree. */
function alternating({ seen }: Run): string[] {
  const updates = seen.filter(({ point }) => SETS_ONE.test(point.operation))
  return [...groupBy(updates, ({ point }) => callInWords(point))]
    .filter(([, own]) =>
      own
        .map(({ point }) => point.digest)
        .some((digest, index, all) => {
          const [first, second, third] = all.slice(index - 3, index)
          return index >= 3 && first === third && second === digest && third !== digest
        })
    )
    .map(([call, { length }]) => `${call} sets the same two values alternately, in ${length} calls`)
}

/** Transitions whose end the client does not wait for. That of a deletion matters if something around it goes, too. */
function unwatched(points: readonly PlannablePoint[]): string[] {
  const isAround = (inner: string, { point }: PlannablePoint) =>
    isDeletion(point) && inner.startsWith(`${point.resource}/`)
  return points
    .filter(({ transitions, isWatched }) => transitions.length > 0 && !isWatched)
    .filter(({ point }) => !isDeletion(point) || points.some((other) => isAround(point.resource, other)))
    .map(({ point }) => `the client does not check whether ${describePoint(point)} succeeds in the end`)
}

/** Whether a client that cleans up leaves something, or removes what it did not create. */
function mixedUpIn({ seen }: Run, { extra, missing }: Difference): string[] {
  const isOwn = (resource: string) => !missing.some(({ path }) => isWithin(path, resource) || isWithin(resource, path))
  if (!seen.some(({ point }) => isDeletion(point) && isOwn(point.resource))) return []
  const left = extra.length === 0 ? [] : [`the client deletes something, but leaves ${listed(extra.map(nounOf))}`]
  if (missing.length === 0) return left
  return [...left, `the client cleans up, but also removes ${listed(missing.map(nounOf))}, which it did not create`]
}

/** What the second of two successive runs changes. A client that runs every night leaves more each time. */
export function againIn(first: Run, second: Run): string[] {
  if (second.ending !== 'done') return []
  const more = differenceInWords(differenceOf(first.end, second.end))
  return more === '' ? [] : [`a second run of the client ends differently: ${more}`]
}

/** Writes that depend on the time zone of the machine. @param again runs the client here: the date may have changed */
export async function localIn(run: Run, elsewhere: Run, again: () => Promise<Run>): Promise<string[]> {
  const there = writesOf(elsewhere)
  if (elsewhere.ending !== 'done' || lacking(writesOf(run), there).length === 0) return []
  const here = lacking(writesOf(await again()), there)
  const local = run.seen.filter(({ point, isRead }) => !isRead && here.includes(nameOf(point)))
  return local.map(({ point }) => `${describePoint(point)} depends on the time zone of the machine`)
}

/** Whether the client creates it more than once, under a name that it did not generate. */
const isDouble = ({ count, expected, path }: Surplus) => count > expected + 1 && !path.includes(INVENTED)

function requireSuccess(run: Run, timeout: number): void {
  const { ending, reason, seen, isOverdue, requests, sandbox } = run
  const [first] = requests
  const { journal } = sandbox
  if (ending === 'hung') {
    const calls = [...groupBy(seen, ({ point }) => callInWords(point))].sort(([, a], [, b]) => a.length - b.length)
    const [busiest] = calls.slice(-1).map(([call, { length }]) => `; it called ${call} ${quantity(length, 'time')}`)
    const limit = isOverdue ? 'its virtual time' : `${timeout / 1000} s`
    const text = `the client did not end within ${limit}, even without any fault${busiest ?? ''}; allow it more time`
    throw new ReferenceHung(text)
  }
  if (ending !== 'done') throw new ReferenceFailed(reason)
  if (!journal.isOn || journal.dropped > 0)
    throw new ExploreError('the journal has no room for all requests of a run; raise journalRequests and journalBytes')
  if (seen.length > 0) return
  if (first === undefined) throw new ExploreError('the client never called the server with the key of its run')
  throw new ExploreError(`no call of the client is an operation: ${first.outcome.error!.message}`)
}

/** How two runs differ, in words; empty if they do not. The number of reads may vary. */
function disagreementOf(first: Run, other: Run): string {
  const [a, b] = [writesOf(first), writesOf(other)]
  const only = [...lacking(a, b), ...lacking(b, a)]
  if (only.length > 0) return `only one of two runs made ${[...new Set(only)].slice(0, MOST_NAMED).join(', ')}`
  const difference = differenceOf(first.end, other.end)
  return isSame(difference) ? '' : `two runs ended differently: ${differenceInWords(difference)}`
}

/** Maximum number of requests that a message names. */
const MOST_NAMED = 5

const writesOf = ({ seen }: Run) => seen.filter(({ isRead }) => !isRead).map(({ point }) => nameOf(point))
const lacking = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name))

/** The points that occur in both runs. */
function pointsOf(plane: ControlPlane, run: Run, { seen }: Run): PlannablePoint[] {
  const names = new Set(seen.map(({ point }) => nameOf(point)))
  return plannable(plane, run).filter(({ point }) => names.has(nameOf(point)))
}

/** The requests of a run as points, each once. */
export function plannable(plane: ControlPlane, { seen, changing, fresh, sandbox }: Run): PlannablePoint[] {
  return seen.flatMap(({ id, point, isRead, isRepeat }, index) => {
    if (isRepeat) return []
    const transitions = isRead
      ? []
      : [...new Set(plane.timeline.listOfRequest(sandbox.key, id).map(({ transition }) => transition))].filter((name) =>
          plane.engine.transitions.has(name)
        )
    const isWatched = seen.slice(index + 1).some((later) => later.isRead && isAbout(later, point.resource))
    const isDeleted = (before: NamedRequest) => isDeletion(before.point) && before.point.resource === point.resource
    const isRecreation = /^create/.test(point.operation) && seen.slice(0, index).some(isDeleted)
    const hasChanged = changing.has(id)
    return [{ point, isRead, isFresh: fresh.has(id), hasChanged, isRecreation, transitions, isWatched }]
  })
}

/** Whether a read shows a resource, alone or in a list, or a job on it. */
function isAbout({ point: { operation, resource } }: NamedRequest, shown: string): boolean {
  const isList = operation.startsWith('list') || operation === 'getWorkgroup'
  return isWithin(resource, shown) || (isList && isWithin(shown, resource))
}

/** The number of requests with the same operation and resource that changed something. */
export function changesOf({ seen, changing }: Run, { operation, resource }: PlannablePoint['point']): number {
  return seen.filter(
    ({ id, point }) => point.operation === operation && point.resource === resource && changing.has(id)
  ).length
}

/** The requests that make the same call, from a given one on; all if it is undefined. */
export function callsSince(
  { seen }: Run,
  point: PlannablePoint['point'],
  hit: NamedRequest | undefined
): NamedRequest[] {
  const calls = seen.filter((other) => callOf(other.point) === callOf(point))
  return hit === undefined ? calls : calls.slice(calls.findIndex(({ id }) => id === hit.id))
}

/** How often the client made a call again after a fault, apart from later calls that it makes for another reason. */
export function repeatsOf(reference: Run, { seen, hits }: Run, { point }: ExploreFault): number {
  const isSame = (other: NamedRequest) => callOf(other.point) === callOf(point)
  const [hit] = hits.at(-1)!
  const since = hit === undefined ? [] : seen.slice(seen.indexOf(hit) + 1)
  const usual = reference.seen.filter((other) => isSame(other) && other.point.occurrence > point.occurrence)
  // Until it goes on with another change, it can only mean the same one.
  const next = since.findIndex((other) => !other.isRead && !isSame(other))
  const atOnce = since.slice(0, next < 0 ? undefined : next).filter(isSame)
  return Math.max(atOnce.length, since.filter(isSame).length - usual.length)
}

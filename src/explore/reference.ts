import type { ControlPlane } from '../resources/control-plane.js'
import { STATES } from '../resources/states.js'
import { type Difference, differenceOf, isSame, type Resource } from './end-state.js'
import { ExploreError } from './explore-error.js'
import { commonWords, type Masking, maskInvented, maskUnless } from './masking.js'
import type { PlannablePoint } from './plans.js'
import { callOf, describePoint, isDeletion, type Met, nameOf } from './points.js'
import type { Attempt, Limits, Ran, Runner } from './run.js'
import { differenceInWords, listed, nounOf } from './words.js'

/** What a client does when nothing goes wrong. */
export interface Reference {
  readonly masking: Masking
  /** Whether it was seen to wait for transitions that take a moment. */
  readonly hasToWait: boolean
  /** What there is before it, and after it. */
  readonly start: readonly Resource[]
  readonly end: readonly Resource[]
  /** Whether it leaves what it found. */
  readonly leavesNothing: boolean
  readonly points: readonly PlannablePoint[]
  readonly ran: Ran
  /** What may be a mistake although nothing went wrong, each as a sentence. */
  readonly questions: readonly string[]
}

/** The client fails although nothing goes wrong. */
export class ReferenceFailed extends ExploreError {
  constructor(readonly reason: string) {
    super(`the client fails although nothing goes wrong: ${reason}`)
  }
}

/** What to mask: as little as possible, or more, given the runs that did not agree with that. */
const MASKINGS: readonly ((runs: readonly Ran[]) => Masking)[] = [
  () => maskInvented,
  // A client that draws a name draws another one in each run. A state may be seen only when something goes wrong.
  (runs) => maskUnless(commonWords(runs.map((ran) => JSON.stringify([textsOf(ran), STATES]))))
]

const textsOf = ({ requests, end }: Ran) => [requests.map(({ query, body }) => [query, body]), end]

/**
 * Runs a client without any fault, several times, and masks as little as makes the runs agree.
 * @throws {ExploreError} if it fails, calls nothing, or differs from run to run
 */
export async function referenceOf(
  runner: Runner,
  attempt: Attempt,
  { timeout, ...settings }: Limits & { readonly hasToWait: boolean }
): Promise<Reference> {
  const { plane, baseline } = runner
  let disagreement = ''
  let runs: readonly Ran[] = []
  for (const choose of MASKINGS) {
    const masking = choose(runs)
    const run = async () => {
      const ran = await runner.run(attempt, { masking, looksBack: true, timeout, ...settings })
      requireSuccess(ran, timeout)
      return ran
    }
    const [first, second] = [await run(), await run()]
    runs = [first, second]
    disagreement = disagreementOf(first, second)
    if (disagreement === '') {
      const begins = await runner.endOf(baseline, masking)
      const points = pointsOf(plane, first, second)
      const left = differenceOf(begins, first.end)
      const reference = {
        masking,
        hasToWait: settings.hasToWait,
        start: begins,
        end: first.end,
        leavesNothing: isSame(left),
        points,
        ran: first,
        questions: [...refusedIn(first), ...unwatched(points), ...forgottenIn(first, left)]
      }
      for (const ran of runs) runner.forget(ran)
      return reference
    }
    for (const ran of runs) runner.forget(ran)
  }
  throw new ExploreError(`the client does not do the same twice, so nothing can be compared: ${disagreement}`)
}

/** Writes that were refused, which a client that ended with success may have taken for done. */
function refusedIn({ met, requests }: Ran): string[] {
  const statuses = new Map(requests.map(({ id, outcome }) => [id, outcome.status ?? 0]))
  return met
    .filter(({ id, isRead }) => !isRead && (statuses.get(id) ?? 0) >= 400)
    .map(({ id, point }) => `${describePoint(point)} was refused with ${statuses.get(id)!}, and the client succeeded`)
}

/** Transitions whose end nobody waits for. */
function unwatched(points: readonly PlannablePoint[]): string[] {
  return points
    .filter(({ point, transitions, isWatched }) => transitions.length > 0 && !isWatched && !isDeletion(point))
    .map(({ point }) => `the client does not look whether ${describePoint(point)} succeeds in the end`)
}

/** What a client that cleans up leaves all the same. */
function forgottenIn({ met }: Ran, { extra }: Difference): string[] {
  if (extra.length === 0 || !met.some(({ point }) => isDeletion(point))) return []
  return [`the client deletes something, but leaves ${listed(extra.map(nounOf))}`]
}

function requireSuccess({ ending, reason, met }: Ran, timeout: number): void {
  if (ending === 'hung')
    throw new ExploreError(
      `the client did not end within ${timeout / 1000} s although nothing went wrong; allow it more time`
    )
  if (ending !== 'done') throw new ReferenceFailed(reason)
  if (met.length === 0) throw new ExploreError('the client never called the server')
}

/** How two runs differ, in words; empty if they do not. Reads may come more or less often. */
function disagreementOf(first: Ran, other: Ran): string {
  const [a, b] = [writesOf(first), writesOf(other)]
  const only = [...lacking(a, b), ...lacking(b, a)]
  if (only.length > 0) return `only one of two runs made ${[...new Set(only)].slice(0, MOST_NAMED).join(', ')}`
  const difference = differenceOf(first.end, other.end)
  return isSame(difference) ? '' : `two runs ended differently: ${differenceInWords(difference)}`
}

/** Maximum number of requests that a message names. */
const MOST_NAMED = 5

const writesOf = ({ met }: Ran) => met.filter(({ isRead }) => !isRead).map(({ point }) => nameOf(point))
const lacking = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name))

/** The points that both runs have. */
function pointsOf(plane: ControlPlane, ran: Ran, { met }: Ran): PlannablePoint[] {
  const names = new Set(met.map(({ point }) => nameOf(point)))
  return plannable(plane, ran).filter(({ point }) => names.has(nameOf(point)))
}

/** The requests of a run as points, each once. */
export function plannable(plane: ControlPlane, { met, changing, fresh, sandbox }: Ran): PlannablePoint[] {
  return met.flatMap(({ id, point, isRead, isRepeat }, index) => {
    if (isRepeat) return []
    const transitions = isRead
      ? []
      : [...new Set(plane.timeline.listOfRequest(sandbox.key, id).map(({ transition }) => transition))].filter((name) =>
          plane.engine.transitions.has(name)
        )
    const isWatched = met.slice(index + 1).some((later) => later.isRead && isAbout(later, point.resource))
    const isDeleted = (before: Met) => isDeletion(before.point) && before.point.resource === point.resource
    const isRemade = /^create/.test(point.operation) && met.slice(0, index).some(isDeleted)
    const hasChanged = changing.has(id)
    return [{ point, isRead, isFresh: fresh.has(id), hasChanged, isRemade, transitions, isWatched }]
  })
}

/** Whether a read shows a resource, by itself or in a list. */
function isAbout({ point: { operation, resource } }: Met, shown: string): boolean {
  const isList = operation.startsWith('list') || operation === 'getWorkgroup'
  return resource === shown || (isList && (resource === '' || shown.startsWith(`${resource}/`)))
}

/** Number of requests with the same operation and resource that changed something. */
export function changesOf({ met, changing }: Ran, { operation, resource }: PlannablePoint['point']): number {
  return met.filter(({ id, point }) => point.operation === operation && point.resource === resource && changing.has(id))
    .length
}

/** The requests with the call of a point, from one of them on; all if it is undefined. */
export function callsSince({ met }: Ran, point: PlannablePoint['point'], hit: Met | undefined): Met[] {
  const calls = met.filter((other) => callOf(other.point) === callOf(point))
  return hit === undefined ? calls : calls.slice(calls.findIndex(({ id }) => id === hit.id))
}

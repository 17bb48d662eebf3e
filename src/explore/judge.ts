import { isGrowing, meanOf, pauseBetween } from '../test-control/report/repeats.js'
import { type Difference, differenceOf, isSame, type Resource, type Surplus } from './end-state.js'
import type { FindingKind } from './finding-kinds.js'
import { type ExploreFault, isLong, kindOf } from './plans.js'
import { callOf, describePoint, isCreation, isDeletion } from './points.js'
import { callsSince, changesOf, type Reference, repeatsOf } from './reference.js'
import type { Run } from './run.js'
import { capital, differenceInWords, duplicateInWords, listed, nounOf } from './words.js'

export interface Problem {
  readonly kind: FindingKind
  /** The resource or rule concerned, the same in each run. */
  readonly subject: string
  /** A sentence for the client's author. */
  readonly summary: string
}

/** The verdict on a run. */
export interface Judgement {
  readonly result: 'recovered' | 'reported' | 'undecided' | 'missed' | 'problem'
  readonly problem?: Problem
  /** How the end of the run, or of its recovery, differs from that of the reference. */
  readonly difference: Difference
  readonly recovery?: Run
}

/** The circumstances of a run. */
interface Context {
  readonly reference: Reference
  readonly faults: readonly ExploreFault[]
  /** Runs the recovery, or the client again, after a run. */
  readonly recover: (after: Run) => Promise<Run>
  /** Whether the recovery is a separate client. */
  readonly hasRecovery: boolean
  /** Whether each run may create its own copies. */
  readonly isOneShot: boolean
  /** The second of two successive runs. */
  readonly second: () => Promise<Run>
  /** Lets the transitions of a run end. @returns the run with its new end */
  readonly release: (run: Run) => Promise<Run>
  /** Whether the run had more time than usual. */
  readonly isPatient: boolean
}

export async function judge(context: Context, run: Run): Promise<Judgement> {
  const { reference, faults } = context
  const difference = deviationOf(context, run)
  if (run.hits.some((hits) => hits.length === 0))
    return { result: run.ending === 'hung' ? 'undecided' : 'missed', difference }
  const blame = (kind: FindingKind, subject: string, consequence: string): Judgement => ({
    result: 'problem',
    problem: { kind, subject, summary: summaryOf(context, run, consequence) },
    difference
  })
  if (run.beside !== undefined && run.ending !== 'hung') return judgeBeside(context, run, blame)
  switch (run.ending) {
    case 'hung':
      return mayBeWaiting(context, run) ? { result: 'undecided', difference } : blame('hang', '', 'it did not end')
    case 'killed':
      return judgeRecovery(context, run, difference, blame)
    case 'done': {
      const wrong = judgeEnd('it', difference, duplicateOf(context, run, difference), blame)
      if (wrong !== undefined) return wrong
      const idle = faults.find(({ point }) => changesOf(reference.run, point) > 0 && changesOf(run, point) === 0)
      if (idle !== undefined)
        return blame(
          'false-success',
          '',
          `it ended with success, but ${describePoint(idle.point)} was never carried out`
        )
      return judgeManners(context, run, { result: 'recovered', difference })
    }
    case 'failed':
      return judgeFailure(context, run, blame)
  }
}

/** How a run's end differs from the reference's, apart from interference. */
function deviationOf({ reference, faults }: Context, { end }: Run): Difference {
  const { extra, missing, changed } = differenceOf(reference.run.end, end)
  return { extra, missing, changed: notByOthers(faults, changed) }
}

/** How a run changed the initial state, apart from interference. */
function effectOf({ reference, faults }: Context, { end }: Run): Difference {
  const { extra, missing, changed } = differenceOf(reference.start, end)
  return { extra, missing: notByOthers(faults, missing), changed: notByOthers(faults, changed) }
}

function notByOthers<Item extends Pick<Resource, 'path'>>(faults: readonly ExploreFault[], items: readonly Item[]) {
  const touched = faults.filter((fault) => kindOf(fault).interference !== undefined).map(({ point }) => point.resource)
  return items.filter(({ path }) => !touched.includes(path))
}

/** The resource that was created once too often, even if the client removed the other copy. */
function duplicateOf({ reference, faults }: Context, run: Run, { extra }: Difference): Surplus | undefined {
  const wasCreatedAgain = (path: string) =>
    faults.some(({ point }) => point.resource === path && changesOf(run, point) > changesOf(reference.run, point))
  return extra.find(({ expected, path }) => expected > 0 || wasCreatedAgain(path))
}

type Blame = (kind: FindingKind, subject: string, consequence: string) => Judgement

/** Judges the end of a successful run. */
function judgeEnd(who: 'it' | 'both', difference: Difference, double: Surplus | undefined, blame: Blame) {
  if (double !== undefined)
    return blame('duplicate', subjectOf(double), `${who} ended with success, and ${duplicateInWords(double)}`)
  if (isSame(difference)) return undefined
  return blame('false-success', '', `${who} ended with success, but ${differenceInWords(difference)}`)
}

/** Two concurrent runs must leave the same as two successive ones, unless one of them fails. */
async function judgeBeside(context: Context, run: Run, blame: Blame): Promise<Judgement> {
  const { end } = await context.second()
  const difference = differenceOf(end, run.end)
  if (run.ending === 'failed' || run.beside?.isDone !== true) return { result: 'reported', difference }
  const double = difference.extra.find(({ expected }) => expected > 0)
  return { ...(judgeEnd('both', difference, double, blame) ?? { result: 'recovered' }), difference }
}

async function judgeFailure(context: Context, held: Run, blame: Blame): Promise<Judgement> {
  const { faults } = context
  // In the end, the service would end the held transition.
  const run = faults.some(isLong) ? await context.release(held) : held
  const difference = deviationOf(context, run)
  const reported = judgeManners(context, run, { result: 'reported', difference })
  const double = duplicateOf(context, run, difference)
  if (double !== undefined)
    return blame('duplicate', subjectOf(double), `${failureOf(run)}, and ${duplicateInWords(double)}`)
  if (isExplained(faults, run, difference)) return reported
  const isBlind = faults.some((fault) => kindOf(fault).blinds === true)
  const [left] = difference.extra
  if (left !== undefined && !isBlind)
    return blame(
      'left-behind',
      subjectOf(left),
      `${failureOf(run)}, and left ${listed(difference.extra.map(nounOf))} behind`
    )
  const kept = effectOf(context, run)
  if (isSame(kept)) return reported
  // Its resources may stay if the next run finds them.
  const again = await context.recover(run)
  const after = deviationOf(context, again)
  if (again.ending === 'done' && isSame(after)) return { ...reported, recovery: again }
  const blameAfter: Blame = (...problem) => ({ ...blame(...problem), difference: after, recovery: again })
  const [copy] = after.extra.filter(({ expected }) => expected > 0)
  if (copy !== undefined) {
    if (context.isOneShot) return { ...reported, recovery: again }
    const copied = `${nextRun(context)} did not find what existed, and ${duplicateInWords(copy)}`
    const consequence = `${failureOf(run)}; ${copied}`
    return blameAfter('forgotten', subjectOf(copy), consequence)
  }
  if (isBlind || isSame(difference)) return { ...reported, recovery: again }
  const broken = difference.changed.find(({ property, actual }) => property === 'status' && actual === 'Failed')
  if (broken !== undefined) {
    const leftover = `left the ${broken.kind} ${broken.path} behind, which is Failed`
    const consequence = `${failureOf(run)}, and ${leftover}; ${recoveryInWords(context, again, after)}`
    return blameAfter('left-behind', subjectOf(broken), consequence)
  }
  const done = [...kept.extra, ...kept.missing].map(nounOf)
  const half = ` halfway, having ${kept.extra.length > 0 ? 'created' : 'removed'} ${listed(done)}`
  const consequence = `${failureOf(run)}${done.length === 0 ? '' : half}; ${recoveryInWords(context, again, after)}`
  return blameAfter(context.hasRecovery ? 'not-recovered' : 'left-behind', 'half', consequence)
}

async function judgeRecovery(context: Context, killed: Run, difference: Difference, blame: Blame): Promise<Judgement> {
  const { reference } = context
  const again = await context.recover(killed)
  const after = deviationOf(context, again)
  if (again.ending === 'done') {
    if (isSame(after)) return { result: 'recovered', difference, recovery: again }
    // A killed client cannot clean up. One that usually leaves nothing need only do all of its work again.
    const left = differenceOf(reference.start, killed.end)
    if (isSame(differenceOf(reference.start, reference.run.end)) && JSON.stringify(after) === JSON.stringify(left))
      return { result: 'recovered', difference, recovery: again }
  }
  const consequence = recoveryInWords(context, again, after)
  return { ...blame('not-recovered', '', consequence), difference: after, recovery: again }
}

const nextRun = ({ hasRecovery }: Context) => (hasRecovery ? 'the recovery' : 'run again, it')

function recoveryInWords(context: Context, { ending, reason, seen }: Run, difference: Difference): string {
  const who = nextRun(context)
  if (ending === 'failed')
    return seen.length > 0
      ? `${who} failed (${reason})`
      : `${who} failed before it called anything (${reason}), maybe because of files that the first run left`
  if (ending !== 'done') return `${who} did not end`
  return `${who} ended with success, but ${differenceInWords(difference)}`
}

/** Whether the client still waits for a transition or between attempts, so that it may have a limit. */
function mayBeWaiting({ isPatient, faults }: Context, run: Run): boolean {
  if (run.isOverdue) return false
  if (faults.some((fault) => isLong(fault) || (kindOf(fault).interference !== undefined && run.isUnderWay))) return true
  const { seen, hits } = run
  const since = seen.slice(seen.indexOf(hits.at(-1)![0]!) + 1)
  if (!isPatient || since.length === 0) return false
  return since.length < MOST_TRIES || hasGrowing(pausesOf(run, faults.at(-1)!).pauses)
}

/** A client that makes more attempts without growing pauses has no limit, or one that is too high after a refusal. */
const MOST_TRIES = 10

/**
 * Whether the fault explains the leftovers: a deletion was refused and one resource is left, or another call of the
 * clean-up met a lasting fault.
 */
function isExplained(faults: readonly ExploreFault[], run: Run, { extra }: Difference): boolean {
  const { seen, hits } = run
  const cleanUp = seen.findIndex(({ point }) => isDeletion(point))
  const isDuringCleanUp = (index: number) => cleanUp >= 0 && hits[index]!.some((hit) => seen.indexOf(hit) >= cleanUp)
  return faults.some((fault, index) =>
    isDeletion(fault.point)
      ? extra.length === 1 && (isLasting(fault) || changesOf(run, fault.point) === 0)
      : !isCreation(fault.point) && isLasting(fault) && isDuringCleanUp(index)
  )
}

function isLasting(fault: ExploreFault): boolean {
  const { effect: { status } = {}, tries, outcome } = kindOf(fault)
  // Many clients treat a 408 as a refusal, like the others below 500.
  const isRefusal = status !== undefined && status < 500 && status !== 429
  return tries === Infinity || outcome !== undefined || isRefusal
}

/** A single retry does not show whether the pauses grow. */
const FEWEST_TRIES = 3
/** Milliseconds: calls that are closer together have no pause between them, even on a busy machine. */
const LEAST_PAUSE = 30
/** Milliseconds that count as a second, because timers and clocks round. */
const SECOND = 950
/** Number of requests beyond those of the reference that are acceptable, plus one per second. */
const MOST_REQUESTS = 200

/** Judges whether a client waits when asked to, by the rules of the report, for one call. */
function judgeManners(context: Context, run: Run, otherwise: Judgement): Judgement {
  const { reference, faults } = context
  const impolite = (subject: string, consequence: string): Judgement => ({
    ...otherwise,
    result: 'problem',
    problem: { kind: 'impolite', subject, summary: summaryOf(context, run, consequence) }
  })
  const broken = brokenRuleOf(faults.at(-1)!, run, reference.run)
  if (broken !== undefined) return impolite(broken, RULES_IN_WORDS[broken])
  const more = run.requests.length - reference.run.requests.length
  const [first, last] = [run.requests[0], run.requests.at(-1)]
  const allowed = MOST_REQUESTS + (first === undefined ? 0 : pauseBetween(first, last!) / 1000)
  return more > allowed ? impolite('requests', `it sent ${more} more requests than usual`) : otherwise
}

const RULES_IN_WORDS = {
  'no-back-off': 'it did not wait longer before each attempt',
  'quick-retries': 'it made most of its attempts without a pause, although it waits between some',
  'retry-after-ignored': 'it did not wait as long as Retry-After said',
  'error-ignored': 'it went on, although this can never succeed'
} as const

function brokenRuleOf(fault: ExploreFault, run: Run, reference: Run): keyof typeof RULES_IN_WORDS | undefined {
  const { effect: { status = 0 } = {}, tries } = kindOf(fault)
  const { pauses } = pausesOf(run, fault)
  const more = pauses.length - callsSince(reference, fault.point, undefined).length
  if (tries === Infinity && [400, 401, 403].includes(status) && more >= MOST_TRIES) return 'error-ignored'
  if (fault.retry_after !== undefined) {
    const asked = fault.retry_after * SECOND
    // If several tasks make the same call at once, the next one need not be the one that was asked to wait.
    const isOneOfMany = pausesOf(reference, fault).ticks.some((tick) => tick < LEAST_PAUSE)
    const waited = isOneOfMany ? pauses.reduce((total, pause) => total + pause, 0) : pauses[0]!
    return pauses.length > 0 && waited < asked && !hasGoneOn(fault, run) ? 'retry-after-ignored' : undefined
  }
  const isBusy = status === 503 && tries === Infinity
  if (!isBusy || pauses.length + 1 < FEWEST_TRIES || pauses.every((pause) => pause >= SECOND)) return undefined
  const mean = meanOf(pauses)
  if (mean >= LEAST_PAUSE && mean < SLOWEST * gapOf(reference)) return undefined
  if (!hasGrowing(pauses)) return 'no-back-off'
  // A call that is usually made once has no concurrent tasks whose attempts could follow one another.
  const isUsedOnce = callsSince(reference, fault.point, undefined).length === 1
  const quick = pauses.filter((pause) => pause < LEAST_PAUSE)
  return isUsedOnce && quick.length > pauses.length / 2 ? 'quick-retries' : undefined
}

/** Shorter pauses, in relation to the client's own work, do not show whether they grow: a script starts programs. */
const SLOWEST = 4

/** Milliseconds of the sandbox's clock that the client takes between two requests, at least. */
function gapOf({ requests }: Run): number {
  const gaps = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
  return gaps.length === 0 ? 0 : gaps.reduce((least, gap) => Math.min(least, gap))
}

/** Whether the read came again only after a write, and so for another reason. */
function hasGoneOn({ point }: ExploreFault, run: Run): boolean {
  const hit = run.seen.indexOf(run.hits.at(-1)![0]!)
  const since = run.seen.slice(hit + 1)
  const next = since.findIndex((later) => callOf(later.point) === callOf(point))
  return run.seen[hit]!.isRead && since.slice(0, next).some(({ isRead }) => !isRead)
}

/** Milliseconds between the attempts at a call, from its first fault on: by the sandbox's clock, and in effect. */
function pausesOf(run: Run, { point }: ExploreFault) {
  const ids = callsSince(run, point, run.hits.at(-1)?.[0]).map(({ id }) => id)
  const tries = run.requests.filter(({ id }) => ids.includes(id)).sort((a, b) => a.received - b.received)
  const between = (pause: typeof pauseBetween) => tries.slice(1).map((later, index) => pause(tries[index]!, later))
  const ticks = between((earlier, later) => later.at - earlier.at)
  // In virtual time, real pauses only show how busy the machine is.
  return { ticks, pauses: ticks.every((tick) => tick > 0) ? ticks : between(pauseBetween) }
}

/** Whether pauses grow, ignoring the short ones between concurrent tasks, if a busy machine alone cannot explain it. */
const hasGrowing = (pauses: readonly number[]) =>
  meanOf(pauses) >= LEAST_PAUSE && isGrowing(pauses.filter((pause) => pause >= LEAST_PAUSE))

const subjectOf = ({ kind, path }: Pick<Resource, 'kind' | 'path'>) => `${kind} ${path}`

const failureOf = ({ reason }: Run) => `it failed (${reason})`

/** A sentence: what went wrong, how the client reacted, and the consequence. */
function summaryOf({ reference, faults }: Context, run: Run, consequence: string): string {
  const stories = faults.map((fault) => kindOf(fault).story.replace('CALL', () => describePoint(fault.point)))
  const last = faults.at(-1)!
  const hits = run.hits.at(-1)!
  const repeats = repeatsOf(reference.run, run, last)
  const isPolled = hits[0]?.isRead === true && kindOf(last).tries !== Infinity
  const again =
    repeats > 0 && !isPolled
      ? [repeats === 1 ? 'the client sent it again' : `the client sent it ${repeats} more times`]
      : []
  const text = [capital(stories.join(', then ')), ...again, consequence].join('; ')
  return `${again.length > 0 || kindOf(last).kills === true ? text : text.replace('; it ', '; the client ')}.`
}

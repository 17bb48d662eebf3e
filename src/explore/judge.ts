import { isGrowing, pauseBetween } from '../test-control/report/repeats.js'
import { type Difference, differenceOf, isSame, type Resource, type Surplus } from './end-state.js'
import { type ExploreFault, isLong, kindOf } from './plans.js'
import { callOf, describePoint, isDeletion } from './points.js'
import { callsSince, changesOf, type Reference } from './reference.js'
import type { FindingKind } from './result.js'
import type { Ran } from './run.js'
import { capital, differenceInWords, duplicateInWords, listed, nounOf } from './words.js'

/** What can be found, the worst first, and what it means. */
export const FINDING_KINDS = {
  duplicate: 'Something exists twice that should exist once.',
  forgotten: 'The client failed, and made another copy of what it had made when it was run again.',
  'false-success': 'The client ended with success, but what it should have done is not done.',
  'left-behind': 'The client failed, and left something that it should have removed.',
  'not-recovered': 'The client was killed, and running it again does not lead to the usual end.',
  hang: 'The client did not end.',
  inconsistent: 'The client survives a 503, but not a lost reply to the same call.',
  impolite: 'The client puts a load on a service that asks for patience.'
} as const satisfies Record<FindingKind, string>

/** Something that a run has shown to be wrong. */
export interface Problem {
  readonly kind: FindingKind
  /** What it is about, the same in each run. */
  readonly subject: string
  /** A sentence for the client's author. */
  readonly summary: string
}

/** What a run shows. */
export interface Judgement {
  readonly result: 'recovered' | 'reported' | 'undecided' | 'missed' | 'problem'
  /** What is wrong, if something is. */
  readonly problem?: Problem
  /** How its end, or that of the run that was to recover from it, differs from that of the reference. */
  readonly difference: Difference
  /** The run that was to recover from it. */
  readonly recovery?: Ran
}

/** What to judge, and how. */
interface Court {
  readonly reference: Reference
  readonly faults: readonly ExploreFault[]
  /** Runs the client again, or what recovers, after a run. */
  readonly recover: (after: Ran) => Promise<Ran>
  /** Whether there is a command of its own for that. */
  readonly hasRecovery: boolean
  /** Whether it is meant that each run makes copies of its own. */
  readonly isOneShot: boolean
  /** What two runs leave, one after the other. */
  readonly endOfTwo: () => Promise<readonly Resource[]>
  /** Lets the transitions of a run end. @returns the run with its new end */
  readonly release: (ran: Ran) => Promise<Ran>
  /** Whether the run had more time than usual, so that one that did not end is judged. */
  readonly isPatient: boolean
}

/** Judges a run with faults. */
export async function judge(court: Court, ran: Ran): Promise<Judgement> {
  const { reference, faults } = court
  const difference = deviationOf(court, ran)
  if (ran.hits.some((hits) => hits.length === 0)) return { result: 'missed', difference }
  const tell = (kind: FindingKind, subject: string, consequence: string): Judgement => ({
    result: 'problem',
    problem: { kind, subject, summary: summaryOf(faults, ran, consequence) },
    difference
  })
  if (ran.beside !== undefined && ran.ending !== 'hung') return judgeBeside(court, ran, tell)
  switch (ran.ending) {
    case 'hung':
      return mayBeWaiting(court, ran) ? { result: 'undecided', difference } : tell('hang', '', 'it did not end')
    case 'killed':
      return judgeRecovery(court, ran, difference, tell)
    case 'done': {
      const wrong = judgeEnd('it', difference, duplicateOf(court, ran, difference), tell)
      if (wrong !== undefined) return wrong
      const idle = faults.find(({ point }) => changesOf(reference.ran, point) > 0 && changesOf(ran, point) === 0)
      if (idle !== undefined)
        return tell(
          'false-success',
          '',
          `it ended with success, but ${describePoint(idle.point)} was never carried out`
        )
      return judgeManners(reference, faults, ran, { result: 'recovered', difference })
    }
    case 'failed':
      return judgeFailure(court, ran, tell)
  }
}

/** How a run ends otherwise than the reference, but for what somebody else has changed. */
function deviationOf({ reference, faults }: Court, { end }: Ran): Difference {
  const { extra, missing, changed } = differenceOf(reference.end, end)
  return { extra, missing, changed: notByOthers(faults, changed) }
}

/** How what the client found has changed, but for what somebody else has done. */
function effectOf({ reference, faults }: Court, { end }: Ran): Difference {
  const { extra, missing, changed } = differenceOf(reference.start, end)
  return { extra, missing: notByOthers(faults, missing), changed: notByOthers(faults, changed) }
}

function notByOthers<Item extends Pick<Resource, 'path'>>(faults: readonly ExploreFault[], items: readonly Item[]) {
  const touched = faults.filter((fault) => kindOf(fault).meddles !== undefined).map(({ point }) => point.resource)
  return items.filter(({ path }) => !touched.includes(path))
}

/** What there is once more than in the reference, also if the client has removed the other one. */
function duplicateOf({ reference, faults }: Court, ran: Ran, { extra }: Difference): Surplus | undefined {
  const isMadeAgain = (path: string) =>
    faults.some(({ point }) => point.resource === path && changesOf(ran, point) > changesOf(reference.ran, point))
  return extra.find(({ expected, path }) => expected > 0 || isMadeAgain(path))
}

type Tell = (kind: FindingKind, subject: string, consequence: string) => Judgement

/** What is wrong with the end of a success. */
function judgeEnd(who: 'it' | 'both', difference: Difference, double: Surplus | undefined, tell: Tell) {
  if (double !== undefined)
    return tell('duplicate', subjectOf(double), `${who} ended with success, and ${duplicateInWords(double)}`)
  if (isSame(difference)) return undefined
  return tell('false-success', '', `${who} ended with success, but ${differenceInWords(difference)}`)
}

/** Two runs at once must leave what they leave one after the other, unless one of them says that it failed. */
async function judgeBeside(court: Court, ran: Ran, tell: Tell): Promise<Judgement> {
  const difference = differenceOf(await court.endOfTwo(), ran.end)
  if (ran.ending === 'failed' || ran.beside?.isDone !== true) return { result: 'reported', difference }
  const double = difference.extra.find(({ expected }) => expected > 0)
  return { ...(judgeEnd('both', difference, double, tell) ?? { result: 'recovered' }), difference }
}

async function judgeFailure(court: Court, held: Ran, tell: Tell): Promise<Judgement> {
  const { reference, faults } = court
  // The service ends in time what a plan has held.
  const ran = faults.some(isLong) ? await court.release(held) : held
  const difference = deviationOf(court, ran)
  const reported = judgeManners(reference, faults, ran, { result: 'reported', difference })
  const double = duplicateOf(court, ran, difference)
  if (double !== undefined)
    return tell('duplicate', subjectOf(double), `${failureOf(ran)}, and ${duplicateInWords(double)}`)
  if (isHindered(faults, ran, difference)) return reported
  const isBlind = faults.some((fault) => kindOf(fault).blinds === true)
  const [left] = difference.extra
  if (left !== undefined && !isBlind)
    return tell(
      'left-behind',
      subjectOf(left),
      `${failureOf(ran)}, and left ${listed(difference.extra.map(nounOf))} behind`
    )
  const kept = effectOf(court, ran)
  if (isSame(kept)) return reported
  // What it has made may stay if the next run finds it.
  const again = await court.recover(ran)
  const after = deviationOf(court, again)
  if (again.ending === 'done' && isSame(after)) return { ...reported, recovery: again }
  const tellAfter: Tell = (...problem) => ({ ...tell(...problem), difference: after, recovery: again })
  const [copy] = after.extra.filter(({ expected }) => expected > 0)
  if (copy !== undefined) {
    if (court.isOneShot) return { ...reported, recovery: again }
    const copied = `${nextRun(court)} did not find what was there, and ${duplicateInWords(copy)}`
    const consequence = `${failureOf(ran)}; ${copied}`
    return tellAfter('forgotten', subjectOf(copy), consequence)
  }
  if (isBlind || isSame(difference)) return { ...reported, recovery: again }
  const broken = difference.changed.find(({ property, actual }) => property === 'status' && actual === 'Failed')
  if (broken !== undefined) {
    const leftover = `left the ${broken.kind} ${broken.path} behind, which is Failed`
    const consequence = `${failureOf(ran)}, and ${leftover}; ${recoveryInWords(court, again, after)}`
    return tellAfter('left-behind', subjectOf(broken), consequence)
  }
  const done = [...kept.extra, ...kept.missing].map(nounOf)
  const half = ` half-way, having ${kept.extra.length > 0 ? 'made' : 'removed'} ${listed(done)}`
  const consequence = `${failureOf(ran)}${done.length === 0 ? '' : half}; ${recoveryInWords(court, again, after)}`
  return tellAfter(court.hasRecovery ? 'not-recovered' : 'left-behind', 'half', consequence)
}

async function judgeRecovery(court: Court, killed: Ran, difference: Difference, tell: Tell): Promise<Judgement> {
  const { reference } = court
  const again = await court.recover(killed)
  const after = deviationOf(court, again)
  if (again.ending === 'done') {
    if (isSame(after)) return { result: 'recovered', difference, recovery: again }
    // Nobody cleans up after being killed. A client that leaves nothing does all of its work again, and that is enough.
    const left = differenceOf(reference.start, killed.end)
    if (reference.leavesNothing && JSON.stringify(after) === JSON.stringify(left))
      return { result: 'recovered', difference, recovery: again }
  }
  const consequence = recoveryInWords(court, again, after)
  return { ...tell('not-recovered', '', consequence), difference: after, recovery: again }
}

const nextRun = ({ hasRecovery }: Court) => (hasRecovery ? 'the recovery' : 'run again, it')

function recoveryInWords(court: Court, { ending, reason, met }: Ran, difference: Difference): string {
  const who = nextRun(court)
  if (ending === 'failed')
    return met.length > 0
      ? `${who} failed (${reason})`
      : `${who} failed before it called anything (${reason}), maybe because of files that the first run has left`
  if (ending !== 'done') return `${who} did not end`
  return `${who} ended with success, but ${differenceInWords(difference)}`
}

/** A client that waits between its tries, or for what does not end, may have a limit that it has not reached. */
function mayBeWaiting({ isPatient, faults }: Court, ran: Ran): boolean {
  if (ran.isOverdue) return false
  if (faults.some(isLong)) return true
  const { met, hits } = ran
  const since = met.slice(met.indexOf(hits.at(-1)![0]!) + 1)
  if (!isPatient || since.length === 0) return false
  return since.length < MOST_TRIES || hasGrowing(pausesOf(ran, faults.at(-1)!))
}

/** A client that has tried so often, without longer and longer pauses, has no limit. */
const MOST_TRIES = 10

/**
 * Whether the fault is why something is left: a deletion was refused and one thing is left, or what else the clean-up
 * does met a fault that does not go away, or that says so.
 */
function isHindered(faults: readonly ExploreFault[], ran: Ran, { extra }: Difference): boolean {
  const { met, hits } = ran
  const cleanUp = met.findIndex(({ point }) => isDeletion(point))
  const isDuringCleanUp = (index: number) => cleanUp >= 0 && hits[index]!.some((hit) => met.indexOf(hit) >= cleanUp)
  return faults.some((fault, index) =>
    isDeletion(fault.point)
      ? extra.length === 1 && (isLasting(fault) || changesOf(ran, fault.point) === 0)
      : isLasting(fault) && isDuringCleanUp(index)
  )
}

function isLasting(fault: ExploreFault): boolean {
  const { effect: { status } = {}, tries, outcome } = kindOf(fault)
  // Many clients take a 408 for a refusal, like the others below 500.
  const isRefusal = status !== undefined && status < 500 && status !== 429
  return tries === Infinity || outcome !== undefined || isRefusal
}

/** A single retry does not show whether the pauses grow. */
const FEWEST_TRIES = 3
/** Milliseconds that are more than the time between two calls without any pause, also on a busy machine. */
const LEAST_PAUSE = 30
/** Milliseconds that a client has waited if it has waited for a second: timers and clocks round. */
const SECOND = 950
/** How many more requests than the reference are too many, besides one per second. */
const MOST_REQUESTS = 200

/** Whether a client is patient with a service that asks for it. The rules are those of the report, for one call. */
function judgeManners(
  { ran: reference }: Reference,
  faults: readonly ExploreFault[],
  ran: Ran,
  otherwise: Judgement
): Judgement {
  const more = ran.requests.length - reference.requests.length
  const [first, last] = [ran.requests[0], ran.requests.at(-1)]
  const allowed = MOST_REQUESTS + (first === undefined ? 0 : pauseBetween(first, last!) / 1000)
  const rude = rudenessOf(faults.at(-1)!, ran, reference)
  const consequence =
    rude !== undefined
      ? MANNERS_IN_WORDS[rude]
      : more > allowed
        ? `it sent ${more} requests more than usual`
        : undefined
  if (consequence === undefined) return otherwise
  const problem = {
    kind: 'impolite',
    subject: rude ?? 'requests',
    summary: summaryOf(faults, ran, consequence)
  } as const
  return { ...otherwise, result: 'problem', problem }
}

const MANNERS_IN_WORDS = {
  'no-back-off': 'it did not wait longer from one try to the next',
  'retry-after-ignored': 'it did not wait as long as Retry-After said'
} as const

function rudenessOf(fault: ExploreFault, ran: Ran, reference: Ran): keyof typeof MANNERS_IN_WORDS | undefined {
  const { effect, tries } = kindOf(fault)
  const pauses = pausesOf(ran, fault)
  if (fault.retry_after !== undefined) {
    const asked = fault.retry_after * SECOND
    // Where several tasks make the same call at once, the next one need not be the one that was asked to wait.
    const isOneOfMany = pausesOf(reference, fault).some((pause) => pause < LEAST_PAUSE)
    const waited = isOneOfMany ? sum(pauses) : pauses[0]!
    return pauses.length > 0 && waited < asked && !hasGoneOn(fault, ran) ? 'retry-after-ignored' : undefined
  }
  const isBusy = effect?.status === 503 && tries === Infinity
  const isImpatient = pauses.some((pause) => pause < SECOND) && !hasGrowing(pauses)
  return isBusy && pauses.length + 1 >= FEWEST_TRIES && isImpatient ? 'no-back-off' : undefined
}

/** Whether a read comes again after a write: the client has another reason for it then. */
function hasGoneOn({ point }: ExploreFault, ran: Ran): boolean {
  const hit = ran.met.indexOf(ran.hits.at(-1)![0]!)
  const since = ran.met.slice(hit + 1)
  const next = since.findIndex((later) => callOf(later.point) === callOf(point))
  return ran.met[hit]!.isRead && since.slice(0, next).some(({ isRead }) => !isRead)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Milliseconds between the tries of a call, from its first fault on. */
function pausesOf(ran: Ran, { point }: ExploreFault): number[] {
  const ids = callsSince(ran, point, ran.hits.at(-1)?.[0]).map(({ id }) => id)
  const tries = ran.requests.filter(({ id }) => ids.includes(id)).sort((a, b) => a.received - b.received)
  const pairs = tries.slice(1).map((later, index) => [tries[index]!, later] as const)
  // Where waiting takes no time, what passes on the machine only shows how busy it is.
  const ticks = pairs.map(([earlier, later]) => later.at - earlier.at)
  return ticks.every((tick) => tick > 0) ? ticks : pairs.map(([earlier, later]) => pauseBetween(earlier, later))
}

/** Whether pauses grow, also those of several tasks at once, whose tries come close together. */
const hasGrowing = (pauses: readonly number[]) => isGrowing(pauses.filter((pause) => pause >= LEAST_PAUSE))

const subjectOf = ({ kind, path }: Pick<Resource, 'kind' | 'path'>) => `${kind} ${path}`

const failureOf = ({ reason }: Ran) => `it failed (${reason})`

/** A sentence: what went wrong, what the client did about it, and what came of it. */
function summaryOf(faults: readonly ExploreFault[], ran: Ran, consequence: string): string {
  const stories = faults.map((fault) => kindOf(fault).story.replace('CALL', describePoint(fault.point)))
  const last = faults.at(-1)!
  const hits = ran.hits.at(-1)!
  const repeats = callsSince(ran, last.point, hits[0]).length - 1
  const isPolled = hits[0]?.isRead === true && kindOf(last).tries !== Infinity
  const again =
    repeats > 0 && !isPolled
      ? [repeats === 1 ? 'the client sent it again' : `the client sent it ${repeats} more times`]
      : []
  const text = [capital(stories.join(', then ')), ...again, consequence].join('; ')
  return `${again.length > 0 || kindOf(last).kills === true ? text : text.replace('; it ', '; the client ')}.`
}

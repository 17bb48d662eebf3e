import { groupBy } from '../lib/group-by.js'
import { isObject } from '../lib/json.js'
import type { Detail } from './detail.js'
import { FINDING_KINDS, type FindingKind } from './finding-kinds.js'
import type { Judgement, Problem } from './judge.js'
import { digestOf } from './masking.js'
import { type ExploreFault, familyOf, kindOf } from './plans.js'
import { callInWords, callOf, describePoint } from './points.js'
import type { ExploreFinding, ExploreReport, ExploreSighting } from './result.js'
import { capital } from './words.js'

/** One fault, or two in succession. */
export interface Plan {
  /** Counts from 1. */
  readonly number: number
  readonly faults: readonly ExploreFault[]
}

/** The names of a finding's recordings, and of their pages, in order. */
export function recordingsOf({ plan, detail }: Pick<Sighting, 'plan' | 'detail'>): string[] {
  return detail.recordings.map((_, index) => plan.replace('.json', index === 0 ? '' : '-recovery'))
}

/** Such as `lost createWorkspace main/writer`. */
export function titleOf({ faults }: Pick<Plan, 'faults'>): string {
  return faults.map(({ kind, point }) => `${kind} ${callInWords(point)}`).join(', then ')
}

/** The result of trying a plan. */
export interface Trial {
  readonly plan: Plan
  readonly result: Judgement['result'] | 'unrepeated'
  readonly problem?: Problem
  /** Whether the call that met the fault was made again. */
  readonly wasSentAgain: boolean
  /** How it looked from outside, in words. */
  readonly symptoms: string
  /** Absent if the client recovered. */
  readonly detail?: Detail
  /** The key of the sandbox of the last run. */
  readonly key: string
  /** Plans with a second fault, at points that occur only after the first. */
  readonly next: readonly (readonly ExploreFault[])[]
}

/** Sorts trials by plan. */
export const inOrder = (trials: readonly Trial[]): Trial[] => [...trials].sort((a, b) => a.plan.number - b.plan.number)

/** A problem at one call, with the evidence. */
export interface Sighting extends ExploreSighting {
  readonly kind: FindingKind
  readonly detail: Detail
  /** The same for all calls that show the same bug. */
  readonly cause: string
}

/** A finding with its evidence. */
export interface Found extends Sighting {
  readonly elsewhere: readonly Sighting[]
}

/** Trials by plan, also with the problems that they show only together. */
export function judgedTogether(trials: readonly Trial[]): Trial[] {
  const doubted = new Set(inconsistenciesIn(trials).map(({ trial }) => trial))
  return inOrder(trials).map((trial) =>
    doubted.has(trial) ? { ...trial, result: 'problem', problem: inconsistent(trial) } : trial
  )
}

/** The problems in trials, the worst first, each call once. */
export function sightingsOf(trials: readonly Trial[]): Sighting[] {
  const shown = judgedTogether(trials).flatMap(({ plan, problem, detail }) =>
    problem === undefined
      ? []
      : [{ id: idOf(plan, problem), plan, problem, detail: detail!, fault: plan.faults.at(-1)! }]
  )
  const sightings = [...groupBy(shown, ({ id }) => id).values()].map(([first, ...others]): Sighting => {
    const { id, plan, problem, detail, fault } = first!
    const { kind, summary } = problem
    const { operation, resource } = fault.point
    const also = new Set(others.map((other) => other.fault.kind))
    also.delete(fault.kind)
    const file = `plan-${String(plan.number).padStart(3, '0')}.json`
    const seen = { id, kind, operation, resource, summary, plan: file, faults: plan.faults, also: [...also] }
    return { ...seen, detail, cause: causeOf(problem, fault) }
  })
  const kinds = Object.keys(FINDING_KINDS)
  return sightings.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
}

/** One finding for each cause. */
export function findingsOf(sightings: readonly Sighting[]): Found[] {
  return [...groupBy(sightings, ({ cause }) => cause).values()].map(([first, ...elsewhere]) => ({
    ...first!,
    elsewhere
  }))
}

/** A finding as it appears in the report. */
export function withoutEvidence({ elsewhere, ...found }: Found): ExploreFinding {
  return { ...shown(found), kind: found.kind, elsewhere: elsewhere.map(shown) }
}

function shown({ detail: _, cause: __, kind: ___, ...sighting }: Sighting): ExploreSighting {
  return sighting
}

/** Names a bug, so that each is reported once. */
export function idOf({ faults }: Pick<Plan, 'faults'>, { kind, subject }: Problem): string {
  const { operation, resource } = faults.at(-1)!.point
  return `${kind}-${digestOf([kind, operation, resource, subject].join(' '))}`
}

/** Whether a value is a report whose findings and endings can be compared with those of another one. */
export function isReport(value: object): value is Pick<ExploreReport, 'findings' | 'endings'> {
  const { format, endings, findings } = value as Partial<ExploreReport>
  const haveIds = (seen: unknown): boolean =>
    Array.isArray(seen) && seen.every((item) => isObject(item) && typeof item['id'] === 'string')
  const isWhole = haveIds(findings) && findings!.every(({ elsewhere }) => haveIds(elsewhere))
  return format === 1 && isObject(endings) && isWhole
}

/** The ids of a report's findings, at every call. */
export const idsIn = ({ findings }: Pick<ExploreReport, 'findings'>): string[] =>
  findings.flatMap(({ id, elsewhere }) => [id, ...elsewhere.map((other) => other.id)])

/**
 * Names a bug: by the resource that is duplicated or left behind, or the rule that is broken; otherwise by the family
 * of faults. A client that cleans up may still not know that it created something.
 */
function causeOf({ kind, subject }: Problem, fault: ExploreFault): string {
  const isUnknown = kind === 'left-behind' && subject.endsWith(` ${fault.point.resource}`)
  return [kind, subject, subject === '' || isUnknown ? familyOf(fault) : ''].join(' ')
}

const RETRY_LATER: ReadonlySet<string> = new Set(['unavailable', 'read-unavailable'])
const NO_REPLY: ReadonlySet<string> = new Set(['lost', 'dropped', 'read-dropped'])

/** Whether the fault tells the client to retry later. */
export const saysRetryLater = ({ kind }: ExploreFault): boolean => RETRY_LATER.has(kind)

/** Finds calls at which the client survives a 503, but not a missing reply, although it knows how to retry. */
export function inconsistenciesIn(trials: readonly Trial[]): { readonly trial: Trial; readonly other: Trial }[] {
  const faultOf = ({ plan: { faults } }: Trial) => faults[0]!
  const single = trials.filter(({ plan: { faults } }) => faults.length === 1)
  return single.flatMap((trial) => {
    const { kind, point } = faultOf(trial)
    if (!NO_REPLY.has(kind) || trial.result !== 'reported') return []
    const other = single.find(
      (candidate) =>
        saysRetryLater(faultOf(candidate)) &&
        candidate.result === 'recovered' &&
        callOf(faultOf(candidate).point) === callOf(point)
    )
    return other === undefined ? [] : [{ trial, other }]
  })
}

function inconsistent({ plan: { faults } }: Trial): Problem {
  const [fault] = faults as [ExploreFault]
  const story = kindOf(fault).story.replace('CALL', () => describePoint(fault.point))
  return {
    kind: 'inconsistent',
    subject: '',
    summary: `${capital(story)}; the client failed, although it survives a 503 in reply to the same call.`
  }
}

import { groupBy } from '../lib/group-by.js'
import type { Detail } from './detail.js'
import { FINDING_KINDS, type Judgement, type Problem } from './judge.js'
import { digestOf } from './masking.js'
import { type ExploreFault, familyOf, kindOf } from './plans.js'
import { callInWords, callOf, describePoint } from './points.js'
import type { ExploreFinding, ExploreReport, ExploreSighting, FindingKind } from './result.js'
import { capital } from './words.js'

/** One or two faults, one after the other. */
export interface Plan {
  /** Counts from 1. */
  readonly number: number
  readonly faults: readonly ExploreFault[]
}

/** The name of a plan's file. */
const fileOf = ({ number }: Pick<Plan, 'number'>): string => `plan-${String(number).padStart(3, '0')}.json`

/** The names of the files of a finding's recordings, in their order. */
export function recordingsOf({ plan, detail }: Pick<Sighting, 'plan' | 'detail'>): string[] {
  return detail.recordings.map((_, index) => plan.replace('.json', index === 0 ? '.svcmock' : '-recovery.svcmock'))
}

/** A plan in a few words. */
export function titleOf({ faults }: Pick<Plan, 'faults'>): string {
  return faults.map(({ kind, point }) => `${kind} ${callInWords(point)}`).join(', then ')
}

/** What trying a plan has shown. */
export interface Trial {
  readonly plan: Plan
  readonly result: Judgement['result'] | 'unrepeated'
  readonly problem?: Problem
  /** Whether the call that met the fault was made again. */
  readonly wasSentAgain: boolean
  /** What it looked like from outside, in words. */
  readonly symptoms: string
  /** The evidence of the run, unless the client has recovered. */
  readonly detail?: Detail
  /** The key of the sandbox of the last run. */
  readonly key: string
  /** Plans with a second fault, at points that the first one has brought about. */
  readonly next: readonly (readonly ExploreFault[])[]
}

/** Trials in the order of their plans, whatever the order in which they ended. */
export const inOrder = (trials: readonly Trial[]): Trial[] => [...trials].sort((a, b) => a.plan.number - b.plan.number)

/** What was seen at a call, with the evidence. */
export interface Sighting extends ExploreSighting {
  readonly kind: FindingKind
  readonly detail: Detail
  /** What calls that show the same bug have in common. */
  readonly cause: string
}

/** A finding with its evidence. */
export interface Found extends Sighting {
  readonly elsewhere: readonly Sighting[]
}

/** What trials have shown, the worst first, and each call once. */
export function sightingsOf(trials: readonly Trial[]): Sighting[] {
  const sorted = inOrder(trials)
  const seen = new Map<string, Sighting>()
  for (const trial of sorted) if (trial.problem !== undefined) add(seen, trial, trial.problem)
  for (const { trial } of inconsistenciesIn(sorted)) add(seen, trial, inconsistent(trial))
  const kinds = Object.keys(FINDING_KINDS)
  return [...seen.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
}

/** One finding for each cause. */
export function findingsOf(sightings: readonly Sighting[]): Found[] {
  return [...groupBy(sightings, ({ cause }) => cause).values()].map(([first, ...elsewhere]) => ({
    ...first!,
    elsewhere
  }))
}

/** A finding as others get it. */
export function withoutEvidence({ elsewhere, ...found }: Found): ExploreFinding {
  return { ...shown(found), kind: found.kind, elsewhere: elsewhere.map(shown) }
}

function shown({ detail: _, cause: __, kind: ___, ...sighting }: Sighting): ExploreSighting {
  return sighting
}

/** Names a bug, so that each is told once. */
export function idOf({ faults }: Pick<Plan, 'faults'>, { kind, subject }: Problem): string {
  const { operation, resource } = faults.at(-1)!.point
  return `${kind}-${digestOf([kind, operation, resource, subject].join(' '))}`
}

/** The ids of all that a report tells of. */
export const idsIn = ({ findings }: Pick<ExploreReport, 'findings'>): string[] =>
  findings.flatMap(({ id, elsewhere }) => [id, ...elsewhere.map((other) => other.id)])

/**
 * What names a mistake: what exists twice or is left behind, or the rule that is broken; otherwise, what went wrong.
 * Who knows to remove what it has made may not know that it has made it.
 */
function causeOf({ kind, subject }: Problem, fault: ExploreFault): string {
  const isUnknown = kind === 'left-behind' && subject.endsWith(` ${fault.point.resource}`)
  return [kind, subject, subject === '' || isUnknown ? familyOf(fault) : ''].join(' ')
}

function add(seen: Map<string, Sighting>, { plan, detail }: Trial, problem: Problem): void {
  const { faults } = plan
  const { kind, summary } = problem
  const fault = faults.at(-1)!
  const { operation, resource } = fault.point
  const id = idOf(plan, problem)
  const known = seen.get(id)
  if (known === undefined) {
    seen.set(id, {
      id,
      kind,
      operation,
      resource,
      summary,
      plan: fileOf(plan),
      faults,
      also: [],
      detail: detail!,
      cause: causeOf(problem, fault)
    })
  } else if (![known.faults.at(-1)!.kind, ...known.also].includes(fault.kind)) {
    seen.set(id, { ...known, also: [...known.also, fault.kind] })
  }
}

/** Kinds of faults that ask for patience, and those that leave the client without a reply. */
const PATIENT: ReadonlySet<string> = new Set(['unavailable', 'read-unavailable'])
const ABRUPT: ReadonlySet<string> = new Set(['lost', 'dropped', 'read-dropped'])

/** Whether a fault asks for patience. */
export const isPatient = ({ kind }: ExploreFault): boolean => PATIENT.has(kind)

/**
 * Calls whose client survives a refusal that asks for patience, but not a reply that does not come: the same client
 * knows how to try again.
 */
export function inconsistenciesIn(trials: readonly Trial[]): { readonly trial: Trial; readonly other: Trial }[] {
  const faultOf = ({ plan: { faults } }: Trial) => faults[0]!
  const single = trials.filter(({ plan: { faults } }) => faults.length === 1)
  return single.flatMap((trial) => {
    const { kind, point } = faultOf(trial)
    if (!ABRUPT.has(kind) || trial.result !== 'reported') return []
    const other = single.find(
      (candidate) =>
        isPatient(faultOf(candidate)) &&
        candidate.result === 'recovered' &&
        callOf(faultOf(candidate).point) === callOf(point)
    )
    return other === undefined ? [] : [{ trial, other }]
  })
}

function inconsistent({ plan: { faults } }: Trial): Problem {
  const [fault] = faults as [ExploreFault]
  const story = kindOf(fault).story.replace('CALL', describePoint(fault.point))
  return {
    kind: 'inconsistent',
    subject: '',
    summary: `${capital(story)}; the client failed, although it survives a 503 to the same call.`
  }
}

import type { ViewedStep } from '../../recording/viewed.js'
import type { RowChange, TimelineItem } from '../api/types.js'
import { idsInPath } from './paths.js'
import type { Recorded } from './recorded.js'

/** Something that led to the state of a resource. */
export interface Cause {
  /** The place in the recording that shows what it did. */
  readonly place: number
  readonly step: ViewedStep
  /** What it did to the resource; nothing if it failed. */
  readonly changes: readonly RowChange[]
  readonly timeline: readonly TimelineItem[]
  /** Why it did so: what scheduled the event, and the rule or the fault that decided its outcome. */
  readonly because: readonly Reason[]
}

interface Reason {
  readonly kind: 'scheduled' | 'rule' | 'fault'
  /** Where that came from. */
  readonly place: number
}

/** Maximum number of causes that are listed. */
const MOST = 100

/** What led to the state of a resource at a place, the last cause first. */
export function causesOf(recorded: Recorded, place: number, id: string): Cause[] {
  const causes: Cause[] = []
  for (const [at, step] of recorded.before(place)) {
    if (causes.length === MOST) break
    const { kind, changes = [], touches = [] } = step
    const isWhole = !['request', 'event', 'change'].includes(kind)
    if (!isWhole && !touches.includes(id) && !hasFailed(step, id)) continue
    causes.push({
      place: kind === 'change' ? recorded.requestBehind(at) : at,
      step,
      changes: changes.filter((change) => isOf(change, id)),
      timeline: timelineOf(step).filter(({ resource_id: resource }) => resource === id),
      because: reasonsOf(recorded, at, step)
    })
    // All of the sandbox came from there.
    if (isWhole) break
  }
  return causes
}

/** Whether a step is a request about a resource that has failed, and therefore changed nothing. */
function hasFailed({ request }: ViewedStep, id: string): boolean {
  if (request === undefined || request.control === true) return false
  return (request.status === null || request.status >= 400) && idsInPath(request.path).includes(id)
}

const isOf = ({ id, before, after }: RowChange, resource: string) =>
  [id, before?.['workspace'], after?.['workspace'], before?.['workgroup'], after?.['workgroup']].includes(resource)

/** The entries that a step has added to the timeline. */
export function timelineOf({ patch }: ViewedStep): readonly TimelineItem[] {
  const list = patch !== undefined && 'fields' in patch ? patch.fields['timeline'] : undefined
  return list !== undefined && 'splice' in list ? (list.splice[2] as readonly TimelineItem[]) : []
}

function reasonsOf(recorded: Recorded, place: number, step: ViewedStep): Reason[] {
  const fault = (step.request?.fault as { id?: string } | null | undefined)?.id
  if (fault !== undefined) {
    const number = /\d+$/.exec(fault)?.[0]
    return madeBy(recorded, place, 'fault', ({ table, id }) => table === 'faults' && id === number)
  }
  if (step.kind !== 'event') return []
  const key = step.due?.[0]?.key
  const scheduled = lastPlace(recorded, place, ({ due = [] }) =>
    due.some((one) => one.what === 'scheduled' && one.key === key)
  )
  if (scheduled === undefined) return []
  const reasons: Reason[] = [{ kind: 'scheduled', place: recorded.requestBehind(scheduled) }]
  const failure = timelineOf(step).find(({ reason }) => reason !== null)
  if (failure === undefined) return reasons
  const rules = recorded.stateAt(scheduled - 1).transitions ?? []
  const rule = rules.find(
    ({ transition, outcome, reason, resource_id: resource = failure.resource_id }) =>
      transition === failure.transition &&
      outcome === 'fail' &&
      reason === failure.reason &&
      resource === failure.resource_id
  )
  return rule === undefined
    ? reasons
    : [...reasons, ...madeBy(recorded, scheduled, 'rule', ({ table }) => table === 'transition_rules')]
}

/** Where the newest row that fits was inserted. */
function madeBy(
  recorded: Recorded,
  place: number,
  kind: Reason['kind'],
  fits: (change: RowChange) => boolean
): Reason[] {
  const made = lastPlace(recorded, place, ({ changes = [] }) =>
    changes.some((change) => change.change === 'insert' && fits(change))
  )
  return made === undefined ? [] : [{ kind, place: recorded.requestBehind(made) }]
}

function lastPlace(recorded: Recorded, before: number, fits: (step: ViewedStep) => boolean): number | undefined {
  for (const [place, step] of recorded.before(before - 1)) if (fits(step)) return place
  return undefined
}

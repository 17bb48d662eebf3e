import type { RowChange, TimelineItem } from '../api/types.js'
import { idsInPath } from './paths.js'
import { type PlacedStep, type Recorded, timelineOf } from './recorded.js'

/** Something that led to the state of a resource. */
export interface Cause {
  /** The step of the recording that shows what it did. */
  readonly shown: PlacedStep
  /** When it did so. */
  readonly at: number | undefined
  /** What it did to the resource; nothing if it failed. */
  readonly changes: readonly RowChange[]
  readonly timeline: readonly TimelineItem[]
  /** Why it did so: what scheduled the event, and the rule or the fault that decided its outcome. */
  readonly because: readonly Reason[]
}

interface Reason {
  readonly kind: 'scheduled' | 'rule' | 'fault'
  /** Where that came from. */
  readonly from: PlacedStep
}

/** Maximum number of causes that are listed. */
const MOST = 100

/** Steps that are about some resources. After any other, all of the sandbox is what that has made of it. */
const PARTIAL: ReadonlySet<string> = new Set(['request', 'event', 'change'])

/** What led to the state of a resource at a place, the last cause first. */
export function causesOf(recorded: Recorded, place: number, id: string): Cause[] {
  const steps = recorded.upTo(place).slice(1)
  const whole = steps.findLastIndex(({ kind }) => !PARTIAL.has(kind))
  return steps
    .slice(Math.max(whole, 0))
    .filter((step) => !PARTIAL.has(step.kind) || step.touches?.includes(id) === true || hasFailed(step, id))
    .slice(-MOST)
    .reverse()
    .map((step) => ({
      shown: step.kind === 'change' ? recorded.requestBehind(step) : step,
      at: step.at,
      changes: step.changes?.filter((change) => isOf(change, id)) ?? [],
      timeline: timelineOf(step).filter(({ resource_id: resource }) => resource === id),
      because: reasonsOf(recorded, step)
    }))
}

/** Whether a step is a request about a resource that has failed, and therefore changed nothing. */
function hasFailed({ request }: PlacedStep, id: string): boolean {
  if (request === undefined || request.control === true) return false
  return (request.status === null || request.status >= 400) && idsInPath(request.path).includes(id)
}

const isOf = ({ id, before, after }: RowChange, resource: string) =>
  [id, before?.['workspace'], after?.['workspace'], before?.['workgroup'], after?.['workgroup']].includes(resource)

function reasonsOf(recorded: Recorded, step: PlacedStep): Reason[] {
  const fault = (step.request?.fault as { id?: string } | null | undefined)?.id
  if (fault !== undefined) {
    const number = /\d+$/.exec(fault)?.[0]
    return madeBy(recorded, step, 'fault', ({ table, id }) => table === 'faults' && id === number)
  }
  if (step.kind !== 'event') return []
  const key = step.due?.[0]?.key
  const scheduled = recorded
    .upTo(step.place - 1)
    .findLast(({ due = [] }) => due.some((one) => one.what === 'scheduled' && one.key === key))
  if (scheduled === undefined) return []
  const failure = timelineOf(step).find(({ reason }) => reason !== null)
  const rules = recorded.stateAt(scheduled.place - 1).transitions ?? []
  const isByRule =
    failure !== undefined &&
    rules.some(
      ({ transition, outcome, reason, resource_id: resource = failure.resource_id }) =>
        transition === failure.transition &&
        outcome === 'fail' &&
        reason === failure.reason &&
        resource === failure.resource_id
    )
  return [
    { kind: 'scheduled', from: recorded.requestBehind(scheduled) },
    ...(isByRule ? madeBy(recorded, scheduled, 'rule', ({ table }) => table === 'transition_rules') : [])
  ]
}

/** What inserted the newest row that fits, before a step. */
function madeBy(
  recorded: Recorded,
  { place }: PlacedStep,
  kind: Reason['kind'],
  fits: (change: RowChange) => boolean
): Reason[] {
  const made = recorded
    .upTo(place - 1)
    .findLast(({ changes = [] }) => changes.some((change) => change.change === 'insert' && fits(change)))
  return made === undefined ? [] : [{ kind, from: recorded.requestBehind(made) }]
}

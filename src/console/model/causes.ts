import type { RowChange, TimelineItem } from '../api/types.js'
import { type PlacedStep, type Recorded, timelineOf } from './recorded.js'

/** Something that led to the state of a resource. */
export interface Cause {
  /** The step to show for it. */
  readonly shown: PlacedStep
  readonly at: number | undefined
  /** Changes of the resource. */
  readonly changes: readonly RowChange[]
  readonly timeline: readonly TimelineItem[]
  /** For an event, the step that scheduled it. */
  readonly scheduledBy: PlacedStep | undefined
}

const MAX_CAUSES = 100

/** Kinds of steps that change part of the sandbox. Any other kind replaces all of it. */
const PARTIAL: ReadonlySet<string> = new Set(['request', 'event', 'change'])

/** The steps that led to the state of a resource at a place, last one first. */
export function causesOf(recorded: Recorded, place: number, id: string): Cause[] {
  const steps = recorded.upTo(place).slice(1)
  const whole = steps.findLastIndex(({ kind }) => !PARTIAL.has(kind))
  return steps
    .slice(Math.max(whole, 0))
    .filter((step) => !PARTIAL.has(step.kind) || step.touches?.includes(id) === true)
    .slice(-MAX_CAUSES)
    .reverse()
    .map((step) => ({
      shown: step.kind === 'change' ? recorded.requestBehind(step) : step,
      at: step.at,
      changes: step.changes?.filter((change) => isOf(change, id)) ?? [],
      timeline: timelineOf(step).filter(({ resource_id: resource }) => resource === id),
      scheduledBy: step.kind === 'event' ? schedulerOf(recorded, step) : undefined
    }))
}

const isOf = ({ id, before, after }: RowChange, resource: string) =>
  [id, before?.['workspace'], after?.['workspace']].includes(resource)

function schedulerOf(recorded: Recorded, { place, due }: PlacedStep): PlacedStep | undefined {
  const key = due?.[0]?.key
  const scheduled = recorded
    .upTo(place - 1)
    .findLast((step) => step.due?.some((one) => one.what === 'scheduled' && one.key === key))
  return scheduled && recorded.requestBehind(scheduled)
}

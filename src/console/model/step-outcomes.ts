import type { ViewedStep } from '../../recording/viewed.js'
import { timelineOf } from './causes.js'
import type { Recorded } from './recorded.js'

/** How steps ended, the worst last. */
const OUTCOMES = ['read', 'write', 'event', 'refused', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]

/** A run of stops, as shares of all of them, and the worst that happened there. */
interface Mark {
  readonly from: number
  readonly to: number
  readonly outcome: Outcome
}

/** Sums up the stops of a recording. @param most number of marks */
export function stepOutcomes(recorded: Recorded, most: number): Mark[] {
  const { stops } = recorded
  const last = Math.max(1, stops.length - 1)
  const size = Math.max(1, Math.ceil(last / most))
  const marks: Mark[] = []
  for (let begin = 1; begin < stops.length; begin += size) {
    const end = Math.min(begin + size, stops.length) - 1
    let worst = 0
    for (const [, step] of recorded.between(stops[begin - 1]!, stops[end]!))
      worst = Math.max(worst, OUTCOMES.indexOf(outcomeOf(step)))
    marks.push({ from: (begin - 0.5) / last, to: Math.min(1, (end + 0.5) / last), outcome: OUTCOMES[worst]! })
  }
  return marks
}

function outcomeOf(step: ViewedStep): Outcome {
  if (timelineOf(step).some(({ reason, to }) => reason !== null || to === 'Failed')) return 'failed'
  const { kind, request } = step
  if (request !== undefined) {
    if (request.status === null || request.status >= 500) return 'failed'
    if (request.status >= 400) return 'refused'
    return request.method === 'GET' ? 'read' : 'write'
  }
  return kind === 'change' ? 'read' : 'event'
}

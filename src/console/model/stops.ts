import { idsInPath } from './paths.js'
import { type PlacedStep, type Recorded, timelineOf } from './recorded.js'

/**
 * Finds the next stop that has all words of a text: in its request, its event, or the states that it has changed. After
 * the last one, goes on with the first.
 * @param nameOf the name of a resource
 * @param by 1, or -1 to go backwards
 * @returns its index; undefined: no stop has them
 */
export function findStop(
  recorded: Recorded,
  text: string,
  { stop, nameOf, by }: { stop: number; nameOf: (id: string) => string | undefined; by: 1 | -1 }
): number | undefined {
  const words = text.toLowerCase().split(/\s+/)
  const count = recorded.stops.length
  const indexes = Array.from({ length: count }, (_, away) => (stop + by * (away + 1) + count) % count)
  return indexes.find((index) => {
    const all = recorded.leadingTo(index).map((step) => textOf(step, nameOf))
    return words.every((word) => all.join(' ').includes(word))
  })
}

function textOf(step: PlacedStep, nameOf: (id: string) => string | undefined): string {
  const { kind, id, request, event } = step
  const ids = [event?.resource, ...idsInPath(request?.path ?? '')].filter((one) => one !== undefined)
  return [
    ...[kind, id, request?.method, request?.path, request?.operation, request?.status, request?.error, event?.kind],
    ...ids.flatMap((one) => [one, nameOf(one)]),
    ...timelineOf(step).flatMap(({ resource_id: one, from, to, reason }) => [one, nameOf(one), from, to, reason])
  ]
    .join(' ')
    .toLowerCase()
}

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
  const last = Math.max(1, recorded.stops.length - 1)
  const size = Math.max(1, Math.ceil(last / most))
  const ranks = recorded.stops.map((_, index) => worst(recorded.leadingTo(index).map(rankOf)))
  const marks: Mark[] = []
  for (let begin = 1; begin < ranks.length; begin += size) {
    const run = ranks.slice(begin, begin + size)
    marks.push({
      from: (begin - 0.5) / last,
      to: Math.min(1, (begin + run.length - 0.5) / last),
      outcome: OUTCOMES[worst(run)]!
    })
  }
  return marks
}

const rankOf = (step: PlacedStep) => OUTCOMES.indexOf(outcomeOf(step))

const worst = (ranks: readonly number[]) => ranks.reduce((most, rank) => Math.max(most, rank), 0)

function outcomeOf(step: PlacedStep): Outcome {
  if (timelineOf(step).some(({ reason, to }) => reason !== null || to === 'Failed')) return 'failed'
  const { kind, request } = step
  if (request !== undefined) {
    if (request.status === null || request.status >= 500) return 'failed'
    if (request.status >= 400) return 'refused'
    return request.method === 'GET' ? 'read' : 'write'
  }
  return kind === 'change' ? 'read' : 'event'
}

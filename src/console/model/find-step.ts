import type { ViewedStep } from '../../recording/viewed.js'
import { timelineOf } from './causes.js'
import { idsInPath } from './paths.js'
import type { Recorded } from './recorded.js'

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
  for (let away = 1; away <= count; away++) {
    const index = (stop + by * away + count) % count
    const steps = [...recorded.between(recorded.stops[index - 1] ?? 0, recorded.stops[index]!)]
    const all = steps.map(([, step]) => textOf(step, nameOf)).join(' ')
    if (words.every((word) => all.includes(word))) return index
  }
  return undefined
}

function textOf(step: ViewedStep, nameOf: (id: string) => string | undefined): string {
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

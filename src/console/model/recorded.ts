import type { PreparedState } from '../../documents/schemas.js'
import { patched } from '../../recording/patch.js'
import type { ViewedBeginning, ViewedEnd, ViewedStep } from '../../recording/viewed.js'
import type { TimelineItem } from '../api/types.js'
import { stateOf, type Words } from './state-of.js'

/** A step with its index; the beginning has place 0. */
export interface PlacedStep extends Omit<ViewedStep, 'kind'> {
  readonly place: number
  readonly kind: ViewedStep['kind'] | 'beginning'
}

/** Every how many steps a state is kept. */
const KEPT_EVERY = 50

/** A recording, or a part of it. */
export class Recorded {
  readonly beginning: ViewedBeginning
  readonly end: ViewedEnd
  readonly steps: readonly PlacedStep[]
  /** The steps to stop at: all but changes that belong to the following request. */
  readonly stops: readonly PlacedStep[]
  /** Indexes of the stops with failures. */
  readonly failedStops: readonly number[]
  readonly #states: PreparedState[]

  constructor(beginning: ViewedBeginning, steps: readonly ViewedStep[], end: ViewedEnd) {
    this.beginning = beginning
    this.end = end
    this.steps = [
      { place: 0, step: beginning.after, kind: 'beginning', at: beginning.at },
      ...steps.map((step, index) => ({ ...step, place: index + 1 }))
    ]
    this.stops = this.steps.filter(({ kind, id, place }) => {
      const next = this.steps[place + 1]
      return !(kind === 'change' && next?.kind === 'request' && next.id === id)
    })
    this.failedStops = [...this.stops.keys()].filter((stop) =>
      this.leadingTo(stop).some((step) => hasFailed(step, beginning.overview.states))
    )
    this.#states = [beginning.state]
  }

  /** Reads the lines of a view. @throws an error with a message for the reader, if their end is missing */
  static parse(text: string): Recorded {
    const lines = text.split('\n').filter((line) => line !== '')
    const [beginning, ...steps] = lines.map((line) => JSON.parse(line) as unknown)
    const end = steps.pop() as ViewedEnd | undefined
    if (end?.end !== true) throw new Error('The recording cannot be read to its end.')
    return new Recorded(beginning as ViewedBeginning, steps as ViewedStep[], end)
  }

  get last(): PlacedStep {
    return this.steps.at(-1)!
  }

  upTo(place: number): readonly PlacedStep[] {
    return this.steps.slice(0, place + 1)
  }

  /** Index of the stop at a step, or of the next one. */
  stopOf(step: number): number {
    const index = this.stops.findIndex((stop) => stop.step >= step)
    return index < 0 ? this.stops.length - 1 : index
  }

  /** The steps after the previous stop, up to a stop. */
  leadingTo(stop: number): readonly PlacedStep[] {
    return stop === 0 ? [] : this.steps.slice(this.stops[stop - 1]!.place + 1, this.stops[stop]!.place + 1)
  }

  timeAt(place: number): number {
    return this.upTo(place).findLast(({ at }) => at !== undefined)!.at!
  }

  /** The state document after the step at a place. */
  stateAt(place: number): PreparedState {
    const kept = Math.min(Math.floor(place / KEPT_EVERY), this.#states.length - 1)
    let state = this.#states[kept]!
    for (let at = kept * KEPT_EVERY + 1; at <= place; at++) {
      const { patch } = this.steps[at]!
      if (patch !== undefined) state = patched(state, patch) as PreparedState
      if (at % KEPT_EVERY === 0) this.#states[at / KEPT_EVERY] = state
    }
    return state
  }

  /** The request that made a change or scheduled an event; without one, the step itself. */
  requestBehind(step: PlacedStep): PlacedStep {
    if (step.request !== undefined) return step
    const isAnswer = ({ request, id }: PlacedStep) => request !== undefined && id === step.id
    const found =
      step.kind === 'change'
        ? this.steps.slice(step.place).find(isAnswer)
        : this.steps.slice(0, step.place).findLast(isAnswer)
    return found ?? step
  }
}

/** The timeline entries that a step added. */
export function timelineOf({ patch }: PlacedStep): readonly TimelineItem[] {
  const list = patch !== undefined && 'fields' in patch ? patch.fields['timeline'] : undefined
  return list !== undefined && 'splice' in list ? (list.splice[2] as readonly TimelineItem[]) : []
}

/** Whether a request or a transition failed in a step. */
function hasFailed(step: PlacedStep, words: Words): boolean {
  const { request } = step
  if (request !== undefined && (request.status === null || request.status >= 400)) return true
  return timelineOf(step).some(({ reason, to }) => reason !== null || stateOf(words, to) === 'Failed')
}

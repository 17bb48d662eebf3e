import type { PreparedState } from '../../documents/schemas.js'
import { patched } from '../../recording/patch.js'
import type { ViewedBeginning, ViewedEnd, ViewedStep } from '../../recording/viewed.js'

/** How many steps apart the states are that are kept. */
const KEPT_EVERY = 50

/**
 * A recording, or a part of it. A place in it is a number: 0 is its beginning, and each step is the place after the one
 * before.
 */
export class Recorded {
  readonly beginning: ViewedBeginning
  readonly end: ViewedEnd
  readonly #steps: readonly ViewedStep[]
  /** Places to stop at: all but those of changes that a request has just been answered for. */
  readonly stops: readonly number[]
  readonly #states: PreparedState[]

  constructor(beginning: ViewedBeginning, steps: readonly ViewedStep[], end: ViewedEnd) {
    this.beginning = beginning
    this.end = end
    this.#steps = steps
    this.#states = [beginning.state]
    this.stops = [
      0,
      ...steps.flatMap(({ kind, id }, index) => {
        const next = steps[index + 1]
        return kind === 'change' && next?.kind === 'request' && next.id === id ? [] : [index + 1]
      })
    ]
  }

  /** Reads the lines of a view. @throws an error with a message for the reader, if their end is missing */
  static parse(text: string): Recorded {
    const lines = text.split('\n').filter((line) => line !== '')
    const [beginning, ...steps] = lines.map((line) => JSON.parse(line) as unknown)
    const end = steps.pop() as ViewedEnd | undefined
    if (end?.end !== true) throw new Error('The recording cannot be read to its end.')
    return new Recorded(beginning as ViewedBeginning, steps as ViewedStep[], end)
  }

  /** The last place. */
  get last(): number {
    return this.#steps.length
  }

  /** The step that leads to a place; undefined: it is the beginning. */
  stepAt(place: number): ViewedStep | undefined {
    return this.#steps[place - 1]
  }

  /** Number of the step at a place. */
  numberAt(place: number): number {
    return this.stepAt(place)?.step ?? this.beginning.after
  }

  /** The place of a step, or of the next one that is there. */
  placeOf(step: number): number {
    let [low, high] = [0, this.last]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.numberAt(middle) < step) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Index of the stop at a place, or of the next one. */
  stopAt(place: number): number {
    const index = this.stops.findIndex((stop) => stop >= place)
    return index < 0 ? this.stops.length - 1 : index
  }

  /** The time in the sandbox at a place. */
  timeAt(place: number): number {
    for (let at = place; at > 0; at--) {
      const time = this.stepAt(at)?.at
      if (time !== undefined) return time
    }
    return this.beginning.at
  }

  /** The state document at a place. */
  stateAt(place: number): PreparedState {
    const kept = Math.min(Math.floor(place / KEPT_EVERY), this.#states.length - 1)
    let state = this.#states[kept]!
    for (let at = kept * KEPT_EVERY + 1; at <= place; at++) {
      const patch = this.stepAt(at)!.patch
      if (patch !== undefined) state = patched(state, patch) as PreparedState
      if (at % KEPT_EVERY === 0) this.#states[at / KEPT_EVERY] = state
    }
    return state
  }

  /** The steps from one place to another one, with their places. */
  *between(after: number, last: number): Generator<readonly [place: number, step: ViewedStep]> {
    for (let place = after + 1; place <= last; place++) yield [place, this.stepAt(place)!]
  }

  /** The steps up to a place, the last one first. */
  *before(last: number): Generator<readonly [place: number, step: ViewedStep]> {
    for (let place = last; place > 0; place--) yield [place, this.stepAt(place)!]
  }

  /** The last place, up to one, of the answer to a request. */
  placeOfRequest(id: string, last: number): number {
    for (const [place, step] of this.before(last)) if (step.request !== undefined && step.id === id) return place
    return 0
  }

  /**
   * The place of the request behind a step: itself, the one whose change it is, or the one that scheduled the event;
   * that of the step if there is none.
   */
  requestBehind(place: number): number {
    const { kind, id, request } = this.stepAt(place) ?? {}
    if (request !== undefined) return place
    const candidates = kind === 'change' ? this.between(place, this.last) : this.before(place)
    for (const [at, step] of candidates) if (step.request !== undefined && step.id === id) return at
    return place
  }
}

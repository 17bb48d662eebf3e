import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import type { Profile } from '../../profile/profile.js'
import { STATES } from '../../resources/states.js'
import type { Exchange } from '../exchange.js'
import { lookUp } from './placeholders.js'
import { millisecondsOf, type Step } from './plan.js'
import { PlanError } from './plan-error.js'

type Until = NonNullable<Step['until']>

/** Decides after each call of a step whether it is done. */
export class Wait {
  readonly #operation: string
  readonly #until: Until
  readonly #patience: number
  readonly #toWire: (value: string) => string
  /** The word that is none of the profile, and when it was seen first. */
  #unknown: { readonly word: string; readonly since: number } | undefined
  /** How long it has waited, in milliseconds. */
  waited = 0
  /** What the field was in the last reply. */
  seen: string | undefined

  /** @param profile has the words for states, and says how long transitions take */
  constructor({ operation }: Step, until: Until, profile: Pick<Profile, 'words' | 'durations'>) {
    this.#operation = operation
    this.#until = until
    this.#patience = longestOf(profile.durations)
    const { states } = until
    this.#toWire = states === undefined ? (value) => value : profile.words[states].toWire
  }

  /** Whether the word that was seen last is new, and none of the profile. */
  get isPuzzled(): boolean {
    return this.#unknown?.since === this.waited
  }

  /** The values that are awaited, as the service is expected to say them. */
  get awaited(): readonly string[] {
    return this.#until.in?.map(this.#toWire) ?? []
  }

  /** @throws {PlanError} if it never will be */
  isDone({ status }: Exchange, result: unknown): boolean {
    const { status: statuses, field, unless } = this.#until
    this.seen = undefined
    if (status !== null && statuses?.includes(status) === true) return true
    if (field === undefined || status === null || status >= 500 || status === 429) return false
    if (status >= 400) throw this.#failed(`was answered with ${status} while its ${field} was awaited`)
    this.seen = String(lookUp(result, field.split('.')))
    if (unless?.map(this.#toWire).includes(this.seen) === true) throw this.#failed(`has the ${field} ${this.seen}`)
    if (this.awaited.includes(this.seen)) return true
    this.#ponder(this.seen)
    return false
  }

  /** Lets it wait once more. @returns how long, in milliseconds @throws {PlanError} if that has been too long */
  next(): number {
    const { within, every } = this.#until
    if (this.waited >= millisecondsOf(within)) throw this.#failed(`was not done within ${within}`)
    const pause = millisecondsOf(every)
    this.waited += pause
    return pause
  }

  /** @throws {PlanError} if the service says a word for too long that the profile does not have */
  #ponder(word: string): void {
    const { states, field } = this.#until
    const known = states === undefined ? [word] : STATES[states].map(this.#toWire)
    if (known.includes(word)) this.#unknown = undefined
    else if (this.#unknown?.word !== word) this.#unknown = { word, since: this.waited }
    else if (this.waited - this.#unknown.since >= this.#patience) {
      const [state = ''] = this.#until.in ?? []
      throw this.#failed(
        `has had the ${field!} ${word} for longer than any transition takes; ` +
          `if that means ${this.awaited.join(' or ')}, say so in a profile, as states.${states!}.${state}: ${word}`
      )
    }
  }

  #failed(problem: string): PlanError {
    return new PlanError(`${this.#operation} ${problem}`)
  }
}

/** The longest time that a transition of a profile takes in a real service, in milliseconds. */
function longestOf(durations: Profile['durations']): number {
  return Object.entries(BUILT_IN_DURATIONS).reduce(
    (most, [name, { realistic }]) => Math.max(most, durations.get(name)?.realistic.max ?? realistic),
    0
  )
}

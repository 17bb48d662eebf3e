import type { StateKind, StateWords } from '../profile/states.js'
import { STATES } from '../resources/states.js'

/** Which word of the service stands for which state, one to one for each kind. They are bound at first use. */
export class StateNames {
  readonly #words: StateWords
  readonly #states = new Map<string, string>()
  readonly #bound = new Map<string, string>()

  constructor(words: StateWords) {
    this.#words = words
  }

  /** The state that a word of the service stands for; undefined if it is not known yet. */
  stateOf(kind: StateKind, word: string): string | undefined {
    const bound = this.#states.get(`${kind} ${word}`)
    if (bound !== undefined) return bound
    const state = this.#words[kind].fromWire(word)
    return STATES[kind].includes(state) && !this.isBound(kind, state) ? state : undefined
  }

  /** Whether the word of the service for a state is known. */
  isBound(kind: StateKind, state: string): boolean {
    return this.#bound.has(`${kind} ${state}`)
  }

  bind(kind: StateKind, state: string, word: string): void {
    if (this.isBound(kind, state)) return
    this.#states.set(`${kind} ${word}`, state)
    this.#bound.set(`${kind} ${state}`, word)
  }

  /** A text of the mock without the words for states in it. */
  hide(text: string): string {
    return text.replaceAll(WORD, (word) => (this.#isState(word) ? HIDDEN : word))
  }

  /** A text of the service without what stands where a text of the mock has words for states. */
  hideLike(ours: string, theirs: string): string {
    const pattern = this.hide(ours).split(HIDDEN).map(escaped).join('(?:[\\w-]+)')
    return new RegExp(`^${pattern}$`).test(theirs) ? this.hide(ours) : theirs
  }

  #isState(word: string): boolean {
    return (Object.keys(STATES) as StateKind[]).some((kind) => STATES[kind].includes(this.#words[kind].fromWire(word)))
  }
}

const WORD = /[\w-]+/g
const HIDDEN = '\u0000'

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

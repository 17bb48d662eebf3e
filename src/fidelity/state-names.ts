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

  /** A text without the words of either for states in it. */
  hide(text: string): string {
    const isWord = (word: string) =>
      KINDS.some(
        (kind) => this.#states.has(`${kind} ${word}`) || STATES[kind].includes(this.#words[kind].fromWire(word))
      )
    return text.replaceAll(/[\w-]+/g, (word) => (isWord(word) ? '…' : word))
  }
}

const KINDS = Object.keys(STATES) as StateKind[]

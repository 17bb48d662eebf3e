import { type CatalogueEntry, nameOf } from '../profile/catalogue.js'
import { forEach } from '../profile/form.js'
import { ORG_ROLE_NAMES } from '../profile/org-roles.js'
import type { Profile } from '../profile/profile.js'
import type { StateKind, StateWords } from '../profile/states.js'
import type { CatalogueList } from '../resources/comparable.js'
import { STATES } from '../resources/states.js'
import { Bindings } from './bindings.js'

const KINDS = Object.keys(STATES) as StateKind[]

/** The service's words for the mock's states, one to one for each kind. They are bound at first use. */
export class StateNames {
  readonly #bound = forEach(KINDS, () => new Bindings())

  /** @param shown the kinds and words in all replies, such as `workspace Active` */
  constructor(
    private readonly words: StateWords,
    private readonly shown: ReadonlySet<string>
  ) {}

  /** The state that a word of the service means; undefined if unknown. */
  stateOf(kind: StateKind, word: string): string | undefined {
    const bound = this.#bound[kind].oursFor(word)
    if (bound !== undefined) return bound
    const state = this.words[kind].fromWire(word)
    return STATES[kind].includes(state) && !this.isBound(kind, state) ? state : undefined
  }

  /** Whether the service's word for a state is known. */
  isBound(kind: StateKind, state: string): boolean {
    return this.#bound[kind].theirsFor(state) !== undefined
  }

  /** @returns whether the state now has this word; not if replies show its own one, or it has another */
  bind(kind: StateKind, state: string, word: string): boolean {
    const own = this.words[kind].toWire(state)
    return (word === own || !this.shown.has(`${kind} ${own}`)) && this.#bound[kind].bind(state, word)
  }

  /** A text without words for states, of the mock or of the service. */
  hide(text: string): string {
    const isWord = (word: string) =>
      KINDS.some(
        (kind) =>
          this.#bound[kind].oursFor(word) !== undefined || STATES[kind].includes(this.words[kind].fromWire(word))
      )
    return text.replaceAll(/[\w-]+/g, (word) => (isWord(word) ? '…' : word))
  }
}

const LISTS = ['platforms', 'regions', 'versions', 'workspace_types', 'roles'] as const satisfies CatalogueList[]

/** Names in the catalogue: those of the mock, some of which stand in for names that only the service has. */
export class CatalogueNames {
  readonly #ours: Readonly<Record<CatalogueList, readonly string[]>>
  readonly #standIns = forEach(LISTS, () => new Bindings())

  constructor({ catalogue, names }: Profile) {
    const namesIn = (list: CatalogueList) =>
      list === 'roles' ? ORG_ROLE_NAMES : (catalogue[list] as readonly CatalogueEntry[]).map(nameOf)
    this.#ours = forEach(LISTS, (list) => namesIn(list).map(names.values.toWire))
  }

  has(list: CatalogueList, name: string): boolean {
    return this.#ours[list].includes(name)
  }

  /** The mock's name for one of the service. */
  toOurs(list: CatalogueList, name: string): string {
    const standIns = this.#standIns[list]
    const known = this.has(list, name) ? name : standIns.oursFor(name)
    if (known !== undefined) return known
    // The last ones are the least likely to be in use.
    const chosen = this.#ours[list].findLast((own) => standIns.theirsFor(own) === undefined) ?? this.#ours[list][0]!
    standIns.bind(chosen, name)
    return chosen
  }

  /** The service's name for one of the mock. */
  toTheirs(list: CatalogueList, name: string): string {
    return this.#standIns[list].theirsFor(name) ?? name
  }

  /** Whether a name of the mock stands in for one of the service. */
  isStandIn(list: CatalogueList, name: string): boolean {
    return this.#standIns[list].theirsFor(name) !== undefined
  }
}

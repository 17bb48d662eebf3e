import { nameOf } from '../profile/catalogue.js'
import { ORG_ROLE_NAMES } from '../profile/org-roles.js'
import type { Profile } from '../profile/profile.js'
import type { StateKind, StateWords } from '../profile/states.js'
import type { CatalogueList } from '../resources/comparable.js'
import { STATES } from '../resources/states.js'
import type { Api } from './api.js'
import type { Bindings } from './bindings.js'

/** How names of the mock and of the service correspond, as far as is known. */
export interface Names {
  readonly api: Api
  readonly profile: Profile
  readonly bindings: Bindings
  readonly states: StateNames
  readonly catalogue: CatalogueNames
}

/** The service's words for the mock's states, one to one for each kind. They are bound at first use. */
export class StateNames {
  readonly #profileWords: StateWords
  readonly #states = new Map<string, string>()
  readonly #words = new Map<string, string>()

  constructor(words: StateWords) {
    this.#profileWords = words
  }

  /** The state that a word of the service means; undefined if unknown. */
  stateOf(kind: StateKind, word: string): string | undefined {
    const bound = this.#states.get(`${kind} ${word}`)
    if (bound !== undefined) return bound
    const state = this.#profileWords[kind].fromWire(word)
    return STATES[kind].includes(state) && !this.isBound(kind, state) ? state : undefined
  }

  /** Whether the service's word for a state is known. */
  isBound(kind: StateKind, state: string): boolean {
    return this.#words.has(`${kind} ${state}`)
  }

  bind(kind: StateKind, state: string, word: string): void {
    if (this.isBound(kind, state)) return
    this.#states.set(`${kind} ${word}`, state)
    this.#words.set(`${kind} ${state}`, word)
  }

  /** A text without words for states, of the mock or of the service. */
  hide(text: string): string {
    const isWord = (word: string) =>
      KINDS.some(
        (kind) => this.#states.has(`${kind} ${word}`) || STATES[kind].includes(this.#profileWords[kind].fromWire(word))
      )
    return text.replaceAll(/[\w-]+/g, (word) => (isWord(word) ? '…' : word))
  }
}

const KINDS = Object.keys(STATES) as StateKind[]

/** Names in the catalogue: those of the mock, some of which stand in for names that only the service has. */
export class CatalogueNames {
  readonly #ours: Readonly<Record<CatalogueList, readonly string[]>>
  readonly #toOurs = new Map<string, string>()
  readonly #toTheirs = new Map<string, string>()

  constructor({ catalogue, names }: Profile) {
    const { platforms, regions, versions, workspace_types: types } = catalogue
    const wire = (list: readonly string[]) => list.map(names.values.toWire)
    this.#ours = {
      platforms: wire(platforms),
      regions: wire(regions.map(nameOf)),
      versions: wire(versions.map(nameOf)),
      workspace_types: wire(types.map(nameOf)),
      roles: wire(ORG_ROLE_NAMES)
    }
  }

  has(list: CatalogueList, name: string): boolean {
    return this.#ours[list].includes(name)
  }

  /** The mock's name for one of the service. */
  toOurs(list: CatalogueList, name: string): string {
    if (this.has(list, name)) return name
    const key = `${list} ${name}`
    const known = this.#toOurs.get(key)
    if (known !== undefined) return known
    const taken = new Set(this.#toOurs.values())
    // The last ones are the least likely to be in use.
    const chosen = this.#ours[list].findLast((own) => !taken.has(own)) ?? this.#ours[list][0]!
    this.#toOurs.set(key, chosen)
    this.#toTheirs.set(`${list} ${chosen}`, name)
    return chosen
  }

  /** The service's name for one of the mock. */
  toTheirs(list: CatalogueList, name: string): string {
    return this.#toTheirs.get(`${list} ${name}`) ?? name
  }

  /** Whether a name of the mock stands in for one of the service. */
  isStandIn(list: CatalogueList, name: string): boolean {
    return this.#toTheirs.has(`${list} ${name}`)
  }
}

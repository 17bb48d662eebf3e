import { isObject, valueAt } from '../../lib/json.js'

/** Steps from the profile to the place that a note is about. */
export type Place = readonly (string | number)[]

/** What is said of a place, which becomes a comment there. */
export interface Note {
  readonly place: Place
  readonly text: string
  /** It needs a decision; otherwise it only says why something is as it is. */
  readonly isUnclear: boolean
}

type Group = Record<string, unknown>

/** A profile that is being learned. What is learned later replaces what was learned before, and its comment. */
export class Draft {
  readonly document: Group
  readonly #notes: Map<string, Note[]>
  readonly #given: readonly Note[]

  /** Of the notes on the document, those that are given were there before anything was learned. */
  constructor(document: object, notes: readonly Note[] = [], given = notes) {
    this.document = structuredClone(document) as Group
    this.#notes = new Map()
    this.#given = given
    for (const note of notes) this.#add(note)
  }

  get(place: Place): unknown {
    return valueAt(this.document, place)
  }

  /** @param why a comment, which replaces those that were there */
  set(place: readonly string[], value: unknown, why?: string): void {
    const [last, ...above] = place.toReversed() as [string, ...string[]]
    let group = this.document
    for (const step of above.reverse()) group = (group[step] ??= {}) as Group
    if (same(group[last], value)) return
    group[last] = value
    this.#notes.delete(keyOf(place))
    if (why !== undefined) this.#add({ place, text: why, isUnclear: false })
  }

  /** Removes a value, and what is empty without it. */
  remove(place: Place): void {
    for (let length = place.length; length > 0; length--) {
      const group = this.get(place.slice(0, length - 1))
      if (!isObject(group)) return
      Reflect.deleteProperty(group, String(place[length - 1]))
      this.#notes.delete(keyOf(place.slice(0, length)))
      if (Object.keys(group).length > 0) return
    }
  }

  /** Leaves a decision to the user. */
  doubt(place: Place, text: string): void {
    this.#add({ place, text, isUnclear: true })
  }

  /** Says what a value comes from. */
  explain(place: Place, text: string): void {
    this.#add({ place, text, isUnclear: false })
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()].flat()
  }

  /** A copy without the doubts: those that are left come again. */
  copy(): Draft {
    const isSure = (note: Note) => !note.isUnclear || this.#given.includes(note)
    return new Draft(this.document, this.notes.filter(isSure), this.#given)
  }

  #add(note: Note): void {
    const key = keyOf(note.place)
    const known = this.#notes.get(key) ?? []
    if (!known.some(({ text }) => text === note.text)) known.push(note)
    this.#notes.set(key, known)
  }
}

const keyOf = (place: Place) => JSON.stringify(place)

/** Whether two JSON values are equal. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A number of observations in words. */
export const times = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

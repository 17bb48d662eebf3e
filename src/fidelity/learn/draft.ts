import { ServiceError } from '../../interface/errors.js'
import { isObject, stepsTo, valueAt } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { compileProfile } from '../../profile/profile.js'
import { builtInWording } from '../../resources/vocabulary.js'

/** The path of a place in the profile. */
export type Place = readonly (string | number)[]

/** A comment on a place. */
export interface Note {
  readonly place: Place
  readonly text: string
  /** Whether it asks the user for a decision, rather than explaining a value. */
  readonly isUnclear: boolean
}

type Group = Record<string, unknown>

/** A profile that is being learned. A new value replaces the previous one and its notes. */
export class Draft {
  readonly document: Group
  #notes: readonly Note[]
  #given: readonly Note[]

  /** @param given the notes that precede all learning; {@link copy} keeps them */
  constructor(document: object, notes: readonly Note[] = [], given = notes) {
    this.document = structuredClone(document) as Group
    this.#notes = notes
    this.#given = given
  }

  get notes(): readonly Note[] {
    return this.#notes
  }

  get(place: Place): unknown {
    return valueAt(this.document, place)
  }

  set(place: readonly string[], value: unknown, why?: string): void {
    if (same(this.get(place), value)) return
    let group = this.document
    for (const step of place.slice(0, -1)) group = (group[step] ??= {}) as Group
    group[place.at(-1)!] = value
    this.#forget(place)
    if (why !== undefined) this.explain(place, why)
  }

  /** Removes a value, and the objects around it that become empty. */
  remove(place: Place): void {
    for (let length = place.length; length > 0; length--) {
      const group = this.get(place.slice(0, length - 1))
      if (!isObject(group)) return
      Reflect.deleteProperty(group, String(place[length - 1]))
      this.#forget(place.slice(0, length))
      if (Object.keys(group).length > 0) return
    }
  }

  /** Replaces a list, or removes it if nothing is left. */
  replace(place: readonly string[], list: readonly unknown[]): void {
    if (list.length > 0) this.set(place, list)
    else this.remove(place)
  }

  /** Asks the user to decide. */
  flag(place: Place, text: string): void {
    this.#add({ place, text, isUnclear: true })
  }

  /** Asks the user to decide about a value that was just set. {@link copy} keeps the question with the value. */
  doubt(place: Place, text: string): void {
    const note = { place, text, isUnclear: true }
    this.#add(note)
    this.#given = [...this.#given, note]
  }

  explain(place: Place, text: string): void {
    this.#add({ place, text, isUnclear: false })
  }

  /** A copy without the flags, which recur if they still apply. */
  copy(): Draft {
    const isSure = (note: Note) => !note.isUnclear || this.#given.includes(note)
    return new Draft(this.document, this.notes.filter(isSure), this.#given)
  }

  #add(note: Note): void {
    if (!this.#notes.some(({ place, text }) => text === note.text && same(place, note.place)))
      this.#notes = [...this.#notes, note]
  }

  #forget(place: Place): void {
    this.#notes = this.#notes.filter((note) => !same(note.place, place))
  }
}

/** The number of steps to the smallest unit that is left out, by part; 2 if absent. */
const DEPTHS: Readonly<Record<string, number>> = { fields: 3, names: 3, states: 3, omit: 3, roles: 1 }

/** Removes invalid values from a draft, with a note on each. */
export function makeValid(draft: Draft): void {
  for (;;) {
    const error = errorIn(draft.document)
    if (error === undefined) return
    const [part = ''] = error.FieldName.split('.')
    const place = stepsTo(draft.document, error.FieldName, DEPTHS[part] ?? 2)
    const above = place.slice(0, -1)
    const list = draft.get(above)
    if (Array.isArray(list)) draft.replace(above, list.toSpliced(Number(place.at(-1)), 1))
    else draft.remove(place)
    const subject = error.FieldName === place.join('.') ? 'it' : error.FieldName
    draft.flag(above, `${place.join('.')} is left out: ${subject} ${error.Reason.replace(/\.$/, '')}.`)
  }
}

/** The first error, from which the others may follow. */
function errorIn(document: object) {
  try {
    compileProfile(document, builtInWording)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.details[0]
  }
}

/** Whether two JSON values are equal, including the order of their fields. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const seenTimes = (count: number): string => `Seen ${quantity(count, 'time')}.`

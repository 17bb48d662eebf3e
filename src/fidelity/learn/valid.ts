import { ServiceError } from '../../interface/errors.js'
import { isObject, type Json } from '../../lib/json.js'
import { compileProfile } from '../../profile/profile.js'
import { builtInWording } from '../../resources/vocabulary.js'
import type { Draft } from './draft.js'

/** The number of steps to the smallest unit that is left out, by part; 2 if absent. */
const DEPTHS: Readonly<Record<string, number>> = { fields: 3, names: 3, states: 3, omit: 3, roles: 1 }

/** Removes invalid values from a draft, with a note on each. */
export function makeValid(draft: Draft): void {
  for (;;) {
    const error = errorIn(draft.document)
    if (error === undefined) return
    const place = placeOf(draft.document, error.FieldName)
    const above = place.slice(0, -1)
    const list = draft.get(above)
    if (Array.isArray(list)) draft.replace(above, list.toSpliced(Number(place.at(-1)), 1))
    else draft.remove(place)
    draft.flag(above, `${place.join('.')} is left out: it ${error.Reason.replace(/\.$/, '')}.`)
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

/** The place to leave out because of an error. Names of schemas and transitions can have dots. */
function placeOf(document: object, path: string): string[] {
  const place: string[] = []
  let value: unknown = document
  let rest = `${path}.`
  while (typeof value === 'object' && value !== null && place.length < (DEPTHS[place[0] ?? ''] ?? 2)) {
    const names = Object.keys(value).filter((name) => rest.startsWith(`${name}.`))
    const [name] = names.sort((a, b) => b.length - a.length)
    if (name === undefined) break
    place.push(name)
    value = (value as Json)[name]
    rest = rest.slice(name.length + 1)
  }
  return place
}

/** Whether a profile has more than a name. */
export const changesAnything = (document: unknown): boolean =>
  isObject(document) && Object.keys(document).some((part) => part !== 'profile' && part !== 'name')

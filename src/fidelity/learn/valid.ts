import { ServiceError } from '../../interface/errors.js'
import { isObject } from '../../lib/json.js'
import { compileProfile } from '../../profile/profile.js'
import { builtInWording } from '../../resources/vocabulary.js'
import type { Draft } from './draft.js'

/** The number of steps to the smallest unit that is left out, by part; 2 if absent. */
const DEPTHS: Readonly<Record<string, number>> = { fields: 3, names: 3, states: 3, omit: 3, roles: 1 }

/** Removes invalid values from a draft, with a note on each. */
export function makeValid(draft: Draft): void {
  for (;;) {
    // The other errors may follow from the first.
    const [error] = errorsIn(draft.document)
    if (error === undefined) return
    const place = placeOf(draft.document, error.field)
    leaveOut(draft, place)
    draft.flag(place.slice(0, -1), `${place.join('.')} is left out: it ${error.reason.replace(/\.$/, '')}.`)
  }
}

function errorsIn(document: object): readonly { readonly field: string; readonly reason: string }[] {
  try {
    compileProfile(document, builtInWording)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.details.map(({ FieldName, Reason }) => ({ field: FieldName, reason: Reason }))
  }
}

/** The place to leave out because of an error. Names of schemas and transitions can have dots. */
function placeOf(document: object, path: string): string[] {
  const place: string[] = []
  let value: unknown = document
  let rest = path
  while (rest !== '' && typeof value === 'object' && value !== null) {
    const names = Object.keys(value).filter((name) => rest === name || rest.startsWith(`${name}.`))
    const name = names.sort((a, b) => b.length - a.length)[0]
    if (name === undefined) break
    place.push(name)
    value = (value as Record<string, unknown>)[name]
    rest = rest.slice(name.length + 1)
  }
  const [part = ''] = place
  return place.slice(0, DEPTHS[part] ?? 2)
}

function leaveOut(draft: Draft, place: readonly string[]): void {
  const above = place.slice(0, -1)
  const list = draft.get(above)
  const left = Array.isArray(list) && list.filter((_, index) => String(index) !== place.at(-1))
  if (left === false) draft.remove(place)
  else draft.replace(above, left)
}

/** Whether a profile has more than a name. */
export const changesAnything = (document: unknown): boolean =>
  isObject(document) && Object.keys(document).some((part) => part !== 'profile' && part !== 'name')

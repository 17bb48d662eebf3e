import { builtInWording, NAMED_SCHEMAS, namesIn, PREFIXES } from '../src/http/vocabulary.js'
import { BUILT_IN } from '../src/profile/profile.js'
import type { ProfileDocument } from '../src/profile/schemas.js'
import type { StateKind } from '../src/profile/states.js'

const { vocabulary, states } = builtInWording(BUILT_IN)
const { listed } = namesIn(NAMED_SCHEMAS)

/** What the words for the states of each kind begin with. */
const STATE_MARKS: Readonly<Record<StateKind, string>> = {
  workspace: 'Ws',
  refresh: 'Rf',
  backup: 'Bk',
  restore_job: 'Rj'
}

const marked = (names: readonly string[], mark: string) =>
  Object.fromEntries(names.map((name) => [name, `${mark}${name}`]))

/** Gives everything in the interface another name or word, each of which shows by its beginning what it stands for. */
export const ALL_OTHER_WORDS: Pick<ProfileDocument, 'profile' | 'name' | 'names' | 'states'> = {
  profile: 1,
  name: 'other-words',
  names: {
    fields: marked(vocabulary.fields, 'w_'),
    schemas: marked(vocabulary.schemas, 'W_'),
    values: marked(vocabulary.values, 'v_'),
    prefixes: marked(Object.values(PREFIXES), 'p_')
  },
  states: Object.fromEntries(
    (Object.keys(states) as StateKind[]).map((kind) => [
      kind,
      Object.fromEntries(states[kind].map((state) => [state, STATE_MARKS[kind] + state]))
    ])
  )
}

/** Converts the body of a request to the names of {@link ALL_OTHER_WORDS}. What is no field has the same name. */
export function bodyToWire(body: unknown, isListed = false): unknown {
  if (typeof body === 'string') return isListed && vocabulary.values.includes(body) ? `v_${body}` : body
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map((item) => bodyToWire(item, isListed))
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      name === 'enable_configuration'
        ? [`w_${name}`, value]
        : [vocabulary.fields.includes(name) ? `w_${name}` : name, bodyToWire(value, listed.has(name))]
    )
  )
}

/** Converts a text of the server back to the built-in words. */
export function fromWire(text: string): string {
  return text.replaceAll(/\b[wWvp]_(?=[A-Za-z0-9])/g, '').replaceAll(/\b(?:Ws|Rf|Bk|Rj)(?=[A-Z]|gone\b)/g, '')
}

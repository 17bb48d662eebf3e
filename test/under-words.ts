import type { OperationId } from '../src/interface/operation-ids.js'
import { OPERATION_ROUTES } from '../src/interface/operation-routes.js'
import { BUILT_IN } from '../src/profile/profile.js'
import type { ProfileDocument } from '../src/profile/schemas.js'
import type { StateKind } from '../src/profile/states.js'
import { builtInWording, NAMED_SCHEMAS, namesIn, PREFIXES } from '../src/resources/vocabulary.js'

const { vocabulary, states } = builtInWording(BUILT_IN)
const { listed } = namesIn(NAMED_SCHEMAS)

/** Prefixes for the states of each kind. */
const STATE_MARKS: Readonly<Record<StateKind, string>> = {
  workspace: 'Ws',
  refresh: 'Rf',
  backup: 'Bk',
  restore_job: 'Rj'
}

const marked = (names: readonly string[], mark: string) =>
  Object.fromEntries(names.map((name) => [name, `${mark}${name}`]))

/** Renames everything in the interface, with prefixes that show the kind of name. */
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

const ADDED = 'added_field'

const MOVED = { '/controller/v4/v2': '/moved/v1', '/users': '/moved/users' } as const

const SHARING = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule']

/** {@link ALL_OTHER_WORDS}, with every path moved, and with a field added to every schema. */
export const ALL_OTHER: ProfileDocument = {
  ...ALL_OTHER_WORDS,
  names: { ...ALL_OTHER_WORDS.names, fields: { ...ALL_OTHER_WORDS.names!.fields, [ADDED]: `w_${ADDED}` } },
  fields: Object.fromEntries(
    NAMED_SCHEMAS.map(({ $id }) => [$id, { [ADDED]: { type: 'string', default: ADDED } } as const])
  ),
  // Not by the ids, because a new operation has no route until that is generated.
  routes: Object.entries(OPERATION_ROUTES).flatMap(([id, { method, path }]) => {
    const [first, ...others] = SHARING
    const operation = (id === first ? 'changeSchedule' : id) as OperationId
    const route = { operation, method: method as 'GET', path: moved(path) }
    return others.includes(id) ? [] : [{ operation, off: true } as const, route]
  })
}

/** The path of an operation under {@link ALL_OTHER}. */
export function moved(path: string): string {
  for (const [own, other] of Object.entries(MOVED)) if (path.startsWith(own)) return `${other}${path.slice(own.length)}`
  return path
}

/** A reply with the original paths, and without the added fields. */
export function withoutOther(reply: unknown): unknown {
  if (typeof reply === 'string') {
    // One result is a list as JSON text.
    if (reply.startsWith('[{') && reply.includes(ADDED)) return JSON.stringify(withoutOther(JSON.parse(reply)))
    return Object.entries(MOVED).reduce((text, [own, other]) => text.replaceAll(other, own), reply)
  }
  if (Array.isArray(reply)) return reply.map(withoutOther)
  if (typeof reply !== 'object' || reply === null) return reply
  return Object.fromEntries(
    Object.entries(reply)
      .filter(([name]) => name !== ADDED)
      .map(([name, value]) => [name, withoutOther(value)])
  )
}

/** Converts the body of a request to the names of {@link ALL_OTHER_WORDS}; other keys stay. */
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
  return text.replaceAll(/\b[wWvp]_(?=[A-Za-z0-9])/g, '').replaceAll(/\b(?:Ws|Rf|Bk|Rj)(?=[A-Z]|gone\b)|\bRf\b/g, '')
}

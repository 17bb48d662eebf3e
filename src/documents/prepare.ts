import { type FieldError, invalidBody } from '../interface/errors.js'
import { mergeFieldErrors, MORE_FIELD_ERRORS, throwFieldErrors } from '../interface/validation.js'
import { isObject, type Json } from '../lib/json.js'
import type { Slices } from '../lib/scheduler.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { withHash } from '../resources/database-users/document.js'
import { errorsBeyondSchema } from './check.js'
import { documentErrors } from './schema-errors.js'
import { FORMAT, type PreparedState, type StateDocument, StateSchema, type WorkspaceState } from './schemas.js'
import { sizeOf } from './size.js'
import { fromWire } from './words.js'

/** The limits and definitions that a document is checked against. */
type Limits = Pick<ControlPlane, 'engine' | 'isClosed' | 'scheduler' | 'profile' | 'resources' | 'timeline'>

/**
 * Prepares a document for use: checks it, and hashes its passwords. Other requests are served meanwhile.
 * @throws {ServiceError} `invalidBody` naming the paths of all errors
 */
export async function prepareState(document: unknown, plane: Limits): Promise<PreparedState> {
  return withHashes(await plane.scheduler.run(checkedDocument(document, plane)), plane)
}

function* checkedDocument(document: unknown, plane: Limits): Slices<StateDocument> {
  checkFormat(document)
  throwFieldErrors(sizeErrors(document, plane))
  const { profile } = plane
  let errors = yield* documentErrors(document, profile.schema(StateSchema))
  let checked = document as StateDocument
  // The rest can only be checked if all schema errors are known.
  if (isObject(document) && !errors.includes(MORE_FIELD_ERRORS)) {
    checked = yield* fromWire(without(document, errors), profile.words)
    errors = mergeFieldErrors(errors, yield* errorsBeyondSchema(checked, plane))
    if (errors.length > 0) errors = [...errors, ...otherProfile(checked, plane)]
  }
  throwFieldErrors(errors)
  return checked
}

/** Checks the format of a document. One without a format, written by hand, has the format of this server. */
function checkFormat(document: unknown): void {
  if (!isObject(document) || !Object.hasOwn(document, 'format')) return
  const { format } = document
  if (format === FORMAT) return
  const remedy = typeof format === 'number' && format > FORMAT ? '; it was written by a newer server, use that one' : ''
  throw invalidBody([{ field: 'format', reason: `must be ${FORMAT}, but is ${JSON.stringify(format)}${remedy}` }])
}

/** Another profile may be why a document is invalid. */
function otherProfile({ profile }: StateDocument, { profile: { name } }: Limits): FieldError[] {
  if (profile === undefined || profile === name) return []
  return [{ field: 'profile', reason: `is ${profile}, but this server has the profile ${name}` }]
}

/** Maximum number of events per resource: a workspace can have three of its own, and each of its contents one. */
const EVENTS_FOR_EACH = 4

/** Checks the size of a document, before anything else in it. */
function sizeErrors(document: unknown, { resources: { limit }, timeline }: Limits): FieldError[] {
  const size = sizeOf(document)
  const bound = (field: string, has: number, of: string, most: number, option: string): FieldError[] =>
    has > most ? [{ field, reason: `has ${has} ${of}; the maximum is ${most} (${option})` }] : []
  return [
    ...bound('', size.resources, 'resources', limit, '--max-resources'),
    ...bound('events', size.events, 'entries', limit * EVENTS_FOR_EACH, `${EVENTS_FOR_EACH} times --max-resources`),
    ...bound('timeline', size.timeline, 'entries', timeline.limit, '--timeline-entries')
  ]
}

/**
 * A document without its invalid values, so that the rest can be checked as if they were absent. Copies the path to
 * each of them, and shares the rest.
 */
function without(document: Json, errors: readonly FieldError[]): Json {
  const copies = new Set<unknown>()
  const result = { document }
  for (const { field } of errors) {
    const steps = ['document', ...field.split('.')]
    const last = steps.pop()!
    let parent: object | undefined = result
    for (const step of steps) parent = parent && ownCopy(parent, step)
    if (Array.isArray(parent)) parent[Number(last)] = {}
    else if (parent !== undefined) Reflect.deleteProperty(parent, last)
  }
  return result.document

  /** Replaces a field of a copied object with a copy. @returns undefined if the field is not an object */
  function ownCopy(parent: object, name: string): object | undefined {
    // A name containing a dot, such as `__proto__.toString`, must not reach a shared prototype.
    const value: unknown = Object.hasOwn(parent, name) ? (parent as Json)[name] : undefined
    if (typeof value !== 'object' || value === null) return undefined
    if (copies.has(value)) return value
    const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
    copies.add(copy)
    ;(parent as Record<string, unknown>)[name] = copy
    return copy
  }
}

/** Hashes all passwords. Documents take turns, so the many passwords of one do not delay another. */
async function withHashes(document: StateDocument, plane: Limits): Promise<PreparedState> {
  const hashed: Promise<void>[] = []
  const workgroups = document.workgroups?.map((workgroup) => ({
    ...workgroup,
    ...(workgroup.workspaces && { workspaces: workgroup.workspaces.map(withHashedUsers) })
  }))
  await Promise.all(hashed)
  return { ...document, ...(workgroups && { workgroups }) }

  function withHashedUsers(workspace: WorkspaceState): WorkspaceState {
    if (workspace.users === undefined) return workspace
    const users = [...workspace.users]
    users.forEach((user, index) => {
      const ready = withHash(user, plane, document)?.then((hashedUser) => {
        users[index] = hashedUser
      })
      if (ready !== undefined) hashed.push(ready)
    })
    return { ...workspace, users }
  }
}

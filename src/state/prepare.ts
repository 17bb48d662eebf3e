import type { ControlPlane } from '../control-plane.js'
import { schemaErrors } from '../lib/check.js'
import type { FieldError } from '../lib/errors.js'
import { mergeFieldErrors, MORE_FIELD_ERRORS, throwFieldErrors } from '../lib/validation.js'
import { withHash } from '../resources/database-users/document.js'
import { breathe } from '../sim/clock.js'
import { errorsBeyondSchema } from './check.js'
import { upgrade } from './formats.js'
import { type PreparedState, type StateDocument, StateSchema, type WorkspaceState } from './schemas.js'
import { sizeOf } from './size.js'

/**
 * Makes a document ready to be applied: it is brought to the newest format, found to be right as a whole, and its
 * passwords are hashed.
 * @throws {ServiceError} `invalidBody` naming everything that is wrong by its path
 */
export async function prepareState(document: unknown, plane: Limits): Promise<PreparedState> {
  // To read a large body was one piece, and to check it is the next.
  await breathe()
  const upgraded = upgrade(document)
  throwFieldErrors(sizeErrors(upgraded, plane))
  let faults = schemaErrors(StateSchema, upgraded)
  await breathe()
  // The rest can be judged only where all that is at fault is known.
  if (
    typeof upgraded === 'object' &&
    upgraded !== null &&
    !Array.isArray(upgraded) &&
    !faults.includes(MORE_FIELD_ERRORS)
  ) {
    const rest = faults.length === 0 ? upgraded : without(upgraded, faults)
    faults = mergeFieldErrors(faults, errorsBeyondSchema(rest as StateDocument, plane.engine))
    await breathe()
  }
  throwFieldErrors(faults)
  return withHashes(upgraded as StateDocument)
}

/** What a document is held against. */
type Limits = Pick<ControlPlane, 'engine' | 'resources' | 'timeline'>

/**
 * Events that there can be for each resource: a workspace can have three of its own, and whatever belongs to it one.
 */
const EVENTS_FOR_EACH = 4

/** What a document has too much of. It is found before anything is looked at more closely. */
function sizeErrors(document: unknown, { resources: { limit }, timeline }: Limits): FieldError[] {
  const size = sizeOf(document)
  const faults: FieldError[] = []
  if (size.resources > limit)
    faults.push({
      field: '',
      reason: `has ${size.resources} resources, and may have ${limit}, as --max-resources says`
    })
  if (size.events > limit * EVENTS_FOR_EACH) {
    faults.push({
      field: 'events',
      reason:
        `has ${size.events} entries, and may have ${limit * EVENTS_FOR_EACH}, ${EVENTS_FOR_EACH} times ` +
        '--max-resources'
    })
  }
  if (size.timeline > timeline.limit) {
    faults.push({
      field: 'timeline',
      reason: `has ${size.timeline} entries, and may have ${timeline.limit}, as --timeline-entries says`
    })
  }
  return faults
}

/** A document without the values at fault, so that the rest of it can be judged as if they were absent. */
function without(document: object, faults: readonly FieldError[]): unknown {
  const copy = structuredClone(document)
  for (const { field } of faults) {
    const steps = field.split('.')
    const last = steps.pop()!
    let parent: unknown = copy
    // A name with a dot in it, such as `__proto__.toString`, must not lead to what all objects share.
    for (const step of steps)
      parent =
        typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
          ? (parent as Record<string, unknown>)[step]
          : undefined
    if (Array.isArray(parent)) parent[Number(last)] = {}
    else if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last)
  }
  return copy
}

/** The document is a lane of its own: what it has many of is hashed between those of others. */
async function withHashes(document: StateDocument): Promise<PreparedState> {
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
      const ready = withHash(user, document)?.then((hashedUser) => {
        users[index] = hashedUser
      })
      if (ready !== undefined) hashed.push(ready)
    })
    return { ...workspace, users }
  }
}

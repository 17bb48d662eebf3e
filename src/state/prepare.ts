import { faultsOfSchema } from '../control/check.js'
import type { Fault } from '../errors.js'
import { hashPassword } from '../resources/database-users/passwords.js'
import { mergeFaults, MORE_FAULTS, refuseFaults } from '../http/validation.js'
import type { World } from '../world.js'
import { faultsBeyondSchema } from './check.js'
import { upgrade } from './formats.js'
import { StateSchema, type PreparedState, type StateDocument, type WorkspaceState } from './schemas.js'

/**
 * Makes a document ready to be applied: it is brought to the newest format, found to be right as a whole, and its passwords are
 * hashed.
 * @throws {ServiceError} `invalidBody` naming everything that is wrong by its path
 */
export async function prepareState(document: unknown, engine: World['engine']): Promise<PreparedState> {
  const upgraded = upgrade(document)
  let faults = faultsOfSchema(StateSchema, upgraded)
  // The rest can be judged only where all that is at fault is known.
  if (typeof upgraded === 'object' && upgraded !== null && !Array.isArray(upgraded) && !faults.includes(MORE_FAULTS)) {
    const others = faultsBeyondSchema(without(upgraded, faults) as StateDocument, engine)
    faults = mergeFaults(faults, others)
  }
  refuseFaults(faults)
  return withHashes(upgraded as StateDocument)
}

/** A document without the values at fault, so that the rest of it can be judged as if they were absent. */
function without(document: object, faults: readonly Fault[]): unknown {
  const copy = structuredClone(document)
  for (const { field } of faults) {
    const steps = field.split('.')
    const last = steps.pop()!
    let parent: unknown = copy
    // A name with a dot in it, such as `__proto__.toString`, must not lead to what all objects share.
    for (const step of steps) parent = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step) ? (parent as Record<string, unknown>)[step] : undefined
    if (Array.isArray(parent)) parent[Number(last)] = {}
    else if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last)
  }
  return copy
}

async function withHashes(document: StateDocument): Promise<PreparedState> {
  const workgroups = document.workgroups === undefined ? undefined : await Promise.all(document.workgroups.map(async (workgroup) => ({
    ...workgroup,
    ...(workgroup.workspaces === undefined ? {} : { workspaces: await Promise.all(workgroup.workspaces.map(withHashedUsers)) })
  })))
  return { ...document, ...(workgroups === undefined ? {} : { workgroups }) }
}

async function withHashedUsers(workspace: WorkspaceState): Promise<WorkspaceState> {
  if (workspace.users === undefined) return workspace
  const users = await Promise.all(workspace.users.map(async ({ password, ...user }) =>
    (password === undefined ? user : { ...user, password_hash: await hashPassword(password) })))
  return { ...workspace, users }
}

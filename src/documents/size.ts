import { type Json, listOf, objectOf } from '../lib/json.js'
import { type Parts, partsIn, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import { type StateDocument, withEntries } from './schemas.js'

/**
 * Counts the rows that a document creates: resources, as `--max-resources` counts them, events and timeline. The
 * document may have any shape; a value in the place of a list counts as an empty list.
 */
export function sizeOf(document: unknown) {
  const { org_users: users, stub_items: items, workgroups, events, timeline } = objectOf(document)
  let resources = (users === undefined ? DEFAULT_USERS : lengthOf(users)) + lengthOf(items)
  for (const workgroup of listOf(workgroups)) {
    resources += 1 + countOf(WORKGROUP_PARTS, withEntries(objectOf(workgroup)))
    for (const workspace of listOf(objectOf(workgroup)['workspaces'])) {
      const own = objectOf(workspace)
      // One without a database gets a new one.
      resources += (own['database'] === undefined ? 2 : 1) + countOf(WORKSPACE_PARTS, own)
    }
  }
  return { resources, events: lengthOf(events), timeline: lengthOf(timeline) }
}

export function rowsOf(document: StateDocument): number {
  const { resources, events, timeline } = sizeOf(document)
  return resources + events + timeline
}

const countOf = (parts: Parts, owner: Json): number =>
  partsIn(parts, owner).reduce((sum, [, items]) => sum + items.length, 0)

/** Number of org users in a document that does not name any. */
const DEFAULT_USERS = 3

const lengthOf = (value: unknown): number => listOf(value).length

import { type Json, listOf, objectOf } from '../lib/json.js'
import type { StateDocument } from './schemas.js'

/**
 * Counts the rows that a document creates: resources, as `--max-resources` counts them, events and timeline. The
 * document may have any shape; a value in the place of a list counts as an empty list.
 */
export function sizeOf(document: unknown) {
  const { org_users: users, stub_items: items, workgroups, events, timeline } = objectOf(document)
  let resources = (users === undefined ? DEFAULT_USERS : lengthOf(users)) + lengthOf(items)
  for (const workgroup of listOf(workgroups)) {
    const { allow_list: allowList, databases, workspaces } = objectOf(workgroup)
    resources += 1 + lengthOf(objectOf(allowList)['entries']) + lengthOf(databases)
    for (const workspace of listOf(workspaces)) resources += countOf(objectOf(workspace))
  }
  return { resources, events: lengthOf(events), timeline: lengthOf(timeline) }
}

export function rowsOf(document: StateDocument): number {
  const { resources, events, timeline } = sizeOf(document)
  return resources + events + timeline
}

/** Counts a workspace and its contents; one without a database gets a new one. */
function countOf({ database, backups, restore_jobs: jobs, backup_schedule: schedule, schedules, users }: Json): number {
  return (
    1 +
    (database === undefined ? 1 : 0) +
    (schedule === undefined ? 0 : 1) +
    lengthOf(backups) +
    lengthOf(jobs) +
    lengthOf(schedules) +
    lengthOf(users)
  )
}

/** Number of org users in a document that does not name any. */
const DEFAULT_USERS = 3

const lengthOf = (value: unknown): number => listOf(value).length

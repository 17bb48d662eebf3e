import { type Json, objectOf } from '../lib/json.js'
import type { StateDocument } from './schemas.js'

/** The number of rows that a document creates. */
interface DocumentSize {
  /** Resources, as `--max-resources` counts them. */
  readonly resources: number
  readonly events: number
  readonly timeline: number
}

/** Counts the rows that a document creates. The document may have any shape: a list that is not one counts as empty. */
export function sizeOf(document: unknown): DocumentSize {
  const {
    org_users: users,
    stub_items: items,
    workgroups,
    events,
    timeline
  } = objectOf(document) as Partial<Record<keyof StateDocument, unknown>>
  let resources = (users === undefined ? DEFAULT_USERS : lengthOf(users)) + lengthOf(items)
  for (const workgroup of listOf(workgroups)) {
    const { allow_list: allowList, databases, workspaces } = objectOf(workgroup)
    resources += 1 + lengthOf(objectOf(allowList)['entries']) + lengthOf(databases)
    for (const workspace of listOf(workspaces)) resources += countOf(objectOf(workspace))
  }
  return { resources, events: lengthOf(events), timeline: lengthOf(timeline) }
}

/** Total number of rows that a document creates. */
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

/** Number of default org users, for a document that does not name any. */
const DEFAULT_USERS = 3

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const lengthOf = (value: unknown): number => listOf(value).length

import type { StateDocument } from './schemas.js'

/** How many rows a document makes. */
export interface DocumentSize {
  /** Resources, as `--max-resources` counts them. */
  readonly resources: number
  readonly events: number
  readonly timeline: number
}

type Json = Readonly<Record<string, unknown>>

/** How many rows a document makes. Nobody need have checked its shape: what is no list counts nothing. */
export function sizeOf(document: unknown): DocumentSize {
  const {
    org_users: users,
    workgroups,
    events,
    timeline
  } = fieldsOf(document) as Partial<Record<keyof StateDocument, unknown>>
  let resources = users === undefined ? DEFAULT_USERS : lengthOf(users)
  for (const workgroup of listOf(workgroups)) {
    const { allow_list: allowList, databases, workspaces } = fieldsOf(workgroup)
    resources += 1 + lengthOf(fieldsOf(allowList)['entries']) + lengthOf(databases)
    for (const workspace of listOf(workspaces)) resources += countOf(fieldsOf(workspace))
  }
  return { resources, events: lengthOf(events), timeline: lengthOf(timeline) }
}

/** How many rows a document makes in all. */
export function rowsOf(document: StateDocument): number {
  const { resources, events, timeline } = sizeOf(document)
  return resources + events + timeline
}

/** A workspace with all that belongs to it; one that names no database gets one. */
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

/** Users of an org that a document does not name. */
const DEFAULT_USERS = 3

const fieldsOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const lengthOf = (value: unknown): number => listOf(value).length

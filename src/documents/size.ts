import type { StateDocument } from './schemas.js'

/** The number of rows that a document creates. */
interface DocumentSize {
  /** Resources, as `--max-resources` counts them. */
  readonly resources: number
  readonly events: number
  readonly timeline: number
}

type Json = Readonly<Record<string, unknown>>

/** Every resource in a document. The document may have any shape: a list that is not one counts as empty. */
export function* resourcesIn(document: unknown): Generator {
  const { org_users: users, stub_items: items, workgroups } = fieldsOf(document)
  yield* listOf(users)
  yield* listOf(items)
  for (const workgroup of listOf(workgroups)) {
    yield workgroup
    const { allow_list: allowList, databases, workspaces } = fieldsOf(workgroup)
    yield* listOf(fieldsOf(allowList)['entries'])
    yield* listOf(databases)
    for (const workspace of listOf(workspaces)) {
      yield workspace
      const fields = fieldsOf(workspace)
      // One without a database gets a new one.
      if (fields['database'] === undefined) yield {}
      if (fields['backup_schedule'] !== undefined) yield fields['backup_schedule']
      for (const list of ['backups', 'restore_jobs', 'schedules', 'users']) yield* listOf(fields[list])
    }
  }
}

/** Counts the rows that a document of any shape creates. */
export function sizeOf(document: unknown): DocumentSize {
  const { org_users: users, events, timeline } = fieldsOf(document)
  let resources = users === undefined ? DEFAULT_USERS : 0
  for (const _ of resourcesIn(document)) resources++
  return { resources, events: listOf(events).length, timeline: listOf(timeline).length }
}

/** Total number of rows that a document creates. */
export function rowsOf(document: StateDocument): number {
  const { resources, events, timeline } = sizeOf(document)
  return resources + events + timeline
}

/** Number of default org users, for a document that does not name any. */
const DEFAULT_USERS = 3

const fieldsOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

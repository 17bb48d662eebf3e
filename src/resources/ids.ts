import type { Database } from '../db/database.js'
import { RESOURCE_TABLES } from './tables.js'

/** Maximum number of ids to list. */
const MOST = 10

/** Sorts after every continuation of a text. */
const LAST = '\u{10FFFF}'

/** Finds ids in a sandbox by their beginnings. */
export type Ids = ReturnType<typeof idsIn>

export function idsIn(db: Pick<Database, 'prepare'>) {
  const within = (table: string, column: string) =>
    `SELECT ${column} AS id FROM ${table} WHERE sandbox = @sandbox AND ${column} BETWEEN @first AND @last`
  const finder = (...parts: readonly string[]) => {
    const statement = db
      .prepare<[{ sandbox: number; first: string; last: string }], string>(
        `${parts.join(' UNION ')} ORDER BY id LIMIT ${MOST}`
      )
      .pluck()
    return (sandbox: number, first: string): string[] => statement.all({ sandbox, first, last: first + LAST })
  }
  const tables = RESOURCE_TABLES.filter(({ fields }) => 'id' in fields).map(({ name }) => within(name, 'id'))
  return {
    /** The ids of resources, including deleted ones. */
    ofResources: finder(...tables, within('timeline', 'resource')),
    /** The RequestIDs of state changes and scheduled events. */
    ofRequests: finder(within('timeline', 'request_id'), within('due_events', 'request_id'))
  }
}

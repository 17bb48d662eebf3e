import type { Database } from '../db/database.js'
import { RESOURCE_TABLES } from './tables.js'

/** Maximum number of ids to list. */
const MOST = 10

/** Sorts after every continuation of a text. */
const LAST = '\u{10FFFF}'

/** Finds ids in a sandbox by their beginnings. */
export class Ids {
  readonly #ofResources
  readonly #ofRequests

  constructor(db: Pick<Database, 'prepare'>) {
    const within = (table: string, column: string) =>
      `SELECT ${column} AS id FROM ${table} WHERE sandbox = @sandbox AND ${column} BETWEEN @first AND @last`
    const statement = (...parts: readonly string[]) =>
      db
        .prepare<[{ sandbox: number; first: string; last: string }], string>(
          `${parts.join(' UNION ')} ORDER BY id LIMIT ${MOST}`
        )
        .pluck()
    const tables = RESOURCE_TABLES.filter(({ fields }) => 'id' in fields).map(({ name }) => within(name, 'id'))
    this.#ofResources = statement(...tables, within('timeline', 'resource'))
    this.#ofRequests = statement(within('timeline', 'request_id'), within('due_events', 'request_id'))
  }

  /** The ids of resources, including deleted ones. */
  ofResources = (sandbox: number, first: string): string[] =>
    this.#ofResources.all({ sandbox, first, last: first + LAST })

  /** The RequestIDs of state changes and scheduled events. */
  ofRequests = (sandbox: number, first: string): string[] =>
    this.#ofRequests.all({ sandbox, first, last: first + LAST })
}

import type { Database } from '../db/database.js'
import type { Turn } from './turn.js'

/** A change of state that has happened. */
export interface TimelineEntry {
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly resource: string
  readonly transition: string
  /** The field that changed. */
  readonly attribute: string
  /** null: it came into being. */
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  /** RequestID of the request that caused it. */
  readonly requestId: string
}

/** The rows of the timeline. */
export class Timeline {
  readonly #insert
  readonly #list
  readonly #listNewest
  readonly #listOfResource
  readonly #listOfRequest
  readonly #has
  readonly #newest

  constructor(db: Database) {
    const columns = 'at, resource, transition, attribute, from_state AS "from", to_state AS "to", reason, request_id AS requestId'
    this.#insert = db.prepare<[number, number, string, string, string, string | null, string, string | null, string]>(
      `INSERT INTO timeline (sandbox, at, resource, transition, attribute, from_state, to_state, reason, request_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#list = db.prepare<[number], TimelineEntry>(`SELECT ${columns} FROM timeline WHERE sandbox = ? ORDER BY sequence`)
    this.#listNewest = db.prepare<[number, number], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? ORDER BY sequence DESC LIMIT ?`)
    this.#listOfResource = db.prepare<[number, string], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? AND resource = ? ORDER BY sequence`)
    // It looks through the sandbox's timeline: an index would cost every write, and this is asked for by hand.
    this.#listOfRequest = db.prepare<[number, string], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? AND request_id = ? ORDER BY sequence`)
    this.#has = db.prepare<[number, string, string], { any: 0 | 1 }>(
      'SELECT EXISTS (SELECT 1 FROM timeline WHERE sandbox = ? AND resource = ? AND transition = ?) AS "any"')
    this.#newest = db.prepare<[number], { at: number }>('SELECT at FROM timeline WHERE sandbox = ? ORDER BY sequence DESC LIMIT 1')
  }

  /** Notes a change that happens now. */
  add({ sandbox, now, requestId }: Turn, entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.insert(sandbox.key, { ...entry, at: now, requestId })
    sandbox.newestChange = Math.max(sandbox.newestChange, now)
  }

  insert(sandbox: number, { at, resource, transition, attribute, from, to, reason, requestId }: TimelineEntry): void {
    this.#insert.run(sandbox, at, resource, transition, attribute, from, to, reason, requestId)
  }

  /** In the order of time; of one resource, and only the newest, if that is given. */
  list(sandbox: number, resource?: string, limit?: number): TimelineEntry[] {
    if (resource !== undefined) return this.#listOfResource.all(sandbox, resource).slice(limit === undefined ? 0 : -limit)
    return limit === undefined ? this.#list.all(sandbox) : this.#listNewest.all(sandbox, limit).reverse()
  }

  /** What a request has caused, in the order of time. */
  listOfRequest(sandbox: number, requestId: string): TimelineEntry[] {
    return this.#listOfRequest.all(sandbox, requestId)
  }

  /** Whether a resource has gone through a transition. */
  has(sandbox: number, resource: string, transition: string): boolean {
    return this.#has.get(sandbox, resource, transition)!.any === 1
  }

  /** When the newest change was; `-Infinity` if there was none. */
  newest(sandbox: number): number {
    return this.#newest.get(sandbox)?.at ?? -Infinity
  }
}

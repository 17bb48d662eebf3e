import type { Database } from '../db/database.js'
import type { SimTx } from './tx.js'

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

/**
 * At most so many of the oldest entries go at once: enough that most that come cost nothing, few enough that none costs
 * much.
 */
const TRIMMED = 1000
/** Of so many sandboxes it is known how many entries they have. */
const MOST_KNOWN = 10_000

/** The rows of the timeline. Of each sandbox there are only so many; the oldest go first. */
export class Timeline {
  /** How many entries a sandbox may have. */
  readonly limit: number
  readonly #db
  readonly #count
  readonly #trim
  readonly #listNewestOfResource
  /** How many entries there are, by the key of the sandbox. */
  readonly #counts = new Map<number, number>()
  readonly #insert
  readonly #list
  readonly #listNewest
  readonly #listOfResource
  readonly #listOfRequest
  readonly #has
  readonly #newest

  constructor(db: Database, limit = Infinity) {
    this.limit = limit
    this.#db = db
    this.#count = db.prepare<[number], { count: number }>('SELECT count(*) AS count FROM timeline WHERE sandbox = ?')
    this.#trim = db.prepare<[number, number]>(
      `DELETE FROM timeline WHERE sequence IN (SELECT sequence FROM timeline WHERE sandbox = ? ORDER BY
         sequence LIMIT ?)`
    )
    const columns =
      'at, resource, transition, attribute, from_state AS "from", to_state AS "to", reason, request_id AS requestId'
    this.#insert = db.prepare<[number, number, string, string, string, string | null, string, string | null, string]>(
      `INSERT INTO timeline (sandbox, at, resource, transition, attribute, from_state, to_state, reason, request_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#list = db.prepare<[number], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? ORDER BY sequence`
    )
    this.#listNewest = db.prepare<[number, number], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? ORDER BY sequence DESC LIMIT ?`
    )
    this.#listOfResource = db.prepare<[number, string], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? AND resource = ? ORDER BY sequence`
    )
    this.#listNewestOfResource = db.prepare<[number, string, number], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? AND resource = ? ORDER BY sequence DESC LIMIT ?`
    )
    // It looks through the sandbox's timeline: an index would cost every write, and this is asked for by hand.
    this.#listOfRequest = db.prepare<[number, string], TimelineEntry>(
      `SELECT ${columns} FROM timeline WHERE sandbox = ? AND request_id = ? ORDER BY sequence`
    )
    this.#has = db.prepare<[number, string, string], { any: 0 | 1 }>(
      'SELECT EXISTS (SELECT 1 FROM timeline WHERE sandbox = ? AND resource = ? AND transition = ?) AS "any"'
    )
    this.#newest = db.prepare<[number], { at: number }>(
      'SELECT at FROM timeline WHERE sandbox = ? ORDER BY sequence DESC LIMIT 1'
    )
  }

  /** Notes a change that happens now. */
  add({ sandbox, now, requestId }: SimTx, entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.#makeRoom(sandbox.key)
    this.insert(sandbox.key, { ...entry, at: now, requestId })
    sandbox.newestChange = Math.max(sandbox.newestChange, now)
  }

  /** Counts again, for what was added has been undone, or was changed beside this. */
  forget(sandbox: number): void {
    this.#counts.delete(sandbox)
  }

  #makeRoom(sandbox: number): void {
    let count = this.#counts.get(sandbox) ?? this.count(sandbox)
    if (count >= this.limit) {
      // That it goes is nothing that a request has done.
      const { changes } = this.#db.unwatched(() =>
        this.#trim.run(sandbox, Math.min(count - this.limit + Math.ceil(this.limit / 8), TRIMMED))
      )
      count -= changes
    }
    if (this.#counts.size >= MOST_KNOWN) this.#counts.clear()
    this.#counts.set(sandbox, count + 1)
  }

  insert(sandbox: number, { at, resource, transition, attribute, from, to, reason, requestId }: TimelineEntry): void {
    this.#insert.run(sandbox, at, resource, transition, attribute, from, to, reason, requestId)
  }

  /** In the order of time; of one resource, and only the newest, if that is given. */
  list(sandbox: number, resource?: string, limit?: number): TimelineEntry[] {
    if (limit === undefined)
      return resource === undefined ? this.#list.all(sandbox) : this.#listOfResource.all(sandbox, resource)
    const newest =
      resource === undefined
        ? this.#listNewest.all(sandbox, limit)
        : this.#listNewestOfResource.all(sandbox, resource, limit)
    return newest.reverse()
  }

  /** What a request has caused, in the order of time. */
  listOfRequest(sandbox: number, requestId: string): TimelineEntry[] {
    return this.#listOfRequest.all(sandbox, requestId)
  }

  /** Whether a resource has gone through a transition. */
  has(sandbox: number, resource: string, transition: string): boolean {
    return this.#has.get(sandbox, resource, transition)!.any === 1
  }

  /** How many entries a sandbox has. */
  count(sandbox: number): number {
    return this.#count.get(sandbox)!.count
  }

  /** When the newest change was; `-Infinity` if there was none. */
  newest(sandbox: number): number {
    return this.#newest.get(sandbox)?.at ?? -Infinity
  }
}

import type { Database } from '../db/database.js'
import type { SimTx } from './tx.js'

/** A state change that has happened. */
export interface TimelineEntry {
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly resource: string
  readonly transition: string
  /** The field that changed. */
  readonly attribute: string
  /** null: the resource was created. */
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  /** RequestID of the request that caused it. */
  readonly requestId: string
}

/**
 * Maximum number of oldest entries deleted at once: enough that most new entries delete nothing, few enough that none
 * takes long.
 */
const TRIMMED = 1000
/** Maximum number of sandboxes whose entry counts are cached. */
const MOST_KNOWN = 10_000

/** The rows of the timeline. Each sandbox has a limit; the oldest entries are deleted first. */
export class Timeline {
  /** Maximum number of entries per sandbox. */
  readonly limit: number
  readonly #db
  readonly #count
  readonly #trim
  readonly #listNewestOfResource
  /** Cached number of entries, by sandbox key. */
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
    // Scans the sandbox's timeline: an index would slow down every write, and only people ask for this.
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

  /** Records a change that happens now. */
  add({ sandbox, now, requestId }: SimTx, entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.#makeRoom(sandbox.key)
    this.insert(sandbox.key, { ...entry, at: now, requestId })
    sandbox.newestChange = Math.max(sandbox.newestChange, now)
  }

  /** Drops the cached count, because additions were undone, or rows were changed without this class. */
  forget(sandbox: number): void {
    this.#counts.delete(sandbox)
  }

  #makeRoom(sandbox: number): void {
    let count = this.#counts.get(sandbox) ?? this.count(sandbox)
    if (count >= this.limit) {
      // No request caused this deletion, so do not report it.
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

  /** In order of time; only those of one resource, and only the newest `limit`, if given. */
  list(sandbox: number, resource?: string, limit?: number): TimelineEntry[] {
    if (limit === undefined)
      return resource === undefined ? this.#list.all(sandbox) : this.#listOfResource.all(sandbox, resource)
    const newest =
      resource === undefined
        ? this.#listNewest.all(sandbox, limit)
        : this.#listNewestOfResource.all(sandbox, resource, limit)
    return newest.reverse()
  }

  /** The changes that a request caused, in order of time. */
  listOfRequest(sandbox: number, requestId: string): TimelineEntry[] {
    return this.#listOfRequest.all(sandbox, requestId)
  }

  /** Whether a resource has gone through a transition. */
  has(sandbox: number, resource: string, transition: string): boolean {
    return this.#has.get(sandbox, resource, transition)!.any === 1
  }

  count(sandbox: number): number {
    return this.#count.get(sandbox)!.count
  }

  /** When the newest change happened; `-Infinity` if there is none. */
  newest(sandbox: number): number {
    return this.#newest.get(sandbox)?.at ?? -Infinity
  }
}

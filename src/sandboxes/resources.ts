import type { Database } from '../db/database.js'
import { ServiceError } from '../interface/errors.js'

/** Maximum number of sandboxes whose free room is cached; the others are counted on demand. */
const MOST_KNOWN = 10_000

/** Limits the number of resources per sandbox. Counts them once, then tracks additions and removals. */
export class ResourceLimit {
  readonly #count
  /** How many more are allowed, by sandbox key. */
  readonly #rooms = new Map<number, number>()

  /** @param tables their rows are the resources @param limit maximum number of resources */
  constructor(
    db: Database,
    tables: readonly string[],
    readonly limit: number
  ) {
    this.#count = db.prepare<[{ sandbox: number }], { count: number }>(
      `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table} WHERE sandbox = @sandbox)`).join(' + ')} AS count`
    )
    db.watcher.onDelete(tables, (sandbox) => {
      const room = this.#rooms.get(sandbox)
      if (room !== undefined) this.#rooms.set(sandbox, room + 1)
    })
  }

  count(sandbox: number): number {
    return this.#count.get({ sandbox })!.count
  }

  /**
   * Reserves room for resources before they are created. Must be called within a write.
   * @throws {ServiceError} `quotaExceeded` if there is not enough
   */
  take(sandbox: number, count = 1): void {
    const room = this.#rooms.get(sandbox) ?? this.limit - this.count(sandbox)
    if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()
    this.#rooms.set(sandbox, room)
    if (count > room)
      throw tooMany(
        this.limit,
        `has ${this.limit - room} resources, and no room for ${count === 1 ? 'one' : count} more; delete some`
      )
    this.#rooms.set(sandbox, room - count)
  }

  /** @throws {ServiceError} `quotaExceeded` if a stored document has more resources than are allowed */
  check(count: number): void {
    if (count > this.limit) throw tooMany(this.limit, `would have ${count} resources`)
  }

  /** Drops the cached count, because reservations were undone, or rows changed without them. */
  forget(sandbox: number): void {
    this.#rooms.delete(sandbox)
  }
}

function tooMany(limit: number, what: string): ServiceError {
  return new ServiceError('quotaExceeded', `The sandbox ${what}. The maximum is ${limit} (--max-resources).`)
}

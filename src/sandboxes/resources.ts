import type { Database } from '../db/database.js'
import { ServiceError } from '../lib/errors.js'

/** The tables whose rows are the resources of a sandbox. */
const TABLES = [
  'workgroups',
  'allowed_ips',
  'databases',
  'workspaces',
  'backups',
  'restore_jobs',
  'backup_schedules',
  'workspace_schedules',
  'database_users',
  'org_users'
]

/** Of so many sandboxes it is known how much room they have; that of the others is counted when it is asked for. */
const MOST_KNOWN = 10_000

/** How many resources a sandbox may have. They are counted once; from then on, what comes and goes is added up. */
export class ResourceLimit {
  /** How many there may be. */
  readonly limit: number
  readonly #count
  /** How many more there may be, by the key of the sandbox. */
  readonly #rooms = new Map<number, number>()

  constructor(db: Database, limit: number) {
    this.limit = limit
    this.#count = db.prepare<[{ sandbox: number }], { count: number }>(
      `SELECT ${TABLES.map((table) => `(SELECT count(*) FROM ${table} WHERE sandbox = @sandbox)`).join(' + ')} AS count`
    )
    db.watcher.onDelete(TABLES, (sandbox) => {
      const room = this.#rooms.get(sandbox)
      if (room !== undefined) this.#rooms.set(sandbox, room + 1)
    })
  }

  /** How many resources a sandbox has. */
  count(sandbox: number): number {
    return this.#count.get({ sandbox })!.count
  }

  /**
   * Takes room for resources before they are made: those that there are may have to be counted. Must be called within a
   * write.
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

  /** @throws {ServiceError} `quotaExceeded` if a document that was kept has more than there may be */
  check(count: number): void {
    if (count > this.limit) throw tooMany(this.limit, `would have ${count} resources`)
  }

  /** Counts again, for what was taken has been undone, or was changed beside this. */
  forget(sandbox: number): void {
    this.#rooms.delete(sandbox)
  }
}

function tooMany(limit: number, what: string): ServiceError {
  return new ServiceError('quotaExceeded', `The sandbox ${what}. It may have ${limit}, as --max-resources says.`)
}

import type { Database } from '../db/database.js'
import { databaseFull, ServiceError } from '../interface/errors.js'
import { wallTime } from '../lib/time.js'
import { isAttended, type LoadedSandboxes } from './loaded.js'
import type { Sandbox } from './sandbox.js'
import type { SandboxRecord, SandboxStore } from './store.js'

/** Limits for the sandboxes of a database. */
export interface SandboxLimits {
  /** Maximum number. */
  readonly count: number
  /** Milliseconds without use after which one may be evicted for a new one; `Infinity`: never. */
  readonly idle: number
  /** Ids of those that are never evicted. */
  readonly kept: readonly string[]
}

/** After this time without use, in milliseconds, nobody is about to write to a sandbox that holds nothing. */
const IN_USE = 1000

/** Finds the least recently used sandbox of some kind, among those last used by a time and not kept. */
type FindIdle = (by: number, kept: string) => Pick<SandboxRecord, 'key' | 'id'> | undefined

/** Maximum number of sandboxes removed per transaction. */
export const REMOVED_AT_ONCE = 100

/**
 * Makes room for new sandboxes by removing others. Call its methods within a write; they add the removed sandboxes that
 * are in memory to `gone`.
 */
export class Capacity {
  readonly #kept: string
  /** When there was no empty sandbox to evict. */
  #noneEmpty = -Infinity

  constructor(
    private readonly db: Database,
    private readonly store: SandboxStore,
    private readonly loaded: LoadedSandboxes,
    private readonly limits: SandboxLimits
  ) {
    this.#kept = JSON.stringify(limits.kept)
  }

  /**
   * Makes room for one more sandbox: removes expired ones, and at the limit one that is empty or unused.
   * @throws {ServiceError} `quotaExceeded` or `databaseFull` if there is no room
   */
  makeRoom(gone: Sandbox[]): void {
    const wall = wallTime()
    for (const { key, id } of this.store.expired(wall, REMOVED_AT_ONCE)) this.remove(key, id, gone)
    if (this.store.count() >= this.limits.count && !this.#evict(wall, gone)) throw this.#tooMany()
    if (this.db.isNearlyFull) throw databaseFull()
  }

  #evict(wall: number, gone: Sandbox[]): boolean {
    const { idle } = this.limits
    return idle !== Infinity && (this.#removeEmpty(wall, gone) || this.removeIdle(wall - idle, gone))
  }

  #removeEmpty(wall: number, gone: Sandbox[]): boolean {
    // Searching many full sandboxes takes milliseconds, which a flood of new keys must not cost each time.
    if (wall >= this.#noneEmpty && wall < this.#noneEmpty + IN_USE) return false
    if (this.removeIdle(wall - IN_USE, gone, this.store.longestEmpty)) return true
    this.#noneEmpty = wall
    return false
  }

  /** Removes the least recently used sandbox, if it has been idle since a time. @returns whether there was one */
  removeIdle(since: number, gone: Sandbox[], find: FindIdle = this.store.longestIdle): boolean {
    for (;;) {
      const idle = find(since, this.#kept)
      if (idle === undefined) return false
      const loaded = this.loaded.find(idle.id)
      if (loaded === undefined || (loaded.lastUsed <= since && !isAttended(loaded))) {
        this.remove(idle.key, idle.id, gone)
        return true
      }
      // It has been used since that was stored, or has listeners, which counts as a use.
      if (isAttended(loaded)) loaded.lastUsed = wallTime()
      this.loaded.saveUse(loaded)
    }
  }

  remove(key: number, id: string, gone: Sandbox[]): void {
    this.store.remove(key)
    const sandbox = this.loaded.remove(id)
    if (sandbox !== undefined) gone.push(sandbox)
  }

  #tooMany(): ServiceError {
    const { count, idle } = this.limits
    const room =
      idle === Infinity
        ? 'None of them can be replaced, because --sandbox-idle is off'
        : 'All of them were used too recently to be replaced (--sandbox-idle)'
    return new ServiceError(
      'quotaExceeded',
      `There are ${count} sandboxes already, the maximum of --max-sandboxes. ${room}. Use an existing one, ` +
        'remove some (POST /_mock/sandboxes/purge), or raise the limit.'
    )
  }
}

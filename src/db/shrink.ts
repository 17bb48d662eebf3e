import type { Connection } from './connection.js'
import type { GroupCommit } from './group-commit.js'

/** Pages that are given back with one commit: 1 MiB, which takes a few milliseconds. */
const STEP = 256

/** So many free pages stay (4 MiB), and so large a share of the file: new rows come soon. */
const SPARE = 1024
const SPARE_SHARE = 1 / 8

/**
 * A new file can shrink by itself; an older one only by VACUUM, which makes it a new one. It must come before the first
 * table.
 */
export const CAN_SHRINK = 'PRAGMA auto_vacuum = INCREMENTAL'

/** Gives free pages back to the disk, a few with each commit, when there are many. */
export class Shrinker {
  readonly #sqlite: Connection
  readonly #commits: GroupCommit
  readonly #pages
  readonly #free
  readonly #isPossible: boolean
  #isAwake = false

  constructor(sqlite: Connection, commits: GroupCommit) {
    this.#sqlite = sqlite
    this.#commits = commits
    this.#pages = sqlite.prepare<[], number>('PRAGMA page_count').pluck()
    this.#free = sqlite.prepare<[], number>('PRAGMA freelist_count').pluck()
    this.#isPossible = sqlite.prepare('PRAGMA auto_vacuum').pluck().get() === 2
  }

  /** Pages of the file that hold something. */
  get used(): number {
    return this.#pages.get()! - this.#free.get()!
  }

  /** Looks after the commit that was queued before whether there is something to give back. */
  wake(): void {
    if (this.#isAwake || !this.#isPossible) return
    this.#isAwake = true
    setImmediate(() => {
      void this.#shrink()
    })
  }

  async #shrink(): Promise<void> {
    try {
      if (!this.#hasTooMany()) return
      do {
        await this.#commits.write(() => {
          this.#sqlite.exec(`PRAGMA incremental_vacuum(${STEP})`)
        })
      } while (this.#hasTooMany())
      // Only now the file itself becomes shorter.
      this.#sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The disk is full, or the database was closed: it goes on after a later commit.
    } finally {
      this.#isAwake = false
    }
  }

  #hasTooMany(): boolean {
    const free = this.#free.get()!
    return free > SPARE && free > this.#pages.get()! * SPARE_SHARE
  }
}

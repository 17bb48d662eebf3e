import { inNextTurn } from '../lib/time.js'
import type { Connection } from './connection.js'
import type { GroupCommit } from './group-commit.js'

/** Pages freed per commit: 1 MiB, which takes a few milliseconds. */
const STEP = 256

/** Keep this many free pages (4 MiB) and this share of the file for new rows. */
const SPARE = 1024
const SPARE_SHARE = 1 / 8

/** Lets a new file shrink without VACUUM, which rewrites it. Must run before the first table is created. */
export const CAN_SHRINK = 'PRAGMA auto_vacuum = INCREMENTAL'

/** When a file has many free pages, returns them to the disk, a few with each commit. */
export class Shrinker {
  readonly #pages
  readonly #free
  readonly #isPossible: boolean
  #isAwake = false
  #used: number | undefined

  constructor(
    private readonly sqlite: Connection,
    private readonly commits: GroupCommit
  ) {
    this.#pages = sqlite.prepare<[], number>('PRAGMA page_count').pluck()
    this.#free = sqlite.prepare<[], number>('PRAGMA freelist_count').pluck()
    this.#isPossible = sqlite.prepare('PRAGMA auto_vacuum').pluck().get() === 2
  }

  /** Number of pages in use after the last commit. */
  get used(): number {
    return (this.#used ??= this.#pages.get()! - this.#free.get()!)
  }

  /** Call it after a commit: soon checks whether there are pages to free. */
  readonly wake = (): void => {
    this.#used = undefined
    if (this.#isAwake || !this.#isPossible) return
    this.#isAwake = true
    inNextTurn(() => {
      void this.#shrink()
    })
  }

  async #shrink(): Promise<void> {
    try {
      if (!this.#hasTooMany()) return
      do {
        await this.commits.write(() => {
          this.sqlite.exec(`PRAGMA incremental_vacuum(${STEP})`)
        })
      } while (this.#hasTooMany())
      // The file itself only becomes shorter here.
      this.sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The disk is full, or the database was closed. A later commit tries again.
    } finally {
      this.#isAwake = false
    }
  }

  #hasTooMany(): boolean {
    const free = this.#free.get()!
    return free > SPARE && free > this.#pages.get()! * SPARE_SHARE
  }
}

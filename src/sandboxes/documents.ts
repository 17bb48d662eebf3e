import type { Database } from '../db/database.js'

/**
 * State documents (JSON) that snapshots and baselines refer to by key. A document never changes, a key is never reused,
 * and a document is deleted with the last row that refers to it.
 */
export class DocumentStore {
  readonly #save
  readonly #read
  readonly #has

  constructor(db: Database) {
    this.#save = db.prepare<[string], { key: number }>('INSERT INTO documents (state) VALUES (?) RETURNING key')
    this.#has = db.prepare<[number], { any: 0 | 1 }>('SELECT EXISTS (SELECT 1 FROM documents WHERE key = ?) AS "any"')
    this.#read = db.prepare<[number], { state: string }>('SELECT state FROM documents WHERE key = ?')
  }

  /** Saves a document. Something must refer to it before the write ends. @returns its key */
  save(state: string): number {
    return this.#save.get(state)!.key
  }

  /** Whether a document still exists. */
  has(key: number): boolean {
    return this.#has.get(key)!.any === 1
  }

  /** @returns undefined if nothing refers to it any more */
  read(key: number): string | undefined {
    return this.#read.get(key)?.state
  }
}

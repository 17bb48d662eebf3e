import type { Database } from '../db/database.js'

/**
 * State documents (JSON) that snapshots and baselines refer to by key. A document never changes, a key is never reused,
 * and a document is deleted with the last row that refers to it.
 */
export function documentStore(db: Database) {
  const save = db.prepare<[string], number>('INSERT INTO documents (state) VALUES (?) RETURNING key').pluck()
  const has = db.prepare<[number], 0 | 1>('SELECT EXISTS (SELECT 1 FROM documents WHERE key = ?)').pluck()
  const read = db.prepare<[number], string>('SELECT state FROM documents WHERE key = ?').pluck()
  return {
    /** Saves a document. Something must refer to it before the write ends. @returns its key */
    save: (state: string) => save.get(state)!,
    has: (key: number) => has.get(key) === 1,
    /** @returns undefined if it was deleted */
    read: (key: number) => read.get(key)
  }
}

export type DocumentStore = ReturnType<typeof documentStore>

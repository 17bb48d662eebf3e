import type { Database } from '../db/database.js'

/** A snapshot of a sandbox, without its contents. */
export interface SnapshotRecord {
  readonly name: string
  readonly createdAt: string
}

/** The rows of snapshots. Every method takes the sandbox key first. */
export class SnapshotStore {
  readonly #save
  readonly #list
  readonly #countOthers
  readonly #document
  readonly #remove

  constructor(db: Database) {
    this.#save = db.prepare<[number, string, string, number]>(
      `INSERT INTO snapshots (sandbox, name, created_at, document) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET created_at = excluded.created_at, document = excluded.document`
    )
    this.#list = db.prepare<[number], SnapshotRecord>(
      'SELECT name, created_at AS createdAt FROM snapshots WHERE sandbox = ? ORDER BY name'
    )
    this.#countOthers = db.prepare<[number, string], { count: number }>(
      'SELECT count(*) AS count FROM snapshots WHERE sandbox = ? AND name <> ?'
    )
    this.#document = db.prepare<[number, string], { document: number }>(
      'SELECT document FROM snapshots WHERE sandbox = ? AND name = ?'
    )
    this.#remove = db.prepare<[number, string]>('DELETE FROM snapshots WHERE sandbox = ? AND name = ?')
  }

  /** Saves a snapshot, replacing one with the same name. @param document key of its contents */
  save(sandbox: number, { name, createdAt }: SnapshotRecord, document: number): void {
    this.#save.run(sandbox, name, createdAt, document)
  }

  /** Sorted by name. */
  list(sandbox: number): SnapshotRecord[] {
    return this.#list.all(sandbox)
  }

  /** Number of snapshots with other names. */
  countOthers(sandbox: number, name: string): number {
    return this.#countOthers.get(sandbox, name)!.count
  }

  /** The key of a snapshot's document. */
  document(sandbox: number, name: string): number | undefined {
    return this.#document.get(sandbox, name)?.document
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, name: string): boolean {
    return this.#remove.run(sandbox, name).changes > 0
  }
}

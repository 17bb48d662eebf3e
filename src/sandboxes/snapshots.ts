import type { Database } from '../db/database.js'

/** A snapshot of a sandbox, without what it holds. */
export interface SnapshotRecord {
  readonly name: string
  readonly createdAt: string
}

/** The rows of snapshots. Every method takes the key of the sandbox first. */
export class SnapshotStore {
  readonly #save
  readonly #list
  readonly #countOthers
  readonly #state
  readonly #remove

  constructor(db: Database) {
    this.#save = db.prepare<[number, string, string, string]>(
      `INSERT INTO snapshots (sandbox, name, created_at, state) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET created_at = excluded.created_at, state = excluded.state`)
    this.#list = db.prepare<[number], SnapshotRecord>('SELECT name, created_at AS createdAt FROM snapshots WHERE sandbox = ? ORDER BY name')
    this.#countOthers = db.prepare<[number, string], { count: number }>('SELECT count(*) AS count FROM snapshots WHERE sandbox = ? AND name <> ?')
    this.#state = db.prepare<[number, string], { state: string }>('SELECT state FROM snapshots WHERE sandbox = ? AND name = ?')
    this.#remove = db.prepare<[number, string]>('DELETE FROM snapshots WHERE sandbox = ? AND name = ?')
  }

  /** Saves a state document (JSON), in the place of one of the same name. */
  save(sandbox: number, { name, createdAt }: SnapshotRecord, state: string): void {
    this.#save.run(sandbox, name, createdAt, state)
  }

  /** By name. */
  list(sandbox: number): SnapshotRecord[] {
    return this.#list.all(sandbox)
  }

  /** How many there are besides the one of a name. */
  countOthers(sandbox: number, name: string): number {
    return this.#countOthers.get(sandbox, name)!.count
  }

  /** The state document of a snapshot. */
  state(sandbox: number, name: string): string | undefined {
    return this.#state.get(sandbox, name)?.state
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, name: string): boolean {
    return this.#remove.run(sandbox, name).changes > 0
  }
}

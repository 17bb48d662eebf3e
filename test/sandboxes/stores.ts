import type { Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { documentStore } from '../../src/sandboxes/documents.js'
import { snapshotStore } from '../../src/sandboxes/snapshots.js'
import { sandboxStore } from '../../src/sandboxes/store.js'

/** A database in memory, and the stores of what sandboxes have, without a server. */
export function openStores(t: Test) {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  const sandboxes = sandboxStore(db)
  const fill = db.prepare<[number, string]>('INSERT INTO quotas (sandbox, name, maximum) VALUES (?, ?, 1)')
  return {
    db,
    sandboxes,
    snapshots: snapshotStore(db),
    documents: documentStore(db),
    /** Adds a sandbox with some rows. @returns its key */
    add: (id: string, rows = 0): number => {
      const { key } = sandboxes.insert({ id, random: { seed: `seed of ${id}`, draws: 0 } }, 0)
      for (let i = 0; i < rows; i++) fill.run(key, `${i}`)
      return key
    },
    /** Number of rows of a table. */
    count: (table: string): number =>
      db.prepare<[], { count: number }>(`SELECT count(*) AS count FROM ${table}`).get()!.count
  }
}

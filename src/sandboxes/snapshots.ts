import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Found, Table } from '../db/table.js'

const SNAPSHOTS = {
  name: 'snapshots',
  key: ['name'],
  fields: {
    name: { type: Type.String() },
    created_at: { type: Type.String() },
    /** Key of its contents. */
    document: { type: Type.Integer() }
  }
} as const

/** A snapshot of a sandbox, without its contents. */
export type SnapshotRecord = Omit<Found<typeof SNAPSHOTS.fields>, 'document'>

/** The rows of snapshots. Every function takes the sandbox key first. */
export function snapshotStore(db: Database) {
  const table = new Table(db, SNAPSHOTS)
  const replace = table.replacer()
  const find = table.finder('name')
  const remove = table.remover('name')
  return {
    /** Saves a snapshot, replacing one with the same name. @param document key of its contents */
    save: (sandbox: number, snapshot: SnapshotRecord, document: number) => replace(sandbox, { ...snapshot, document }),
    list: table.query('ORDER BY name').all,
    /** Key of a snapshot's document. */
    document: (sandbox: number, name: string) => find(sandbox, name)?.document,
    /** @returns whether there was one */
    remove: (sandbox: number, name: string) => remove(sandbox, name) > 0
  }
}

export type SnapshotStore = ReturnType<typeof snapshotStore>

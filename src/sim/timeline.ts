import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Found, Table } from '../db/table.js'
import type { SimTx } from './sandbox.js'

const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])

const TIMELINE = {
  name: 'timeline',
  key: [],
  fields: {
    /** When, in milliseconds since 1970. */
    at: { type: Type.Integer() },
    resource: { type: Text },
    transition: { type: Text },
    /** The field that changed. */
    attribute: { type: Text },
    /** null: the resource was created. */
    from: { type: TextOrNull, from: 'from_state' },
    to: { type: Text, from: 'to_state' },
    reason: { type: TextOrNull },
    /** RequestID of the request that caused it. */
    request_id: { type: Text }
  }
} as const

/** A state change. */
export type TimelineEntry = Found<typeof TIMELINE.fields>

/** Maximum number of entries deleted at once: enough to make deletions rare, and few enough to keep them short. */
const TRIMMED = 1000
const MOST_KNOWN = 10_000

/**
 * The rows of the timeline. Every function but `add` takes the sandbox key first.
 * @param limit maximum number of entries per sandbox; the oldest are deleted first
 */
export function timelineStore(db: Database, limit = Infinity) {
  const table = new Table(db, TIMELINE)
  const listNewest = table.query('ORDER BY sequence DESC LIMIT ?').all
  const listNewestOfResource = table.query('AND resource = ? ORDER BY sequence DESC LIMIT ?').all
  const count = db.prepare<[number], number>('SELECT count(*) FROM timeline WHERE sandbox = ?').pluck()
  const trim = db.prepare<[number, number]>(
    'DELETE FROM timeline WHERE sequence IN (SELECT sequence FROM timeline WHERE sandbox = ? ORDER BY sequence LIMIT ?)'
  )
  const insertRow = db.prepare<[number, number, string, string, string, string | null, string, string | null, string]>(
    `INSERT INTO timeline (sandbox, at, resource, transition, attribute, from_state, to_state, reason, request_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const has = db
    .prepare<[number, string, string], 0 | 1>(
      'SELECT EXISTS (SELECT 1 FROM timeline WHERE sandbox = ? AND resource = ? AND transition = ?)'
    )
    .pluck()
  const newest = db
    .prepare<[number], number>('SELECT at FROM timeline WHERE sandbox = ? ORDER BY sequence DESC LIMIT 1')
    .pluck()
  /** Cached number of entries, by sandbox key. */
  const counts = new Map<number, number>()

  function makeRoom(sandbox: number): void {
    let entries = counts.get(sandbox) ?? count.get(sandbox)!
    if (entries >= limit) {
      // No request caused this deletion, so do not report it.
      const { changes } = db.unwatched(() =>
        trim.run(sandbox, Math.min(entries - limit + Math.ceil(limit / 8), TRIMMED))
      )
      entries -= changes
    }
    if (counts.size >= MOST_KNOWN) counts.clear()
    counts.set(sandbox, entries + 1)
  }

  function insert(
    sandbox: number,
    { at, resource, transition, attribute, from, to, reason, requestId }: TimelineEntry
  ): void {
    insertRow.run(sandbox, at, resource, transition, attribute, from, to, reason, requestId)
  }

  return {
    limit,
    insert,
    /** Records a change that happens now. */
    add({ sandbox, now, requestId }: SimTx, entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
      makeRoom(sandbox.key)
      insert(sandbox.key, { ...entry, at: now, requestId })
      sandbox.newestChange = Math.max(sandbox.newestChange, now)
    },
    /** Forgets the count, because additions were undone, or rows were changed without this store. */
    forget: (sandbox: number) => counts.delete(sandbox),
    /** In order of time; only those of one resource, and only the newest `limit`, if given. */
    list(sandbox: number, resource?: string, limit = -1): TimelineEntry[] {
      const newest =
        resource === undefined ? listNewest(sandbox, limit) : listNewestOfResource(sandbox, resource, limit)
      return newest.reverse()
    },
    /**
     * The changes that a request caused, in order of time. Scans the sandbox's timeline: this is rarely asked, and an
     * index would slow down every write.
     */
    listOfRequest: table.lister('request_id'),
    /** Whether a resource has gone through a transition. */
    has: (sandbox: number, resource: string, transition: string) => has.get(sandbox, resource, transition) === 1,
    count: (sandbox: number) => count.get(sandbox)!,
    /** When the newest change happened; `-Infinity` if there is none. */
    newest: (sandbox: number) => newest.get(sandbox) ?? -Infinity
  }
}

export type Timeline = ReturnType<typeof timelineStore>

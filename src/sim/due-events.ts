import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Found, Table } from '../db/table.js'

const DUE_EVENTS = {
  name: 'due_events',
  key: ['sequence'],
  fields: {
    sequence: { type: Type.Integer(), from: 'due_events.sequence' },
    /** When it is due, in milliseconds since 1970; null while it is held. */
    due: { type: Type.Union([Type.Integer(), Type.Null()]) },
    kind: { type: Type.String() },
    resource: { type: Type.String() },
    payload: { type: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }) },
    /** RequestID of the request that caused it. */
    request_id: { type: Type.String() }
  }
} as const

export type DueEvent = Found<typeof DUE_EVENTS.fields>

/** The rows of due events. Every function takes the sandbox key first. */
export function dueEventStore(db: Database) {
  const table = new Table(db, DUE_EVENTS)
  const ofKinds = 'AND kind IN (SELECT value FROM json_each(?))'
  // The plus signs keep SQLite from scanning everything due in the sandbox, which it would do to get the rows in order.
  const nextOfResource = table.query(
    `AND resource = ? AND +due IS NOT NULL ${ofKinds} ORDER BY +due, sequence LIMIT 1`
  ).get
  const next = table.query('AND due IS NOT NULL ORDER BY due, sequence LIMIT 1').get
  const listOfKinds = table.query(`${ofKinds} ORDER BY due IS NULL, due, sequence LIMIT ?`).all
  const hasAny = db
    .prepare<[number, string], 0 | 1>(`SELECT EXISTS (SELECT 1 FROM due_events WHERE sandbox = ? ${ofKinds})`)
    .pluck()
  const count = db.prepare<[], number>('SELECT count(*) FROM due_events').pluck()
  const reschedule = db.prepare<[number, string, number, number]>(
    'UPDATE due_events SET due = ?, payload = ? WHERE sandbox = ? AND sequence = ?'
  )
  const cancelAll = table.remover('resource')
  const cancel = db.prepare<[number, string, string]>(
    `DELETE FROM due_events WHERE sandbox = ? AND resource = ? ${ofKinds}`
  )
  return {
    /** Number of events in all sandboxes together. */
    count: () => count.get()!,
    insert: table.inserter(),
    /** The first event that is not held. */
    next,
    /** The first event of a resource and of these kinds that is not held. */
    nextOfResource: (sandbox: number, resource: string, kinds: readonly string[]) =>
      nextOfResource(sandbox, resource, JSON.stringify(kinds)),
    /** The event of a resource that will run first; a held one if all are held. */
    firstOfResource: table.query('AND resource = ? ORDER BY due IS NULL, +due, sequence LIMIT 1').get,
    /** Whether there are events of these kinds, including held ones. */
    hasAny: (sandbox: number, kinds: readonly string[]) => hasAny.get(sandbox, JSON.stringify(kinds)) === 1,
    /** Events of these kinds in the order they will run, held ones last; only the first `limit`, if given. */
    listOfKinds: (sandbox: number, kinds: readonly string[], limit = -1) =>
      listOfKinds(sandbox, JSON.stringify(kinds), limit),
    /** The held events, in the order in which they were scheduled. */
    listHeld: table.query('AND due IS NULL ORDER BY sequence').all,
    /** When the first event is due; `Infinity` if there is none. */
    earliest: (sandbox: number) => next(sandbox)?.due ?? Infinity,
    /** All events in the order in which they will run, held ones last. */
    list: table.query('ORDER BY due IS NULL, due, sequence').all,
    reschedule(sandbox: number, sequence: number, due: number, payload: DueEvent['payload']): void {
      reschedule.run(due, JSON.stringify(payload), sandbox, sequence)
    },
    remove: table.remover('sequence'),
    /** The events of one kind of a resource, including held ones. */
    listOfResource: table.lister('resource', 'kind'),
    /** The events that a request has scheduled and that have not fired, including held ones. */
    listOfRequest: table.lister('request_id'),
    /** Removes the events of a resource: those of some kinds, or all. */
    cancel(sandbox: number, resource: string, kinds?: readonly string[]): void {
      if (kinds === undefined) cancelAll(sandbox, resource)
      else cancel.run(sandbox, resource, JSON.stringify(kinds))
    }
  }
}

export type DueEventStore = ReturnType<typeof dueEventStore>

/** An event from its row in a row change. */
export function toEvent({ payload, request_id: requestId, ...rest }: Readonly<Record<string, unknown>>): DueEvent {
  return { ...rest, payload: JSON.parse(payload as string) as unknown, requestId } as DueEvent
}

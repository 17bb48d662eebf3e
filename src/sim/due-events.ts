import type { Database } from '../db/database.js'

/** A scheduled event. */
export interface DueEvent {
  readonly sequence: number
  /** When it is due, in milliseconds since 1970; null while it is held. */
  readonly due: number | null
  readonly kind: string
  /** Id of the resource that it concerns. */
  readonly resource: string
  readonly payload: Readonly<Record<string, unknown>>
  /** RequestID of the request that caused it. */
  readonly requestId: string
}

/** A row of the table of due events. */
export interface DueEventRow {
  sequence: number
  due: number | null
  kind: string
  resource: string
  payload: string
  request_id: string
}

type NextRow = readonly [
  sequence: number,
  due: number,
  kind: string,
  resource: string,
  payload: string,
  requestId: string
]

/** The rows of due events. Every method takes the sandbox key first. */
export class DueEventStore {
  readonly #insert
  readonly #next
  readonly #nextOfResource
  readonly #firstOfResource
  readonly #hasAny
  readonly #listOfKinds
  readonly #listHeld
  readonly #earliest
  readonly #list
  readonly #count
  readonly #setDue
  readonly #remove
  readonly #cancel
  readonly #cancelAll
  readonly #listOfResource
  readonly #listOfRequest

  constructor(db: Database) {
    const columns = 'sequence, due, kind, resource, payload, request_id'
    this.#insert = db.prepare<[number, number | null, string, string, string, string]>(
      'INSERT INTO due_events (sandbox, due, kind, resource, payload, request_id) VALUES (?, ?, ?, ?, ?, ?)'
    )
    // As an array, because the driver creates arrays twice as fast as objects.
    this.#next = db
      .prepare<[number, number], NextRow>(
        `SELECT ${columns} FROM due_events WHERE sandbox = ? AND due <= ? ORDER BY due, sequence LIMIT 1`
      )
      .raw(true)
    this.#nextOfResource = db.prepare<[number, string, string], DueEventRow>(
      // The plus signs keep SQLite from scanning everything due in the sandbox, which it would do to get the rows in
      // order.
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND resource = ? AND +due IS NOT NULL
         AND kind IN (SELECT value FROM json_each(?)) ORDER BY +due, sequence LIMIT 1`
    )
    this.#firstOfResource = db.prepare<[number, string], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND resource = ? ORDER BY due IS NULL, +due,
         sequence LIMIT 1`
    )
    this.#hasAny = db.prepare<[number, string], { any: 0 | 1 }>(
      `SELECT EXISTS (SELECT 1 FROM due_events WHERE sandbox = ? AND kind IN (SELECT value FROM json_each(?))) AS "any"`
    )
    this.#listOfKinds = db.prepare<[number, string, number], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND kind IN (SELECT value FROM json_each(?))
         ORDER BY due IS NULL, due, sequence LIMIT ?`
    )
    this.#listHeld = db.prepare<[number], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND due IS NULL ORDER BY sequence`
    )
    this.#earliest = db.prepare<[number], { due: number }>(
      'SELECT due FROM due_events WHERE sandbox = ? AND due IS NOT NULL ORDER BY due LIMIT 1'
    )
    this.#list = db.prepare<[number], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? ORDER BY due IS NULL, due, sequence`
    )
    this.#count = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM due_events')
    this.#setDue = db.prepare<[number, string, number, number]>(
      'UPDATE due_events SET due = ?, payload = ? WHERE sandbox = ? AND sequence = ?'
    )
    this.#remove = db.prepare<[number, number]>('DELETE FROM due_events WHERE sandbox = ? AND sequence = ?')
    this.#listOfResource = db.prepare<[number, string, string], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND resource = ? AND kind = ? ORDER BY sequence`
    )
    this.#listOfRequest = db.prepare<[number, string], DueEventRow>(
      `SELECT ${columns} FROM due_events WHERE sandbox = ? AND request_id = ? ORDER BY sequence`
    )
    this.#cancelAll = db.prepare<[number, string]>('DELETE FROM due_events WHERE sandbox = ? AND resource = ?')
    this.#cancel = db.prepare<[number, string, string]>(
      'DELETE FROM due_events WHERE sandbox = ? AND resource = ? AND kind IN (SELECT value FROM json_each(?))'
    )
  }

  /** Number of events in all sandboxes. */
  count(): number {
    return this.#count.get()!.count
  }

  insert(sandbox: number, event: Omit<DueEvent, 'sequence'>): void {
    const { due, kind, resource, payload, requestId } = event
    this.#insert.run(sandbox, due, kind, resource, JSON.stringify(payload), requestId)
  }

  /** The first event that is due by a time. */
  next(sandbox: number, by: number): DueEvent | undefined {
    const row = this.#next.get(sandbox, by)
    if (row === undefined) return undefined
    const [sequence, due, kind, resource, payload, requestId] = row
    return { sequence, due, kind, resource, payload: JSON.parse(payload) as DueEvent['payload'], requestId }
  }

  /** The first event of a resource and of these kinds that is not held. */
  nextOfResource(sandbox: number, resource: string, kinds: readonly string[]): DueEvent | undefined {
    const row = this.#nextOfResource.get(sandbox, resource, JSON.stringify(kinds))
    return row && toEvent(row)
  }

  /** The event of a resource that will run first; a held one if all are held. */
  firstOfResource(sandbox: number, resource: string): DueEvent | undefined {
    const row = this.#firstOfResource.get(sandbox, resource)
    return row && toEvent(row)
  }

  /** Whether there are events of these kinds, including held ones. */
  hasAny(sandbox: number, kinds: readonly string[]): boolean {
    return this.#hasAny.get(sandbox, JSON.stringify(kinds))!.any === 1
  }

  /** Events of these kinds in the order they will run, held ones last; only the first `limit`, if given. */
  listOfKinds(sandbox: number, kinds: readonly string[], limit = -1): DueEvent[] {
    return this.#listOfKinds.all(sandbox, JSON.stringify(kinds), limit).map(toEvent)
  }

  /** The held events, in the order in which they were scheduled. */
  listHeld(sandbox: number): DueEvent[] {
    return this.#listHeld.all(sandbox).map(toEvent)
  }

  /** When the first event is due; `Infinity` if there is none. */
  earliest(sandbox: number): number {
    return this.#earliest.get(sandbox)?.due ?? Infinity
  }

  /** All events in the order in which they will run, held ones last. */
  list(sandbox: number): DueEvent[] {
    return this.#list.all(sandbox).map(toEvent)
  }

  reschedule(sandbox: number, sequence: number, due: number, payload: DueEvent['payload']): void {
    this.#setDue.run(due, JSON.stringify(payload), sandbox, sequence)
  }

  remove(sandbox: number, sequence: number): void {
    this.#remove.run(sandbox, sequence)
  }

  /** The events of one kind of a resource, including held ones. */
  listOfResource(sandbox: number, resource: string, kind: string): DueEvent[] {
    return this.#listOfResource.all(sandbox, resource, kind).map(toEvent)
  }

  /** The events that a request has scheduled and that have not fired, including held ones. */
  listOfRequest(sandbox: number, requestId: string): DueEvent[] {
    return this.#listOfRequest.all(sandbox, requestId).map(toEvent)
  }

  /** Removes the events of a resource: those of some kinds, or all. */
  cancel(sandbox: number, resource: string, kinds?: readonly string[]): void {
    if (kinds === undefined) this.#cancelAll.run(sandbox, resource)
    else this.#cancel.run(sandbox, resource, JSON.stringify(kinds))
  }
}

/** The event that a row holds. */
export function toEvent(row: DueEventRow): DueEvent {
  const { payload, request_id: requestId, ...rest } = row
  return { ...rest, payload: JSON.parse(payload) as DueEvent['payload'], requestId }
}

import type { RawChange } from '../db/row-watcher.js'
import type { Condition, ErrorDetail } from '../errors.js'
import type { DueEvent } from '../sim/due-events.js'

/** How much a journal keeps. */
export interface JournalLimits {
  /** Records; 0: it is off. */
  readonly requests: number
  /** Bytes of all records, roughly. */
  readonly bytes: number
}

/** A request that was answered. Times are milliseconds since 1970. */
export interface RequestEntry {
  readonly id: string
  /** Counts up in the order of the replies. */
  readonly sequence: number
  /** When it arrived, by the sandbox's clock. */
  readonly at: number
  /** When it arrived, by the machine's clock. */
  readonly received: number
  /** When it was answered, by the machine's clock. */
  readonly replied: number
  /** The operation that it called; undefined if none. */
  readonly operation: string | undefined
  readonly isControl: boolean
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** Without secrets. */
  readonly query: Readonly<Record<string, unknown>>
  /** Without secrets; undefined if there was none, or it could not be read. */
  readonly body: unknown
  /** The schema that applied to the body. */
  readonly bodySchema: object | undefined
  readonly status: number
  /** Text of the reply; undefined if there was none, or it was long. */
  readonly reply: string | undefined
  readonly error: EntryError | undefined
  /** What was injected into it, as the control API shows it; undefined if nothing was. */
  readonly fault: unknown
}

export interface EntryError {
  readonly condition: Condition
  readonly message: string
  readonly details: readonly ErrorDetail[]
}

/** Row changes that were made together, by a request itself or by an event that it had scheduled. */
export interface Note {
  /** Counts up in the order in which things happened in the sandbox. */
  readonly order: number
  /** The event that fired; undefined: the request itself. */
  readonly fired: DueEvent | undefined
  readonly changes: readonly RawChange[]
}

/** What is known of one RequestID. */
export interface JournalRecord {
  readonly id: string
  /** undefined: no request over HTTP, or one that is not answered yet, or whose own record was dropped. */
  readonly entry: RequestEntry | undefined
  readonly notes: readonly Note[]
  /** How many row changes and events are not kept, for there were too many. */
  readonly omitted: number
}

/** Row changes of a request itself, and apart from them those of its events, that one record keeps. */
export const NOTE_LIMIT = 200

interface OpenRecord {
  readonly id: string
  entry: RequestEntry | undefined
  notes: Note[]
  ownChanges: number
  firedChanges: number
  omitted: number
  bytes: number
}

/** What a record takes up besides what is counted. */
const OVERHEAD = 400

/**
 * The requests of one sandbox and what they changed, in this run of the server: a window, in which the oldest make room. What
 * lasts is the timeline.
 */
export class Journal {
  readonly #limits: JournalLimits
  /** In the order of their first note; those before `#start` are gone. */
  #records: OpenRecord[] = []
  #start = 0
  /** The newest record of each RequestID. */
  readonly #newest = new Map<string, OpenRecord>()
  #bytes = 0
  #order = 0
  #sequence = 0
  #dropped = 0

  constructor(limits: JournalLimits) {
    this.#limits = limits
  }

  get isOn(): boolean {
    return this.#limits.requests > 0
  }

  /** How many requests of the interface are no longer there because they had to make room. */
  get dropped(): number {
    return this.#dropped
  }

  /** Notes a request that is being answered. @param bytes what body and query take up, roughly */
  record(request: Omit<RequestEntry, 'sequence'>, bytes: number): void {
    if (!this.isOn) return
    const record = this.#openFor(request.id)
    record.entry = { ...request, sequence: this.#sequence++ }
    this.#grow(record, bytes + (request.reply?.length ?? 0) + request.path.length)
    this.#makeRoom()
  }

  /** Notes what a request has changed itself. */
  noteChanges(id: string, changes: readonly RawChange[]): void {
    if (!this.isOn || changes.length === 0) return
    const record = this.#openFor(id)
    const kept = changes.slice(0, Math.max(0, NOTE_LIMIT - record.ownChanges))
    record.omitted += changes.length - kept.length
    record.ownChanges += kept.length
    this.#add(record, undefined, kept)
  }

  /** Notes an event that fired, with what it changed, under the request that had scheduled it. */
  noteFired(fired: DueEvent, changes: readonly RawChange[]): void {
    if (!this.isOn) return
    const record = this.#newest.get(fired.requestId) ?? this.#open(fired.requestId)
    const kept = changes.slice(0, NOTE_LIMIT)
    record.omitted += changes.length - kept.length
    record.firedChanges += kept.length
    this.#add(record, fired, kept)
    while (record.firedChanges > NOTE_LIMIT) {
      // The newest firings say more than the oldest of a schedule that has run for months.
      const index = record.notes.findIndex((note) => note.fired !== undefined)
      const [oldest] = record.notes.splice(index, 1) as [Note]
      record.omitted += oldest.changes.length + 1
      record.firedChanges -= oldest.changes.length
      this.#grow(record, -bytesOf(oldest.changes))
    }
    this.#makeRoom()
  }

  /** The requests of the interface, oldest first. */
  requests(): RequestEntry[] {
    return this.records().flatMap(({ entry }) => (entry === undefined || entry.isControl ? [] : [entry]))
      .sort((a, b) => a.sequence - b.sequence)
  }

  /** All that is kept, oldest first. */
  records(): readonly JournalRecord[] {
    return this.#records.slice(this.#start)
  }

  /** What is known of a RequestID; of the newest request, if several had it. */
  find(id: string): JournalRecord | undefined {
    return this.#newest.get(id)
  }

  /** Forgets everything. */
  clear(): void {
    this.#records = []
    this.#start = 0
    this.#newest.clear()
    this.#bytes = 0
    this.#dropped = 0
  }

  #add(record: OpenRecord, fired: DueEvent | undefined, changes: readonly RawChange[]): void {
    record.notes.push({ order: this.#order++, fired, changes })
    this.#grow(record, bytesOf(changes))
    this.#makeRoom()
  }

  /** The record of a request that is under way: one that is answered already belongs to an earlier request of the same id. */
  #openFor(id: string): OpenRecord {
    const record = this.#newest.get(id)
    return record === undefined || record.entry !== undefined ? this.#open(id) : record
  }

  #open(id: string): OpenRecord {
    const record: OpenRecord = { id, entry: undefined, notes: [], ownChanges: 0, firedChanges: 0, omitted: 0, bytes: 0 }
    this.#records.push(record)
    this.#newest.set(id, record)
    this.#grow(record, OVERHEAD)
    return record
  }

  #grow(record: OpenRecord, bytes: number): void {
    record.bytes += bytes
    this.#bytes += bytes
  }

  #makeRoom(): void {
    while (this.#start < this.#records.length && (this.#records.length - this.#start > this.#limits.requests || this.#bytes > this.#limits.bytes)) {
      const oldest = this.#records[this.#start++]!
      this.#bytes -= oldest.bytes
      if (this.#newest.get(oldest.id) === oldest) this.#newest.delete(oldest.id)
      if (oldest.entry?.isControl === false) this.#dropped++
    }
    if (this.#start > 1000 && this.#start > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#start)
      this.#start = 0
    }
  }
}

function bytesOf(changes: readonly RawChange[]): number {
  let bytes = 0
  for (const change of changes) {
    bytes += 16 * change.length
    for (const value of change) if (typeof value === 'string') bytes += value.length
  }
  return bytes
}

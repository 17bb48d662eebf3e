import type { Condition, ErrorDetail } from '../interface/errors.js'
import { mask } from '../lib/secrets.js'
import { type Budget, heapSize, Keeper, textSize } from './budget.js'
import type { Step } from './step.js'

interface JournalLimits {
  /** Records; 0 turns it off. */
  readonly requests: number
  /** Approximate memory for all records, in bytes. */
  readonly bytes: number
}

/** The contents of a request. Identical requests may share it. */
export interface Call {
  /** operationId; undefined if it matches none. */
  readonly operation: string | undefined
  readonly isControl: boolean
  /** Name of the stub that answered; undefined if none did. */
  readonly stub?: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** Without secrets. */
  readonly query: Readonly<Record<string, unknown>>
  /** Without secrets; undefined if there was none, or it could not be read. */
  readonly body: unknown
  /** Whether its body was too large to keep. */
  readonly isBodyOmitted?: boolean
  /** The schema that applied to the body. */
  readonly bodySchema: object | undefined
}

/** A request that is being answered. Times are milliseconds since 1970. */
export interface AnsweredRequest {
  readonly id: string
  /** When it arrived, by the sandbox's clock. */
  readonly at: number
  /** When it arrived, by the machine's clock. */
  readonly received: number
  /** When it was answered, by the machine's clock. */
  readonly replied: number
  /** Order of the first step in the change log after it. */
  readonly before?: number
  /** The trace-id that it named, if any. */
  readonly trace?: string | undefined
  readonly call: Call
  readonly outcome: Outcome
}

/** A request as the journal shows it. */
export type RequestEntry = Call & Omit<AnsweredRequest, 'call'>

/** The text of a reply that many requests share; each has its RequestID between the parts. */
export interface SharedReply {
  readonly before: string
  readonly after: string
  /** Memory of the whole text, in bytes. */
  readonly size: number
}

/** How a request was answered, as its client sees it. Requests may share one. */
export interface Outcome {
  /** undefined: a fault dropped the reply. */
  readonly status: number | undefined
  /** Text of the reply; undefined if there was none, if it was long, or if a fault changed it. */
  readonly reply: string | SharedReply | undefined
  readonly error: EntryError | undefined
  /** Seconds in its `Retry-After`, if any. */
  readonly retryAfter: number | undefined
  /** The injected fault, as the control API shows it; undefined if there was none. */
  readonly fault: object | undefined
}

interface EntryError {
  /** undefined: the error was injected. */
  readonly condition: Condition | undefined
  readonly message: string
  readonly details: readonly ErrorDetail[]
  /** Id of the guard that refused; undefined if none did. */
  readonly guardId: string | undefined
}

/** A step that a record shows. */
interface Note extends Pick<Step, 'fired' | 'changes'> {
  /** Increases in the order in which things happened in the sandbox. */
  readonly order: number
}

/** The journal's record of one RequestID. */
export interface JournalRecord {
  readonly id: string
  /** undefined: not an HTTP request, not answered yet, or its own record was dropped. */
  readonly entry: RequestEntry | undefined
  readonly notes: readonly Note[]
  /** Number of row changes and events that were dropped because there were too many. */
  readonly omitted: number
}

/** Maximum per record of a request's own row changes, of its fired events, and of the row changes of each event. */
export const NOTE_LIMIT = 200

interface OpenRecord {
  readonly id: string
  request: AnsweredRequest | undefined
  /** Increases in the order of the replies. */
  sequence: number
  notes: Note[]
  ownChanges: number
  firings: number
  omitted: number
  bytes: number
}

/** Tables whose rows a record shows separately from the other changes, as events and as the timeline. */
export const SHOWN_APART: readonly string[] = ['due_events', 'timeline']

/** Overhead of a record, a note, a row change, and an error detail, in addition to their counted contents. */
const OVERHEAD = 400
const NOTE_OVERHEAD = 120
const CHANGE_OVERHEAD = 72
const DETAIL_OVERHEAD = 64

/** A trace-id, with the header that it is part of. */
const TRACE_SIZE = 128

/** Maximum share of a journal that one body may take up. */
const BODY_SHARE = 1 / 4

/** A request without the secrets in its body. */
export function withoutSecrets(request: AnsweredRequest): AnsweredRequest {
  const { call } = request
  const body = mask(call.body)
  return body === call.body ? request : { ...request, call: { ...call, body } }
}

/**
 * The requests of one sandbox in this run of the server, and what they changed. Keeps only the newest; the timeline is
 * the permanent record.
 */
export class Journal extends Keeper {
  #records: OpenRecord[] = []
  /** The newest record with notes per RequestID. Requests that only read are never looked up. */
  readonly #noted = new Map<string, OpenRecord>()
  #order = 0
  #sequence = 0
  #dropped = 0

  constructor(
    private readonly limits: JournalLimits,
    budget?: Budget
  ) {
    super(budget)
  }

  get isOn(): boolean {
    return this.limits.requests > 0
  }

  /** Number of requests to the interface that were dropped to make room. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Records a request that is being answered, without the secrets in its body.
   * @param bytes memory that its contents do not show: strings may be slices of a longer one
   * @returns the request as it is shown; undefined if the journal is off
   */
  record(request: AnsweredRequest, bytes: number): AnsweredRequest | undefined {
    if (!this.isOn) return undefined
    const { id, call, outcome, trace } = request
    const share = this.limits.bytes * BODY_SHARE
    const body = call.body === undefined ? 0 : heapSize(call.body, share)
    const isOmitted = body > share
    const noted = this.#noted.get(id)
    const record = noted === undefined || noted.request !== undefined ? this.#open(id) : noted
    // A body that is not kept may be so large that masking it would take long.
    const shown = isOmitted
      ? { ...request, call: { ...call, body: undefined, isBodyOmitted: true } }
      : withoutSecrets(request)
    record.request = shown
    record.sequence = this.#sequence++
    this.#grow(
      record,
      bytes +
        (isOmitted ? 0 : body) +
        heapSize(call.query) +
        sizeOfOutcome(outcome) +
        call.path.length +
        (trace === undefined ? 0 : TRACE_SIZE)
    )
    this.#makeRoom()
    return shown
  }

  /** Records changes of a request, or of an event under the request that scheduled it. */
  note({ id, fired, changes }: Pick<Step, 'id' | 'fired' | 'changes'>): void {
    const isOwn = fired === undefined
    if (!this.isOn || (isOwn && changes.length === 0)) return
    const noted = this.#noted.get(id)
    // A request that is already answered is an earlier one with the same id.
    const record = noted === undefined || (isOwn && noted.request !== undefined) ? this.#openNoted(id) : noted
    const most = isOwn ? Math.max(0, NOTE_LIMIT - record.ownChanges) : NOTE_LIMIT
    const kept = changes.length <= most ? changes : changes.slice(0, most)
    record.omitted += changes.length - kept.length
    const note = { order: this.#order++, fired, changes: kept }
    record.notes.push(note)
    this.#grow(record, sizeOfNote(note))
    if (isOwn) record.ownChanges += kept.length
    else if (++record.firings > NOTE_LIMIT) {
      // The newest firings of a schedule that has run for months say more than the oldest.
      const index = record.notes.findIndex((note) => note.fired !== undefined)
      const [oldest] = record.notes.splice(index, 1) as [Note]
      record.omitted += oldest.changes.length + 1
      record.firings--
      this.#grow(record, -sizeOfNote(oldest))
    }
    this.#makeRoom()
  }

  /** The requests to the interface, oldest first. */
  requests(): RequestEntry[] {
    return this.#records
      .filter(({ request }) => request?.call.isControl === false)
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ request }) => toEntry(request!))
  }

  /** All records, oldest first. */
  records(): JournalRecord[] {
    return this.#records.map(toRecord)
  }

  /** The RequestIDs of all records. */
  ids(): string[] {
    return this.#records.map(({ id }) => id)
  }

  /** The record of a RequestID; of the newest request if several had it. */
  find(id: string): JournalRecord | undefined {
    const record = this.#records.findLast((record) => record.id === id)
    return record && toRecord(record)
  }

  /** The trace of a request that has changed or scheduled something; undefined if it named none, or was dropped. */
  traceOf(id: string): string | undefined {
    return this.#noted.get(id)?.request?.trace
  }

  clear(): void {
    this.#records = []
    this.#noted.clear()
    this.countNothing()
    this.#dropped = 0
  }

  override giveUp(): void {
    const oldest = this.#records.shift()!
    this.count(-oldest.bytes)
    if (this.#noted.get(oldest.id) === oldest) this.#noted.delete(oldest.id)
    if (oldest.request?.call.isControl === false) this.#dropped++
  }

  #openNoted(id: string): OpenRecord {
    const record = this.#open(id)
    this.#noted.set(id, record)
    return record
  }

  #open(id: string): OpenRecord {
    if (this.#records.length === this.limits.requests) this.giveUp()
    const record: OpenRecord = {
      id,
      request: undefined,
      sequence: 0,
      notes: [],
      ownChanges: 0,
      firings: 0,
      omitted: 0,
      bytes: 0
    }
    this.#records.push(record)
    this.#grow(record, OVERHEAD)
    return record
  }

  #grow(record: OpenRecord, bytes: number): void {
    record.bytes += bytes
    this.count(bytes)
  }

  #makeRoom(): void {
    while (this.bytes > this.limits.bytes) this.giveUp()
    this.use()
  }
}

/** An answered request as the journal shows it. */
export const toEntry = ({ call, ...request }: AnsweredRequest): RequestEntry => ({ ...call, ...request })

function toRecord({ id, request, notes, omitted }: OpenRecord): JournalRecord {
  return { id, entry: request === undefined ? undefined : toEntry(request), notes, omitted }
}

/** The text of the reply to a request; undefined if there was none, or it was long. */
export function replyText({ id, outcome: { reply } }: Pick<AnsweredRequest, 'id' | 'outcome'>): string | undefined {
  return typeof reply === 'object' ? sharedText(reply, id) : reply
}

/** The text of a shared reply, for one request. */
export const sharedText = ({ before, after }: SharedReply, id: string) => `${before}${id}${after}`

function sizeOfOutcome({ reply, error }: Outcome): number {
  const text = reply === undefined ? 0 : typeof reply === 'object' ? reply.size : textSize(reply)
  const details = error?.details ?? []
  return (
    text +
    details.reduce(
      (bytes, { FieldName, Reason }) => bytes + textSize(FieldName) + textSize(Reason) + DETAIL_OVERHEAD,
      0
    )
  )
}

function sizeOfNote({ fired, changes }: Note): number {
  const event = fired === undefined ? 0 : heapSize(fired)
  return changes.reduce((bytes, [, values]) => bytes + textSize(values) + CHANGE_OVERHEAD, NOTE_OVERHEAD + event)
}

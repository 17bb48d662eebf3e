import type { RequestEntry } from '../../journal/journal.js'
import { unreadFields } from '../../journal/unread.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'

/** A request, as the control API shows it. */
export interface RecordedRequest {
  readonly request_id: string
  /** The trace that it is part of; absent if it named none. */
  readonly trace?: string
  /** Timestamp of its arrival, by the sandbox's clock. */
  readonly at: string
  /** Timestamp of its arrival, by the machine's clock. */
  readonly received: string
  /** operationId; null if it was for no operation. */
  readonly operation: string | null
  /** Name of the stub that answered; absent if none did. */
  readonly stub?: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  /** null if a fault dropped the reply. */
  readonly status: number | null
  readonly duration_ms: number
  /** null if there was none, or it could not be read. */
  readonly body: unknown
  /** true: there was a body, but it was too large to keep. */
  readonly body_omitted?: true
  /** Paths of body fields that the operation does not read. */
  readonly unread: readonly string[]
  /** true: there are more such fields. */
  readonly unread_omitted?: true
  /** Message of the error, if it failed. */
  readonly error: string | null
  /** Why it was refused: a condition of the error catalogue; null if it was not, or by a fault. */
  readonly condition: string | null
  /** The injected fault; null if there was none. */
  readonly fault: unknown
}

/** Maximum number of unread fields listed per body. */
const MOST_UNREAD = 100

export function toRequestView(plane: ControlPlane, entry: RequestEntry): RecordedRequest {
  const unread =
    entry.operation === undefined
      ? []
      : unreadFields(entry.body, entry.bodySchema, (name) => plane.operations.schema(name), MOST_UNREAD + 1)
  return {
    request_id: entry.id,
    ...(entry.trace === undefined ? {} : { trace: entry.trace }),
    at: toTimestamp(entry.at),
    received: toTimestamp(entry.received),
    operation: entry.operation ?? null,
    ...(entry.stub === undefined ? {} : { stub: entry.stub }),
    method: entry.method,
    path: entry.path,
    query: entry.query,
    status: entry.outcome.status ?? null,
    duration_ms: Math.max(0, entry.replied - entry.received),
    body: entry.body ?? null,
    ...(entry.isBodyOmitted === true ? { body_omitted: true } : {}),
    unread: unread.slice(0, MOST_UNREAD),
    ...(unread.length > MOST_UNREAD ? { unread_omitted: true } : {}),
    error: entry.outcome.error?.message ?? null,
    condition: entry.outcome.error?.condition ?? null,
    fault: entry.outcome.fault ?? null
  }
}

import type { RequestEntry } from '../../journal/journal.js'
import { unreadFields } from '../../journal/unread.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { unreadParameters } from '../report/ignored-input.js'
import type { RecordedRequest } from './schemas.js'

/** Maximum number of unread fields and parameters listed. */
const MOST_UNREAD = 100

/** A request, as the control API shows it. */
export function toRequestView(plane: ControlPlane, entry: RequestEntry): RecordedRequest {
  const unread =
    entry.operation === undefined || entry.isControl
      ? []
      : [
          ...unreadParameters(entry, plane.profile).map((name) => `?${name}`),
          ...unreadFields(entry.body, entry.bodySchema, plane.schemas, MOST_UNREAD + 1)
        ]
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

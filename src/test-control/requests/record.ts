import type { RawChange } from '../../db/row-watcher.js'
import { notFound } from '../../interface/errors.js'
import { type JournalRecord, replyText, type RequestEntry } from '../../journal/journal.js'
import { parsed } from '../../lib/parsed.js'
import { mask } from '../../lib/secrets.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { wholeRequest } from '../cut-ids.js'
import { toTimelineView } from '../simulation/timeline.js'
import { showChanges } from './changes.js'
import { eventsOf } from './events.js'
import type { RequestRecord } from './schemas.js'
import { toRequestView } from './views.js'

/**
 * Reads a request and its effects so far: its own changes, the outcome of the events that it scheduled, and the state
 * changes that it caused.
 * @throws {ServiceError} `notFound` if the RequestID is unknown
 */
export function readRequest(plane: ControlPlane, sandbox: Sandbox, requestId: string): RequestRecord {
  const id = wholeRequest(plane, sandbox, requestId)
  const record = sandbox.journal.find(id)
  const timeline = plane.timeline.listOfRequest(sandbox.key, id)
  const events = eventsOf(plane, sandbox, id, (changes) => showChanges(plane, changes))
  if (record === undefined && timeline.length === 0 && events.length === 0) throw notFound('request', id)
  const { entry } = record ?? {}
  return {
    request:
      entry === undefined ? null : { ...toRequestView(plane, entry), params: entry.params, reply: replyOf(entry) },
    validation: validationOf(entry),
    fault: entry?.outcome.fault ?? null,
    changes: showChanges(plane, ownChanges(record)),
    events,
    timeline: timeline.map(toTimelineView(plane)),
    omitted: record?.omitted ?? 0
  }
}

function ownChanges(record: JournalRecord | undefined): RawChange[] {
  return (record?.notes ?? []).flatMap(({ fired, changes }) => (fired === undefined ? changes : []))
}

function replyOf(entry: RequestEntry): unknown {
  const reply = replyText(entry)
  return reply === undefined ? null : mask(parsed(reply))
}

/** Conditions of requests that were invalid. */
export const INVALID: ReadonlySet<string> = new Set(['invalidBody', 'bodyTooLarge', 'unsupportedMediaType'])

function validationOf(entry: RequestEntry | undefined): RequestRecord['validation'] {
  const error = entry?.outcome.error
  if (error?.condition === undefined || !INVALID.has(error.condition)) return { ok: true, faults: [] }
  return { ok: false, faults: error.details.map(({ FieldName, Reason }) => ({ field: FieldName, reason: Reason })) }
}

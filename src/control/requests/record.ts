import { notFound } from '../../errors.js'
import type { RawChange, Row, RowChange } from '../../db/row-watcher.js'
import { replyText, SHOWN_APART, type JournalRecord, type RequestEntry } from '../../journal/journal.js'
import { isSecret, mask, MASKED } from '../../journal/mask.js'
import type { Sandbox } from '../../sandboxes/registry.js'
import type { World } from '../../world.js'
import { presentTimelineEntry } from '../simulation/present.js'
import { eventsOf, type ScheduledEvent } from './events.js'
import { presentRequest, type RecordedRequest } from './present.js'

/** A change of a row, as the control API shows it; values are as they are stored. */
export interface ShownChange {
  readonly table: string
  readonly change: RowChange['change']
  /** Id of the row; null if it has none. */
  readonly id: string | null
  /** Of an update, only what is other then. null: it came into being. */
  readonly before: Row | null
  /** Of an update, only what is other then. null: it was deleted. */
  readonly after: Row | null
}

/** What a request came to. */
export interface RequestRecord {
  /** null: it is not in the journal any more, or did not come over HTTP. */
  readonly request: (RecordedRequest & { readonly params: Readonly<Record<string, string>>; readonly reply: unknown }) | null
  readonly validation: { readonly ok: boolean; readonly faults: readonly { readonly field: string; readonly reason: string }[] }
  /** What was injected into it; null if nothing was. */
  readonly fault: unknown
  /** What it changed itself, in order. */
  readonly changes: readonly ShownChange[]
  /** What it scheduled, in order. */
  readonly events: readonly ScheduledEvent[]
  /** The changes of states that it caused. */
  readonly timeline: readonly ReturnType<typeof presentTimelineEntry>[]
  /** How many changes and events there were besides, too many to be kept. */
  readonly omitted: number
}

/**
 * What a request came to, up to now: what it changed, what became of what it had scheduled, and which states changed for it.
 * @throws {ServiceError} `notFound` if nothing is known of the RequestID
 */
export function readRequest(world: World, sandbox: Sandbox, id: string): RequestRecord {
  const record = sandbox.journal.find(id)
  const timeline = world.timeline.listOfRequest(sandbox.key, id)
  const events = eventsOf(world, sandbox, id, (changes) => showChanges(world, changes))
  if (record === undefined && timeline.length === 0 && events.length === 0) throw notFound('request', id)
  const { entry } = record ?? {}
  return {
    request: entry === undefined ? null : { ...presentRequest(world, entry), params: entry.params, reply: replyOf(entry) },
    validation: validationOf(entry),
    fault: entry?.outcome.fault ?? null,
    changes: showChanges(world, ownChanges(record)),
    events,
    timeline: timeline.map(presentTimelineEntry),
    omitted: record?.omitted ?? 0
  }
}

function ownChanges(record: JournalRecord | undefined): RawChange[] {
  return (record?.notes ?? []).flatMap(({ fired, changes }) => (fired === undefined ? changes : []))
}

/** What only says whose a row is. */
const KEYS = new Set(['sandbox', 'key'])

function showChanges(world: World, changes: readonly RawChange[]): ShownChange[] {
  return changes.map((change) => world.describeChange(change)).filter(({ table }) => !SHOWN_APART.includes(table)).flatMap((change) => {
    const { before, after } = change
    const isOther = (column: string) => before === undefined || after === undefined || before[column] !== after[column]
    const shown = (row: Row | undefined) => (row === undefined ? null : Object.fromEntries(Object.entries(row)
      .filter(([column]) => !KEYS.has(column) && isOther(column))
      .map(([column, value]) => [column, isSecret(column) ? MASKED : maskText(value)])))
    const result = { table: change.table, change: change.change, id: idOf(after ?? before ?? {}), before: shown(before), after: shown(after) }
    // A statement that writes what is there already is no change.
    return change.change === 'update' && Object.keys(result.after ?? {}).length === 0 ? [] : [result]
  })
}

/** What a column holds, with the secrets masked that may be in a JSON text. */
function maskText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return mask(value)
  try {
    const parsed = JSON.parse(value) as unknown
    const masked = mask(parsed)
    return masked === parsed ? value : JSON.stringify(masked)
  } catch {
    return mask(value)
  }
}

/** Quotas have a name, rules a position, faults a number, and the backup schedule is the one of its workspace. */
function idOf({ id, workspace, name, position, number }: Row): string | null {
  const value = id ?? workspace ?? name ?? position ?? number
  return value === undefined || value === null ? null : `${value as string | number}`
}

function replyOf(entry: RequestEntry): unknown {
  const reply = replyText(entry)
  if (reply === undefined) return null
  try {
    return mask(JSON.parse(reply) as unknown)
  } catch {
    return reply
  }
}

const INVALID: ReadonlySet<string> = new Set(['invalidBody', 'bodyTooLarge', 'unsupportedMediaType'])

function validationOf(entry: RequestEntry | undefined): RequestRecord['validation'] {
  const error = entry?.outcome.error
  if (error?.condition === undefined || !INVALID.has(error.condition)) return { ok: true, faults: [] }
  return { ok: false, faults: error.details.map(({ FieldName, Reason }) => ({ field: FieldName, reason: Reason })) }
}

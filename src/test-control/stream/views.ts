import type { RawChange, Row, RowChange } from '../../db/row-watcher.js'
import { recordReader } from '../../db/table.js'
import type { SandboxEvent } from '../../journal/event-hub.js'
import { toEntry } from '../../journal/journal.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { BRIEF_WORKSPACES } from '../../resources/workspaces/fields.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { TimelineEntry } from '../../sim/timeline.js'
import { readClock } from '../clock/clock.js'
import { summarizeDatabase, summarizeWorkgroup, summarizeWorkspace } from '../overview/views.js'
import { toRequestView } from '../requests/views.js'
import { toTimelineView } from '../simulation/timeline.js'
import type { StateEvent } from './schemas.js'

const toBrief = recordReader(BRIEF_WORKSPACES.fields)

/** Maximum number of row changes in one event. */
export const CHANGE_LIMIT = 1000

/** The data of an event for its listeners. */
export function toEventView(plane: ControlPlane, sandbox: Sandbox, event: SandboxEvent): object {
  switch (event.kind) {
    case 'state':
      return toStateView(plane, sandbox, event.changes)
    case 'request': {
      // Listeners can read the rest from the record.
      const { query: _query, body: _body, ...summary } = toRequestView(plane, toEntry(event.request))
      return summary
    }
    case 'clock':
      return readClock(plane, sandbox)
    case 'reset':
      return {}
  }
}

function toStateView(plane: ControlPlane, sandbox: Sandbox, changes: readonly RawChange[] | undefined): StateEvent {
  const isComplete = changes !== undefined && changes.length <= CHANGE_LIMIT
  const rows = isComplete ? changes.map((change) => plane.describeChange(change)) : []
  const groups = plane.storesOf(sandbox).workgroups
  const context = { ...plane.view, org: sandbox }
  const toSummary = (row: Row) => {
    const workspace = toBrief(row)
    const { region = '' } = groups.find(workspace.workgroup) ?? {}
    return summarizeWorkspace({ ...workspace, region }, context)
  }
  const workgroups = newestOf(rows, 'workgroups')
  const databases = newestOf(rows, 'databases')
  const workspaces = newestOf(rows, 'workspaces')
  return {
    at: toTimestamp(plane.engine.now(sandbox)),
    complete: isComplete,
    tables: [...new Set(rows.map(({ table }) => table))],
    changed: {
      workgroups: workgroups.there.map((row) => summarizeWorkgroup(row as never)),
      databases: databases.there.map((row) => summarizeDatabase(row as never)),
      workspaces: workspaces.there.map(toSummary)
    },
    removed: { workgroups: workgroups.gone, databases: databases.gone, workspaces: workspaces.gone },
    timeline: rows
      .filter(({ table, change }) => table === 'timeline' && change === 'insert')
      .map(({ after }) => toTimelineView(plane)(toTimelineEntry(after!)))
  }
}

/** The newest versions of the rows of a table, and the ids of deleted ones. */
function newestOf(rows: readonly RowChange[], table: string): { there: Row[]; gone: string[] } {
  const newest = new Map(
    rows.filter((row) => row.table === table).map(({ before, after }) => [(after ?? before!)['id'] as string, after])
  )
  return {
    there: [...newest.values()].filter((row) => row !== undefined),
    gone: [...newest].filter(([, row]) => row === undefined).map(([id]) => id)
  }
}

/** Converts a raw row to an entry of the timeline. */
export function toTimelineEntry(row: Row): TimelineEntry {
  const { at, resource, transition, attribute, from_state: from, to_state: to, reason, request_id: requestId } = row
  return { at, resource, transition, attribute, from, to, reason, requestId } as TimelineEntry
}

import type { RawChange, RowChange } from '../../db/row-watcher.js'
import type { Notice } from '../../journal/event-hub.js'
import { toEntry } from '../../journal/journal.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { toTimestamp } from '../../lib/time.js'
import type { TimelineEntry } from '../../sim/timeline.js'
import type { World } from '../../control-plane.js'
import { readClock } from '../clock/clock.js'
import {
  summarizeDatabase, summarizeWorkgroup, summarizeWorkspace, workspaceOfRow, type DatabaseSummary, type WorkgroupSummary, type WorkspaceSummary
} from '../overview/views.js'
import { presentRequest } from '../requests/views.js'
import { presentTimelineEntry, type TimelineItem } from '../../sim/views.js'

/** How many row changes one event goes into. */
export const CHANGE_LIMIT = 1000

/** What a write has changed. */
interface StateEvent {
  /** Timestamp, by the clock of the sandbox. */
  readonly at: string
  /** Whether it says everything; if not, the rest must be read. */
  readonly complete: boolean
  /** Tables of which rows have changed. */
  readonly tables: readonly string[]
  readonly changed: {
    readonly workgroups: readonly WorkgroupSummary[]
    readonly databases: readonly DatabaseSummary[]
    readonly workspaces: readonly WorkspaceSummary[]
  }
  /** Ids of what is gone. */
  readonly removed: { readonly workgroups: readonly string[]; readonly databases: readonly string[]; readonly workspaces: readonly string[] }
  readonly timeline: readonly TimelineItem[]
}

/** What those who listen to a sandbox are told of a notice. */
export function presentNotice(world: World, sandbox: Sandbox, notice: Notice): object {
  switch (notice.kind) {
    case 'state':
      return presentState(world, toTimestamp(world.engine.now(sandbox)), notice.changes)
    case 'request': {
      // Everything else is in the record, for whoever asks.
      const { query: _query, body: _body, unread: _unread, unread_omitted: _omitted, ...summary } = presentRequest(world, toEntry(notice.request))
      return summary
    }
    case 'clock':
      return readClock(world, sandbox)
    case 'reset':
      return {}
  }
}

function presentState(world: World, at: string, changes: readonly RawChange[] | undefined): StateEvent {
  const isComplete = changes !== undefined && changes.length <= CHANGE_LIMIT
  const rows = isComplete ? changes.map((change) => world.describeChange(change)) : []
  const hostTemplate = world.options.workspaceHostTemplate
  const workgroups = newestOf(rows, 'workgroups')
  const databases = newestOf(rows, 'databases')
  const workspaces = newestOf(rows, 'workspaces')
  return {
    at,
    complete: isComplete,
    tables: [...new Set(rows.map(({ table }) => table))],
    changed: {
      workgroups: workgroups.there.map((row) => summarizeWorkgroup(row as never)),
      databases: databases.there.map((row) => summarizeDatabase(row as never)),
      workspaces: workspaces.there.map((row) => summarizeWorkspace(workspaceOfRow(row), hostTemplate))
    },
    removed: { workgroups: workgroups.gone, databases: databases.gone, workspaces: workspaces.gone },
    timeline: rows.filter(({ table, change }) => table === 'timeline' && change === 'insert').map(({ after }) => presentTimelineEntry(toTimelineEntry(after!)))
  }
}

/** What rows of a table are after all changes, and which are no more. */
function newestOf(rows: readonly RowChange[], table: string): { there: NonNullable<RowChange['after']>[]; gone: string[] } {
  const newest = new Map(rows.filter((row) => row.table === table).map(({ before, after }) => [(after ?? before!)['id'] as string, after]))
  return {
    there: [...newest.values()].filter((row) => row !== undefined),
    gone: [...newest].filter(([, row]) => row === undefined).map(([id]) => id)
  }
}

function toTimelineEntry(row: NonNullable<RowChange['after']>): TimelineEntry {
  const { at, resource, transition, attribute, from_state: from, to_state: to, reason, request_id: requestId } = row
  return { at, resource, transition, attribute, from, to, reason, requestId } as TimelineEntry
}

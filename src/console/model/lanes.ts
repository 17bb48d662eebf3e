import type { Due, Overview, RequestSummary, TimelineItem, Workspace } from '../api/types.js'
import { groupBy } from './group-by.js'
import { statusClass } from './requests.js'
import { linkTo } from './route.js'
import { dateTime, duration } from './time.js'

/** Something on a lane: a state, a backup, a restore job or a request. */
export interface Item {
  /** Its beginning; -Infinity: before the known timeline. */
  readonly from: number
  /** Its end; undefined: it lasts. */
  readonly to: number | undefined
  readonly name: string
  /** A state, or the class of an HTTP status. */
  readonly outcome: string
  readonly note: string | null
  readonly request: string | undefined
}

export interface Lane {
  readonly kind: 'states' | 'runs' | 'requests'
  readonly id: string
  readonly name: string
  readonly href: string
  /** The state of a workspace, or the number of items. */
  readonly summary: string
  readonly items: readonly Item[]
  readonly due: readonly Due[]
}

/** A lane for each workspace, deleted ones last. @param since when the timeline begins */
export function workspaceLanes(
  workspaces: readonly Workspace[],
  timeline: readonly TimelineItem[],
  events: readonly Due[],
  since = -Infinity
): Lane[] {
  const changes = groupBy(
    timeline.filter(({ attribute }) => attribute === 'status'),
    ({ resource_id: id }) => id
  )
  const known = new Set(workspaces.map(({ workspace_id: id }) => id))
  // Backups and restore jobs have lanes of their own.
  const gone = [...changes]
    .filter(([id, of]) => !known.has(id) && of.some(({ transition }) => transition.startsWith('workspace.')))
    .map(([id]) => id)
  const dueOf = groupBy(events, ({ resource_id: id }) => id)
  const lane = (id: string, name: string, status?: string): Lane => ({
    kind: 'states',
    id,
    name,
    href: linkTo('overview', id),
    summary: status ?? 'gone',
    items: statesOf(changes.get(id) ?? [], status, since),
    due: dueOf.get(id) ?? []
  })
  return [
    ...workspaces.map(({ workspace_id: id, name, status }) => lane(id, name, status)),
    ...gone.map((id) => lane(id, id))
  ]
}

/** The states of a workspace in order. @param status the present one; undefined: it is gone */
function statesOf(changes: readonly TimelineItem[], status: string | undefined, since: number): Item[] {
  const first = changes[0]
  const initial = first === undefined ? (status ?? null) : first.from
  const states = changes.map((change, index) => ({
    from: Date.parse(change.at),
    to: index + 1 < changes.length ? Date.parse(changes[index + 1]!.at) : undefined,
    name: change.to,
    outcome: change.to,
    note: change.reason,
    request: change.request_id
  }))
  const before =
    initial === null
      ? []
      : [{ from: since, to: states[0]?.from, name: initial, outcome: initial, note: null, request: undefined }]
  return [...before, ...states].filter(({ name }) => name !== 'gone')
}

/** Lanes of all requests, backups and restore jobs, if there are any. @param states words for states */
export function sandboxLanes(
  requests: readonly RequestSummary[],
  timeline: readonly TimelineItem[],
  states: Overview['states']
): Lane[] {
  const wordFor = (kind: keyof Overview['states'], state: string) => states[kind][state] ?? state
  const restoring = wordFor('workspace', 'Restoring')
  const backups = timeline.filter((item) => item.transition === 'backup.run' && item.attribute === 'status')
  // Entries about the workspace of a job have the same transition.
  const jobs = timeline.filter((item) => item.transition === 'restore.run' && ![item.from, item.to].includes(restoring))
  const lane = (kind: Lane['kind'], name: string, items: readonly Item[]): Lane => ({
    kind,
    id: `lane ${name}`,
    name,
    href: linkTo('requests'),
    summary: `${items.length}`,
    items,
    due: []
  })
  return [
    lane('requests', 'Requests', requests.map(toItem)),
    lane('runs', 'Backups', runsOf(backups, [wordFor('backup', 'Running')])),
    lane('runs', 'Restore jobs', runsOf(jobs, [wordFor('restore_job', 'Pending'), wordFor('restore_job', 'Running')]))
  ].filter(({ items }) => items.length > 0)
}

function toItem({ at, operation, method, path, status, error, request_id: request }: RequestSummary): Item {
  const time = Date.parse(at)
  const name = `${operation ?? `${method} ${path}`} ${status ?? 'lost'}`
  return { from: time, to: time, name, outcome: statusClass(status), note: error, request }
}

/** One item for the entries of each backup or restore job. @param underWay states that do not last */
function runsOf(entries: readonly TimelineItem[], underWay: readonly string[]): Item[] {
  return [...groupBy(entries, ({ resource_id: id }) => id)].map(([id, of]) => {
    const [first, last] = [of[0]!, of.at(-1)!]
    return {
      from: Date.parse(first.at),
      to: underWay.includes(last.to) ? undefined : Date.parse(last.at),
      name: `${id}: ${last.to}`,
      outcome: last.to,
      note: last.reason,
      request: first.request_id
    }
  })
}

/** The tooltip of an item. */
export function describe({ from, to, name, note }: Item, now: number): string {
  const lasted = to === from || from === -Infinity ? '' : `, ${duration((to ?? now) - from)}`
  const when = from === -Infinity ? 'since before the timeline' : dateTime(from)
  return `${name}: ${when}${lasted}${note === null ? '' : `; ${note}`}`
}

import { groupBy } from '../../lib/group-by.js'
import type { Due, RequestSummary, TimelineItem, Workspace } from '../api/types.js'
import { statusClass } from './requests.js'
import { linkTo } from './route.js'
import { stateOf, type Words } from './state-of.js'
import { dateTime, duration } from './time.js'

/** Something on a lane: a state or a request. */
export interface Item {
  /** Its beginning; -Infinity: before the known timeline. */
  readonly from: number
  /** Its end; undefined: it lasts. */
  readonly to: number | undefined
  readonly name: string
  /** Its class: of a built-in state, or of an HTTP status. */
  readonly outcome: string
  readonly note: string | null
  readonly request: string | undefined
}

export interface Lane {
  readonly id: string
  readonly name: string
  readonly href: string
  /** The state of a workspace, or the number of items. */
  readonly summary: string
  readonly items: readonly Item[]
  readonly due: readonly Due[]
}

/** A lane for each workspace, deleted ones last. @param words for states */
export function workspaceLanes(
  workspaces: readonly Workspace[],
  timeline: readonly TimelineItem[],
  events: readonly Due[],
  words: Words
): Lane[] {
  const changes = groupBy(
    timeline.filter(({ attribute }) => attribute === 'status'),
    ({ resource_id: id }) => id
  )
  const known = new Set(workspaces.map(({ workspace_id: id }) => id))
  // Backups and restore jobs have none.
  const gone = [...changes]
    .filter(([id, of]) => !known.has(id) && of.some(({ transition }) => transition.startsWith('workspace.')))
    .map(([id]) => id)
  const dueOf = groupBy(events, ({ resource_id: id }) => id)
  const lane = (id: string, name: string, status?: string): Lane => ({
    id,
    name,
    href: linkTo('overview', id),
    summary: status ?? 'gone',
    items: statesOf(changes.get(id) ?? [], status, words),
    due: dueOf.get(id) ?? []
  })
  return [
    ...workspaces.map(({ workspace_id: id, name, status }) => lane(id, name, status)),
    ...gone.map((id) => lane(id, id))
  ]
}

/** The states of a workspace in order. @param status the present one; undefined: it is gone */
function statesOf(changes: readonly TimelineItem[], status: string | undefined, words: Words): Item[] {
  const first = changes[0]
  const initial = first === undefined ? (status ?? null) : first.from
  const all = [{ at: undefined, to: initial, reason: null, request_id: undefined }, ...changes]
  return all
    .flatMap(({ at, to: name, reason: note, request_id: request }, index): Item[] => {
      const next = all[index + 1]?.at
      const [from, to] = [at === undefined ? -Infinity : Date.parse(at), next === undefined ? next : Date.parse(next)]
      return name === null
        ? []
        : [{ from, to, name, outcome: `state-${stateOf(words, name, 'workspace')}`, note, request }]
    })
    .filter(({ outcome }) => outcome !== 'state-gone')
}

/** The lane of all requests, if there are any. */
export function requestLane(requests: readonly RequestSummary[]): Lane[] {
  if (requests.length === 0) return []
  const items = requests.map(toItem)
  return [{ id: 'requests', name: 'Requests', href: linkTo('requests'), summary: `${items.length}`, items, due: [] }]
}

function toItem({ at, operation, method, path, status, error, request_id: request }: RequestSummary): Item {
  const time = Date.parse(at)
  const name = `${operation ?? `${method} ${path}`} ${status ?? 'lost'}`
  return { from: time, to: time, name, outcome: `status-${statusClass(status)}`, note: error, request }
}

/** The tooltip of an item. */
export function describe({ from, to, name, note }: Item, now: number): string {
  const lasted = to === from || from === -Infinity ? '' : `, ${duration((to ?? now) - from)}`
  const when = from === -Infinity ? 'since before the timeline' : dateTime(from)
  return `${name}: ${when}${lasted}${note === null ? '' : `; ${note}`}`
}

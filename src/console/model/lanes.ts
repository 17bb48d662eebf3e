import type { Due, RequestSummary, TimelineItem, Workspace } from '../api/types.js'
import { groupBy } from './group-by.js'
import { statusClass } from './requests.js'
import { linkTo } from './route.js'
import { stateOf, type Words } from './state-of.js'
import { dateTime, duration } from './time.js'

/** Something on a lane: a state, a backup, a restore job or a request. */
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

/** A lane for each workspace, deleted ones last. @param words for states @param since when the timeline begins */
export function workspaceLanes(
  workspaces: readonly Workspace[],
  timeline: readonly TimelineItem[],
  events: readonly Due[],
  words: Words,
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
    id,
    name,
    href: linkTo('overview', id),
    summary: status ?? 'gone',
    items: statesOf(changes.get(id) ?? [], status, since, words),
    due: dueOf.get(id) ?? []
  })
  return [
    ...workspaces.map(({ workspace_id: id, name, status }) => lane(id, name, status)),
    ...gone.map((id) => lane(id, id))
  ]
}

/** The states of a workspace in order. @param status the present one; undefined: it is gone */
function statesOf(changes: readonly TimelineItem[], status: string | undefined, since: number, words: Words): Item[] {
  const first = changes[0]
  const initial = first === undefined ? (status ?? null) : first.from
  const all = [{ at: undefined, to: initial, reason: null, request_id: undefined }, ...changes]
  return all
    .flatMap(({ at, to: name, reason: note, request_id: request }, index): Item[] => {
      const next = all[index + 1]?.at
      const [from, to] = [at === undefined ? since : Date.parse(at), next === undefined ? next : Date.parse(next)]
      return name === null
        ? []
        : [{ from, to, name, outcome: `state-${stateOf(words, name, 'workspace')}`, note, request }]
    })
    .filter(({ outcome }) => outcome !== 'state-gone')
}

/** Lanes of all requests, backups and restore jobs, if there are any. @param words for states */
export function sandboxLanes(
  requests: readonly RequestSummary[],
  timeline: readonly TimelineItem[],
  words: Words
): Lane[] {
  const isRestoring = (state: string | null) => state !== null && stateOf(words, state, 'workspace') === 'Restoring'
  const backups = timeline.filter((item) => item.transition === 'backup.run' && item.attribute === 'status')
  // Entries about the workspace of a job have the same transition.
  const jobs = timeline.filter((item) => item.transition === 'restore.run' && ![item.from, item.to].some(isRestoring))
  const lane = (name: string, items: readonly Item[]): Lane => ({
    id: `lane ${name}`,
    name,
    href: linkTo('requests'),
    summary: `${items.length}`,
    items,
    due: []
  })
  return [
    lane('Requests', requests.map(toItem)),
    lane('Backups', runsOf(backups, words, 'backup')),
    lane('Restore jobs', runsOf(jobs, words, 'restore_job'))
  ].filter(({ items }) => items.length > 0)
}

function toItem({ at, operation, method, path, status, error, request_id: request }: RequestSummary): Item {
  const time = Date.parse(at)
  const name = `${operation ?? `${method} ${path}`} ${status ?? 'lost'}`
  return { from: time, to: time, name, outcome: `status-${statusClass(status)}`, note: error, request }
}

/** One item for the entries of each backup or restore job. */
function runsOf(entries: readonly TimelineItem[], words: Words, kind: keyof Words): Item[] {
  return [...groupBy(entries, ({ resource_id: id }) => id)].map(([id, of]) => {
    const [first, last] = [of[0]!, of.at(-1)!]
    const state = stateOf(words, last.to, kind)
    return {
      from: Date.parse(first.at),
      to: ['Pending', 'Running'].includes(state) ? undefined : Date.parse(last.at),
      name: `${id}: ${last.to}`,
      outcome: `state-${state}`,
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

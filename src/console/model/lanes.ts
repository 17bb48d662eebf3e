import type { Due, TimelineItem, Workspace } from '../api/types'
import { groupBy } from './group-by'

/** A period in which a workspace was in one state. */
export interface Span {
  readonly state: string
  readonly from: number
  readonly to: number
}

/** The timeline of one workspace. */
export interface Lane {
  readonly id: string
  readonly name: string
  /** undefined: it was deleted. */
  readonly status: string | undefined
  readonly items: readonly TimelineItem[]
  readonly due: readonly Due[]
}

/** Makes a lane for each workspace, in the order of the overview; deleted ones come last. */
export function lanesOf(
  workspaces: readonly Workspace[],
  timeline: readonly TimelineItem[],
  events: readonly Due[]
): Lane[] {
  const items = groupBy(
    timeline.filter(({ attribute }) => attribute === 'status'),
    ({ resource_id: id }) => id
  )
  const known = new Set(workspaces.map(({ workspace_id: id }) => id))
  // Backups and restore jobs have entries too, but no lanes.
  const gone = [...items]
    .filter(([id, of]) => !known.has(id) && of.some(({ transition }) => transition.startsWith('workspace.')))
    .map(([id]) => id)
  const due = groupBy(events, ({ resource_id: id }) => id)
  return [
    ...workspaces.map(({ workspace_id: id, name, status }) => ({
      id,
      name,
      status,
      items: items.get(id) ?? [],
      due: due.get(id) ?? []
    })),
    ...gone.map((id) => ({ id, name: id, status: undefined, items: items.get(id)!, due: [] }))
  ]
}

/** The states of a lane within a window of time, up to now. */
export function spansOf({ items, status }: Lane, begin: number, now: number): Span[] {
  const spans: Span[] = []
  const add = (state: string | null, from: number, to: number) => {
    if (state === null || state === 'gone' || to <= begin) return
    spans.push({ state, from: Math.max(from, begin), to })
  }
  const first = items[0]
  if (first === undefined) {
    if (status !== undefined) add(status, begin, now)
    return spans
  }
  add(first.from, begin, Date.parse(first.at))
  items.forEach((item, index) => {
    add(item.to, Date.parse(item.at), index + 1 < items.length ? Date.parse(items[index + 1]!.at) : now)
  })
  return spans
}

/** Distances between the lines of a time axis, in milliseconds. */
const TICKS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000, 7_776_000, 31_536_000
].map((seconds) => seconds * 1000)

/** Places the lines of a time axis. */
export function ticksOf(begin: number, end: number, count: number): { readonly at: number; readonly label: string }[] {
  const step = TICKS.find((tick) => (end - begin) / tick <= count) ?? (end - begin) / count
  const ticks: { at: number; label: string }[] = []
  for (let at = Math.ceil(begin / step) * step; at <= end; at += step) {
    const text = new Date(at).toISOString()
    ticks.push({
      at,
      label:
        step >= 86_400_000
          ? text.slice(5, 10)
          : at % 86_400_000 === 0
            ? text.slice(5, 10)
            : text.slice(11, step < 60_000 ? 19 : 16)
    })
  }
  return ticks
}

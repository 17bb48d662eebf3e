import type { Item } from './lanes.js'
import type { TimeWindow } from './time-window.js'

/** One item, or several that are too close together to be told apart. */
export interface Cluster {
  readonly from: number
  readonly to: number
  readonly items: readonly Item[]
  /** Stands for all of them. */
  readonly shown: Item
}

/** What must not be hidden, the worst last. */
const BAD = ['4xx', '5xx', 'lost', 'Failed']

const badness = ({ outcome }: Item) => BAD.indexOf(outcome)

/** The worst of some items, and the last of those. */
const worstOf = (items: readonly Item[]) =>
  items.reduce((worst, item) => (badness(item) >= badness(worst) ? item : worst))

/**
 * Joins the items of a window that begin within the same few pixels.
 * @param gap milliseconds of these pixels
 * @param areApart whether the items follow each other, as states do: then a long one is never joined
 */
export function clustersOf(
  items: readonly Item[],
  { begin, end }: TimeWindow,
  now: number,
  gap: number,
  areApart: boolean
): Cluster[] {
  const endOf = ({ to }: Item) => to ?? now
  const runs: [Item, ...Item[]][] = []
  const inSight = items.filter((item) => endOf(item) >= begin && item.from <= end)
  for (const item of inSight.sort((a, b) => a.from - b.from)) {
    const run = runs.at(-1)
    const edge = areApart ? endOf(item) : item.from
    if (run !== undefined && edge < run[0].from + gap) run.push(item)
    else runs.push([item])
  }
  return runs.map((run) => ({
    from: run[0].from,
    to: run.reduce((latest, item) => Math.max(latest, endOf(item)), -Infinity),
    items: run,
    shown: worstOf(run)
  }))
}

import type { RequestEntry } from '../../journal/journal.js'

/** Names a call by method, path and query. Calls with the same name request the same thing. */
export function callName({ method, path, query }: RequestEntry): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value as string}`)
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/**
 * Milliseconds between a reply and a later call, by the clock that advanced further: moving the sandbox's clock counts
 * as waiting, too.
 */
export function pauseBetween(earlier: RequestEntry, later: RequestEntry): number {
  return Math.max(later.received - earlier.replied, later.at - earlier.at)
}

/** Whether a call was made after the reply to another; otherwise the two overlapped. */
export function isAfter(earlier: RequestEntry, later: RequestEntry): boolean {
  return later.received >= earlier.replied
}

/** Groups neighbours that belong together into runs of at least two items, in order. */
export function runsOf<T>(items: readonly T[], belong: (earlier: T, later: T) => boolean): T[][] {
  const runs: T[][] = []
  items.forEach((item, index) => {
    const earlier = items[index - 1]
    if (earlier !== undefined && belong(earlier, item)) runs.at(-1)!.push(item)
    else runs.push([item])
  })
  return runs.filter((run) => run.length > 1)
}

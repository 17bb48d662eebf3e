import type { RequestEntry } from '../../journal/journal.js'

/** Two calls with the same name ask for the same: by method, path and query. */
export function callName({ method, path, query }: RequestEntry): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value as string}`)
  return `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/**
 * Milliseconds between a reply and a later call, by the clock that has gone further: whoever moves the sandbox's clock
 * has waited as well.
 */
export function pauseBetween(earlier: RequestEntry, later: RequestEntry): number {
  return Math.max(later.received - earlier.replied, later.at - earlier.at)
}

/** Whether a call was made when the reply to another was there; else the two were under way at once. */
export function isAfter(earlier: RequestEntry, later: RequestEntry): boolean {
  return later.received >= earlier.replied
}

/** Puts the pairs of neighbours that belong together into runs, each with all of its items, in order. */
export function runsOf<T>(items: readonly T[], belong: (earlier: T, later: T) => boolean): T[][] {
  const runs: T[][] = []
  items.forEach((item, index) => {
    const earlier = items[index - 1]
    if (earlier !== undefined && belong(earlier, item)) runs.at(-1)!.push(item)
    else runs.push([item])
  })
  return runs.filter((run) => run.length > 1)
}

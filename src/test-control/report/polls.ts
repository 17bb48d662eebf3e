import type { RequestEntry } from '../../journal/journal.js'
import type { Finding } from './finding.js'
import { callName, isAfter } from './runs.js'

/** Minimum milliseconds between two identical reads. */
const INTERVAL = 1000
/** Minimum number of consecutive reads that count as polling. */
const FEWEST = 3

/**
 * Finds consecutive reads of one URL, without another call about the same resource in between, each less than a second
 * after the previous one by both clocks.
 */
export function findFastPolls(requests: readonly RequestEntry[]): Finding[] {
  const findings: Finding[] = []
  /** The current run on each resource; a call with another name ends it. */
  const runs = new Map<string, RequestEntry[]>()
  const end = (run: readonly RequestEntry[]) => {
    if (run.length >= FEWEST) findings.push(toFinding(run))
  }
  for (const request of requests) {
    if (request.operation === undefined) continue
    const resource = resourceOf(request)
    const run = runs.get(resource) ?? []
    const last = run.at(-1)
    const goesOn =
      last !== undefined && request.method === 'GET' && callName(last) === callName(request) && isSoon(last, request)
    if (goesOn) run.push(request)
    else {
      end(run)
      runs.set(resource, [request])
    }
  }
  for (const run of runs.values()) end(run)
  return findings
}

function isSoon(earlier: RequestEntry, later: RequestEntry): boolean {
  return isAfter(earlier, later) && later.received - earlier.received < INTERVAL && later.at - earlier.at < INTERVAL
}

function resourceOf({ params }: RequestEntry): string {
  return params['workspaceID'] ?? params['workgroupID'] ?? ''
}

function toFinding(run: readonly RequestEntry[]): Finding {
  const shortest = run
    .slice(1)
    .reduce((least, { received }, index) => Math.min(least, received - run[index]!.received), Infinity)
  return {
    rule: 'polling-too-fast',
    message:
      `${callName(run[0]!)} was called ${run.length} times in a row, once only ${Math.max(0, shortest)} ms ` +
      'after the call before; ' +
      'wait at least a second between two reads, by the clock of the machine or of the sandbox.',
    requests: run.map(({ id }) => id)
  }
}

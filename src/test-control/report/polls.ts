import type { RequestEntry } from '../../journal/journal.js'
import { callName, isAfter } from './calls.js'
import type { Finding } from './finding.js'

/** Milliseconds that should lie between two reads of the same. */
const INTERVAL = 1000
/** Reads in a row that are a poll. */
const FEWEST = 3

/**
 * Reads of one URL in a row, without another call about the same resource between them, each less than a second after
 * the one before by both clocks.
 */
export function findFastPolls(requests: readonly RequestEntry[]): Finding[] {
  const findings: Finding[] = []
  /** The run under way on each resource: a call of another name ends it. */
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

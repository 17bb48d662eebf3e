import type { Sandbox } from '../sandboxes/sandbox.js'
import type { Difference } from './end-state.js'
import type { Judgement } from './judge.js'
import { describePoint, nameOf } from './points.js'
import type { Reference } from './reference.js'
import type { Ran } from './run.js'

/** A request of a run, as a report shows it. */
export interface ShownRequest {
  /** RequestID. */
  readonly id: string
  /** The name of its point. */
  readonly point: string
  readonly title: string
  readonly method: string
  readonly path: string
  /** null: no reply was sent. */
  readonly status: number | null
  readonly has_fault: boolean
  /** Whether it changed something. */
  readonly has_changed: boolean
  /** Milliseconds since the first request, by the sandbox's clock. */
  readonly at: number
}

/** The evidence of a finding. */
export interface Detail {
  /** The recordings of the run, and of the one that recovered from it, if there was one; none unless asked for. */
  readonly recordings: readonly Uint8Array[]
  readonly requests: readonly ShownRequest[]
  /** Those of the run after it; none if there was none. */
  readonly recovery: readonly ShownRequest[]
  readonly reference: readonly ShownRequest[]
  readonly difference: Difference
}

/** Maximum number of requests of a run that a report shows: a client may try for ever. */
const MOST_REQUESTS = 200

/** The evidence of a run, read before its sandbox is removed. */
export function detailOf(
  reference: Reference,
  ran: Ran,
  { difference, recovery }: Pick<Judgement, 'difference' | 'recovery'>,
  record: ((sandbox: Sandbox) => Uint8Array) | undefined
): Detail {
  const runs = recovery === undefined ? [ran] : [ran, recovery]
  return {
    recordings: record === undefined ? [] : runs.map(({ sandbox }) => record(sandbox)),
    requests: shown(ran),
    recovery: recovery === undefined ? [] : shown(recovery),
    reference: shown(reference.ran),
    difference
  }
}

function shown({ met, requests, changing }: Ran): ShownRequest[] {
  const entries = new Map(requests.map((entry) => [entry.id, entry]))
  const first = requests.reduce((least, { at }) => Math.min(least, at), Infinity)
  return met.slice(0, MOST_REQUESTS).map(({ id, point }) => {
    const entry = entries.get(id)
    return {
      id,
      point: nameOf(point),
      title: describePoint(point),
      method: entry?.method ?? '',
      path: entry?.path ?? '',
      status: entry?.outcome.status ?? null,
      has_fault: entry?.outcome.fault !== undefined,
      has_changed: changing.has(id),
      at: entry === undefined ? 0 : entry.at - first
    }
  })
}

import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { listTimeline } from '../test-control/simulation/timeline.js'
import type { Difference } from './end-state.js'
import type { Judgement } from './judge.js'
import { callOf, describePoint, nameOf } from './points.js'
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
  /** Milliseconds since the first request, by the clock that has advanced further. */
  readonly at: number
}

/** The evidence of a finding. */
export interface Detail {
  /** The recordings of the run, and of the one that recovered from it, if there was one; none unless asked for. */
  readonly recordings: readonly Uint8Array[]
  readonly request_ids: readonly string[]
  readonly requests: readonly ShownRequest[]
  /** Those of the run after it; none if there was none. */
  readonly recovery: readonly ShownRequest[]
  readonly reference: readonly ShownRequest[]
  readonly difference: Difference
  readonly timeline: readonly { readonly at: string; readonly resource: string; readonly text: string }[]
}

/** Maximum number of requests of a run that a report shows, and of RequestIDs. */
const MOST_REQUESTS = 200

/** The evidence of a run, read before its sandbox is removed. */
export function detailOf(
  plane: ControlPlane,
  reference: Reference,
  ran: Ran,
  { difference, recovery }: Pick<Judgement, 'difference' | 'recovery'>,
  record: ((sandbox: Sandbox) => Uint8Array) | undefined
): Detail {
  const runs = recovery === undefined ? [ran] : [ran, recovery]
  const hits = ran.hits.flat()
  // A client that tries for ever can meet a fault some ten thousand times.
  const calls = new Set(hits.map(({ point }) => callOf(point)))
  const concerned = [...hits, ...ran.met.filter(({ point }) => calls.has(callOf(point)))]
  return {
    recordings: record === undefined ? [] : runs.map(({ sandbox }) => record(sandbox)),
    request_ids: [...new Set(concerned.map(({ id }) => id))].slice(0, MOST_REQUESTS),
    requests: shown(ran),
    recovery: recovery === undefined ? [] : shown(recovery),
    reference: shown(reference.ran),
    difference,
    timeline: listTimeline(plane, ran.sandbox).map(({ at, resource_id: resource, transition, from, to, reason }) => ({
      at,
      resource,
      text: `${transition}: ${from ?? 'new'} → ${to}${reason === null ? '' : ` (${reason})`}`
    }))
  }
}

function shown({ met, requests, changing }: Ran): ShownRequest[] {
  const entries = new Map(requests.map((entry) => [entry.id, entry]))
  const first = requests.reduce((least, { received }) => Math.min(least, received), Infinity)
  const firstAt = requests.reduce((least, { at }) => Math.min(least, at), Infinity)
  return met.slice(0, MOST_REQUESTS).map(({ id, point }) => {
    const entry = entries.get(id)
    return {
      id,
      point: nameOf(point),
      title: describePoint(point).replace(/^the /, ''),
      method: entry?.method ?? '',
      path: entry?.path ?? '',
      status: entry?.outcome.status ?? null,
      has_fault: entry?.outcome.fault !== undefined,
      has_changed: changing.has(id),
      at: entry === undefined ? 0 : Math.max(entry.received - first, entry.at - firstAt)
    }
  })
}

import type { Sandbox } from '../sandboxes/sandbox.js'
import type { Difference } from './end-state.js'
import type { Judgement } from './judge.js'
import { describePoint, nameOf } from './points.js'
import type { Reference } from './reference.js'
import type { Run } from './run.js'

/** A request in a report. */
export interface ShownRequest {
  /** RequestID. */
  readonly id: string
  /** The name of its point. */
  readonly point: string
  readonly title: string
  readonly method: string
  readonly path: string
  /** null: no reply. */
  readonly status: number | null
  readonly has_fault: boolean
  readonly has_changed: boolean
  /** Milliseconds since the first request, by the sandbox's clock. */
  readonly at: number
}

/** The evidence of a finding. */
export interface Detail {
  /** Of the run, and of its recovery, if any; empty unless requested. */
  readonly recordings: readonly Uint8Array[]
  readonly requests: readonly ShownRequest[]
  /** Those of the recovery; empty if there was none. */
  readonly recovery: readonly ShownRequest[]
  readonly reference: readonly ShownRequest[]
  readonly difference: Difference
}

/** A client may retry for ever. */
const MOST_REQUESTS = 200

/** Collects the evidence of a run, before its sandbox is removed. */
export function detailOf(
  reference: Reference,
  run: Run,
  { difference, recovery }: Pick<Judgement, 'difference' | 'recovery'>,
  record: ((sandbox: Sandbox) => Uint8Array) | undefined
): Detail {
  const runs = recovery === undefined ? [run] : [run, recovery]
  return {
    recordings: record === undefined ? [] : runs.map(({ sandbox }) => record(sandbox)),
    requests: shown(run),
    recovery: recovery === undefined ? [] : shown(recovery),
    reference: shown(reference.run),
    difference
  }
}

function shown({ seen, requests, changing }: Run): ShownRequest[] {
  const entries = new Map(requests.map((entry) => [entry.id, entry]))
  const first = requests.reduce((least, { at }) => Math.min(least, at), Infinity)
  return seen.slice(0, MOST_REQUESTS).map(({ id, point }) => {
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

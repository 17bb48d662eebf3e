import type { Sandbox } from '../sandboxes/sandbox.js'
import type { Judgement } from './judge.js'
import { describePoint, nameOf } from './points.js'
import type { Reference } from './reference.js'
import type { Run } from './run.js'

/** A request in a report. */
export type ShownRequest = ReturnType<typeof shown>[number]

/** The evidence of a finding. */
export type Detail = ReturnType<typeof detailOf>

/** A client may retry for ever. */
const MOST_REQUESTS = 200

/** Collects the evidence of a run, before its sandbox is removed. */
export function detailOf(
  reference: Reference,
  run: Run,
  { difference, recovery }: Pick<Judgement, 'difference' | 'recovery'>,
  record: ((sandbox: Sandbox) => Uint8Array) | undefined
) {
  const runs = recovery === undefined ? [run] : [run, recovery]
  return {
    /** Of the run, and of its recovery, if any; empty unless requested. */
    recordings: record === undefined ? [] : runs.map(({ sandbox }) => record(sandbox)),
    requests: shown(run),
    /** Those of the recovery; empty if there was none. */
    recovery: recovery === undefined ? [] : shown(recovery),
    reference: shown(reference.run),
    difference
  }
}

function shown({ seen, requests, changing }: Run) {
  const entries = new Map(requests.map((entry) => [entry.id, entry]))
  const first = requests.reduce((least, { at }) => Math.min(least, at), Infinity)
  return seen.slice(0, MOST_REQUESTS).map(({ id, point }) => {
    const entry = entries.get(id)
    return {
      /** RequestID. */
      id,
      /** The name of its point. */
      point: nameOf(point),
      title: describePoint(point),
      method: entry?.method ?? '',
      path: entry?.path ?? '',
      /** null: no reply. */
      status: entry?.outcome.status ?? null,
      has_fault: entry?.outcome.fault !== undefined,
      has_changed: changing.has(id),
      /** Milliseconds since the first request, by the sandbox's clock. */
      at: entry === undefined ? 0 : entry.at - first
    }
  })
}

import { applyState } from '../../documents/apply.js'
import { exportClock, exportInSlices } from '../../documents/export.js'
import { prepareState } from '../../documents/prepare.js'
import type { PreparedState, StateDocument } from '../../documents/schemas.js'
import { rowsOf } from '../../documents/size.js'
import { readAhead } from '../../documents/stored.js'
import { whenReady } from '../../lib/when-ready.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { listRules } from '../simulation/transitions.js'
import type { KEEPABLE } from './schemas.js'

type Keepable = (typeof KEEPABLE)[number]

/** A sandbox as one document to be stored, read in slices if it is large. */
export function readState(plane: ControlPlane, sandbox: Sandbox): PreparedState | Promise<PreparedState> {
  return plane.read(sandbox, (isTimeUp) => exportInSlices(plane, sandbox, isTimeUp))
}

/**
 * Replaces a sandbox with a document; a seed is also its baseline, to which a reset returns.
 * @throws {ServiceError} naming the paths of all errors; then nothing is changed
 */
export async function replaceState(
  plane: ControlPlane,
  origin: Origin,
  document: StateDocument,
  by: 'import' | 'seed'
): Promise<void> {
  const prepared = await prepareState(document, plane)
  const baseline = by === 'seed' ? JSON.stringify(prepared) : undefined
  if (baseline !== undefined) plane.scheduler.rest()
  await plane.replace(
    origin,
    function* (sandbox) {
      if (baseline !== undefined) plane.sandboxes.store.saveBaseline(sandbox.key, plane.documents.save(baseline))
      yield* applyState(plane, sandbox, prepared, origin.id)
    },
    { by, rows: rowsOf(prepared) }
  )
}

/** Returns a sandbox to its baseline, except for the parts to keep. */
export async function resetSandbox(
  plane: ControlPlane,
  origin: Origin,
  options: { keep?: readonly Keepable[] } = {}
): Promise<void> {
  const { sandbox } = origin
  const keep = new Set(options.keep)
  await whenReady(
    readAhead(plane, () => plane.sandboxes.store.baseline(sandbox.key), plane.baseline),
    (baseline) =>
      plane.replace(
        origin,
        (target) => applyState(plane, target, { ...baseline.again(), ...keptParts(plane, sandbox, keep) }, origin.id),
        {
          by: 'reset',
          rows: rowsOf(baseline.document),
          clearsJournal: !keep.has('journal')
        }
      )
  )
}

function keptParts(plane: ControlPlane, sandbox: Sandbox, keep: ReadonlySet<Keepable>): Partial<PreparedState> {
  return {
    ...(keep.has('clock') && { clock: exportClock(sandbox.clock) }),
    ...(keep.has('faults') && { faults: plane.faults.list(sandbox.key) }),
    ...(keep.has('transitions') && { transitions: listRules(plane, sandbox) })
  }
}

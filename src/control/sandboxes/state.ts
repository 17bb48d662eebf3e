import type { Sandbox } from '../../sandboxes/registry.js'
import { applyState } from '../../state/apply.js'
import { exportClock } from '../../state/export.js'
import { prepareState } from '../../state/prepare.js'
import type { PreparedState, StateDocument } from '../../state/schemas.js'
import { baselineOf, type Origin, type World } from '../../world.js'
import { check } from '../check.js'
import { listFaults } from '../faults/faults.js'
import { listRules } from '../simulation/transitions.js'
import { ResetSchema, type KEEPABLE } from './schemas.js'

/** A part of a sandbox that a reset can leave as it is. */
export type Keepable = (typeof KEEPABLE)[number]

/**
 * Makes a sandbox what a document says.
 * @throws {ServiceError} naming everything that is wrong by its path; then nothing is changed
 */
export async function replaceState(world: World, origin: Origin, document: StateDocument): Promise<void> {
  const prepared = await prepareState(document, world.engine)
  await world.replace(origin, () => { applyState(world, origin.sandbox, prepared, origin.id) })
}

/**
 * Makes a sandbox what a document says, and lets that be what a reset brings it back to.
 * @throws {ServiceError} as {@link replaceState}
 */
export async function seedSandbox(world: World, origin: Origin, document: StateDocument): Promise<void> {
  const prepared = await prepareState(document, world.engine)
  await world.replace(origin, () => {
    world.sandboxes.store.saveBaseline(origin.sandbox.key, JSON.stringify(prepared))
    applyState(world, origin.sandbox, prepared, origin.id)
  })
}

/** Brings a sandbox back to its baseline, but for the parts that shall stay. */
export async function resetSandbox(world: World, origin: Origin, options: { keep?: readonly Keepable[] } = {}): Promise<void> {
  check(ResetSchema, options)
  const { sandbox } = origin
  const keep = new Set(options.keep)
  await world.replace(origin, () => {
    applyState(world, sandbox, { ...baselineOf(world, sandbox), ...keptParts(world, sandbox, keep) }, origin.id)
  }, () => { if (!keep.has('journal')) sandbox.journal.clear() })
}

function keptParts(world: World, sandbox: Sandbox, keep: ReadonlySet<Keepable>): Partial<PreparedState> {
  return {
    ...(keep.has('clock') ? { clock: exportClock(sandbox.clock) } : {}),
    ...(keep.has('faults') ? { faults: listFaults(world, sandbox) } : {}),
    ...(keep.has('transitions') ? { transitions: listRules(world, sandbox) } : {})
  }
}

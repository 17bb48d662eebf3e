import { found, invalidBody, notFound, ServiceError } from '../../lib/errors.js'
import { requireThere, type Sandbox } from '../../sandboxes/sandbox.js'
import type { SnapshotRecord } from '../../sandboxes/snapshots.js'
import { applyState } from '../../state/apply.js'
import { readState } from '../../state/export.js'
import { rowsOf } from '../../state/size.js'
import { readAhead } from '../../state/stored.js'
import type { Origin, World } from '../../control-plane.js'
import { check } from '../../lib/check.js'
import { closed } from '../../lib/closed.js'
import { BASELINE, SnapshotNameSchema } from './schemas.js'

/** A snapshot, as the control API shows it. */
export interface Snapshot {
  readonly name: string
  readonly created_at: string
}

const NamedSchema = closed({ name: SnapshotNameSchema })

/**
 * Saves what a sandbox is under a name; a snapshot of that name is replaced.
 * @throws {ServiceError} `invalidBody` if the name cannot be one, `quotaExceeded` if it would be a snapshot too many
 */
export async function saveSnapshot(world: World, origin: Origin, name: string): Promise<Snapshot> {
  check(NamedSchema, { name })
  if (name === BASELINE) throw invalidBody([{ field: 'name', reason: `must not be ${BASELINE}, which stands for what a reset brings back` }])
  // What is due comes first.
  const createdAt = await world.write(origin, ({ timestamp }) => timestamp)
  const state = JSON.stringify(await readState(world, origin.sandbox))
  return world.write(origin, ({ sandbox }) => {
    const { maxSnapshots } = world.options
    const snapshot = { name, createdAt }
    if (world.snapshots.countOthers(sandbox.key, name) >= maxSnapshots) {
      throw new ServiceError('quotaExceeded',
        `The sandbox has ${maxSnapshots} snapshots, the maximum of --max-snapshots; delete one, or save under its name.`)
    }
    world.snapshots.save(sandbox.key, snapshot, world.documents.save(state))
    return present(snapshot)
  })
}

/** The snapshots of a sandbox, by name. */
export function listSnapshots(world: World, { key }: Sandbox): Snapshot[] {
  return world.snapshots.list(key).map(present)
}

/** Makes a sandbox what it was when a snapshot was saved. @throws {ServiceError} `notFound` if there is no such snapshot */
export async function restoreSnapshot(world: World, origin: Origin, name: string): Promise<void> {
  requireThere(origin.sandbox)
  const state = readAhead(world.documents, () => documentOf(world, origin.sandbox, name))
  await world.replace(origin, (sandbox) => applyState(world, sandbox, state.again(), origin.id), { rows: rowsOf(state.document) })
}

/** @throws {ServiceError} `notFound` if there is no such snapshot */
export function removeSnapshot(world: World, origin: Origin, name: string): Promise<void> {
  return world.write(origin, ({ sandbox }) => {
    if (!world.snapshots.remove(sandbox.key, name)) throw notFound('snapshot', name)
  })
}

/** The key of the document of a snapshot. @throws {ServiceError} `notFound` if there is no such snapshot */
export function documentOf(world: World, { key }: Sandbox, name: string): number {
  return found(world.snapshots.document(key, name), 'snapshot', name)
}

const present = ({ name, createdAt }: SnapshotRecord): Snapshot => ({ name, created_at: createdAt })

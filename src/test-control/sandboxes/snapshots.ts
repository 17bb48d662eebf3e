import { applyState } from '../../documents/apply.js'
import { rowsOf } from '../../documents/size.js'
import { readAhead } from '../../documents/stored.js'
import { check } from '../../interface/check.js'
import { found, invalidBody, ServiceError } from '../../interface/errors.js'
import { strict } from '../../lib/strict.js'
import { whenReady } from '../../lib/when-ready.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { assertNotRemoved } from '../../sandboxes/registry.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { SnapshotRecord } from '../../sandboxes/snapshots.js'
import { BASELINE, SnapshotNameSchema } from './schemas.js'
import { readState } from './state.js'

const NamedSchema = strict({ name: SnapshotNameSchema })

/**
 * Saves the state of a sandbox under a name, replacing a snapshot with the same name.
 * @throws {ServiceError} `invalidBody` if the name is invalid, `quotaExceeded` if there would be too many snapshots
 */
export async function saveSnapshot(plane: ControlPlane, origin: Origin, name: string) {
  check(NamedSchema, { name })
  if (name === BASELINE)
    throw invalidBody([{ field: 'name', reason: `must not be ${BASELINE}, which a reset returns to` }])
  // Runs due events first, and refuses before reading the state.
  const createdAt = await plane.write(origin, ({ sandbox, timestamp }) => {
    requireRoomFor(plane, sandbox, name)
    return timestamp
  })
  const state = JSON.stringify(await readState(plane, origin.sandbox))
  return plane.write(origin, ({ sandbox }) => {
    // Others may have been saved meanwhile.
    requireRoomFor(plane, sandbox, name)
    const snapshot = { name, createdAt }
    plane.snapshots.save(sandbox.key, snapshot, plane.documents.save(state))
    return toSnapshotView(snapshot)
  })
}

/** @throws {ServiceError} `quotaExceeded` if a snapshot with this name would be one too many */
function requireRoomFor({ snapshots, options: { maxSnapshots } }: ControlPlane, { key }: Sandbox, name: string): void {
  if (snapshots.list(key).filter((one) => one.name !== name).length < maxSnapshots) return
  throw new ServiceError(
    'quotaExceeded',
    `The sandbox has ${maxSnapshots} snapshots, the maximum of --max-snapshots; delete one, or save under its name.`
  )
}

/**
 * Restores the state of a sandbox from a snapshot.
 * @throws {ServiceError} `notFound` if there is no such snapshot
 */
export async function restoreSnapshot(plane: ControlPlane, origin: Origin, name: string): Promise<void> {
  assertNotRemoved(origin.sandbox)
  await whenReady(
    readAhead(plane, () => documentOf(plane, origin.sandbox, name)),
    (state) =>
      plane.replace(origin, (sandbox) => applyState(plane, sandbox, state.again(), origin.id), {
        by: 'restore',
        rows: rowsOf(state.document)
      })
  )
}

/** The key of the document of a snapshot. @throws {ServiceError} `notFound` if there is no such snapshot */
export function documentOf(plane: ControlPlane, { key }: Sandbox, name: string): number {
  return found(plane.snapshots.document(key, name), 'snapshot', name)
}

export const toSnapshotView = ({ name, createdAt }: SnapshotRecord) => ({ name, created_at: createdAt })

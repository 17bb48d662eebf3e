import type { World } from '../control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { parseStored } from './formats.js'
import type { PreparedState } from './schemas.js'

/** The document that every sandbox begins with which has none of its own. */
export function commonBaseline({ baseline }: World): PreparedState {
  return baseline
}

/** The document that a sandbox begins with. */
export function baselineOf(world: World, { key }: Sandbox): PreparedState {
  const own = world.sandboxes.store.baseline(key)
  return own === null ? commonBaseline(world) : parseStored(own)
}

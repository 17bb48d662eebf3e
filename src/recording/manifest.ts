import { toTimestamp } from '../lib/time.js'
import { VERSION } from '../lib/version.js'
import { OPTIONS, type Options } from '../options.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { type Manifest, RECORDING_FORMAT } from './format.js'

/** The name of a sandbox in its recordings. */
export function recordingName(names: ReadonlyMap<string, string>, id: string): string {
  return names.get(id) ?? id.slice(0, 12)
}

/** The first line of the recording of a sandbox. @param begun the machine's time at the beginning */
export function manifestOf(plane: ControlPlane, id: string, begun: number): Manifest {
  const { options, profile, shapes } = plane
  const given = Object.entries(OPTIONS).filter(
    ([name, option]) =>
      !('isSecret' in option) &&
      // The original location of a recording does not matter.
      name !== 'record' &&
      name !== 'recordKeep' &&
      typeof options[name as keyof Options] !== 'object' &&
      options[name as keyof Options] !== option.default
  )
  return {
    svcmock: RECORDING_FORMAT,
    version: VERSION,
    profile: profile.name,
    sandbox: recordingName(plane.sandboxNames, id),
    begun: toTimestamp(begun),
    options: Object.fromEntries(given.map(([name]) => [name, options[name as keyof Options]])),
    shapes
  }
}

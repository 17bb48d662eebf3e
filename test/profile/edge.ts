import type { Test } from 'tap'
import { ServiceError } from '../../src/interface/errors.js'
import type { Options } from '../../src/options.js'
import { compileProfile } from '../../src/profile/profile.js'
import { builtInWording } from '../../src/resources/vocabulary.js'
import { buildMock, type BuiltMock } from '../helper.js'

/** A server whose profile has these parts. */
export function buildWith(t: Test, parts: object, options: Partial<Options> = {}): Promise<BuiltMock> {
  return buildMock(t, { ...options, profile: { profile: 1, name: 'test', ...parts } })
}

/** The fields of a profile's parts that are refused, sorted. */
export function wrongFields(parts: object): string[] {
  return refusals(parts)
    .map(([field]) => field)
    .sort()
}

/** The fields of a profile's parts that are refused, each with a reason. */
export function refusals(parts: object): (readonly [field: string, reason: string])[] {
  try {
    compileProfile({ profile: 1, name: 'test', ...parts }, builtInWording)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const found = error.details.map(({ FieldName, Reason }) => [FieldName, Reason] as const)
    for (const [field, reason] of found) if (reason === '') throw new Error(`${field} is refused without a reason`)
    return found
  }
}

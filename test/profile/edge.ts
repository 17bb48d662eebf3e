import type { Test } from 'tap'
import { ServiceError } from '../../src/interface/errors.js'
import type { Options } from '../../src/options.js'
import { compileProfile } from '../../src/profile/profile.js'
import { builtInWording } from '../../src/resources/vocabulary.js'
import { buildMock, type BuiltMock } from '../helper.js'
import { openSandbox, type TestSandbox } from '../sandbox.js'

/** A server whose profile has these parts. */
export function buildWith(t: Test, parts: object, options: Partial<Options> = {}): Promise<BuiltMock> {
  return buildMock(t, { ...options, profile: { profile: 1, name: 'test', ...parts } })
}

/** A sandbox of a server whose profile has these parts. Its clock stands still. */
export const openWith = async (t: Test, parts: object, options: Partial<Options> = {}): Promise<TestSandbox> =>
  openSandbox(await buildWith(t, parts, options))

/** Checks which fields are refused of what is at a place in a profile, such as `errors`, or `stubs.0` for a stub. */
export function checkRefused(
  t: Test,
  place: string,
  cases: readonly (readonly [given: unknown, ...fields: string[]])[]
): void {
  for (const [given, ...fields] of cases) {
    const parts = place.split('.').reduceRight((value, step) => (step === '0' ? [value] : { [step]: value }), given)
    const wanted = fields.map((field) => `${place}.${field}`)
    t.strictSame(wrongFields(parts as object), wanted.sort(), JSON.stringify(given).slice(0, 200))
  }
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

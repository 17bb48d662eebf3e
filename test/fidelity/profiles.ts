import { isObject } from '../../src/lib/json.js'
import { isoLength } from '../../src/lib/time.js'
import { BUILT_IN_DURATIONS } from '../../src/profile/durations.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { Chance } from './chance.js'
import { PERTURBATIONS } from './perturbations.js'

/** A random profile: other durations, some as intervals, and some of the perturbations that a profile can express. */
export function hiddenProfile(seed: number): ProfileDocument {
  const chance = new Chance(`hidden profile ${seed}`)
  const names = Object.keys(BUILT_IN_DURATIONS) as (keyof typeof BUILT_IN_DURATIONS)[]
  const durations = Object.fromEntries(
    names.map((name) => {
      const usual = BUILT_IN_DURATIONS[name].realistic * chance.magnitude(0.4, 2.5)
      const length = (factor: number) => isoLength(Math.round((usual * factor) / 1000) * 1000)
      const isAlwaysSame = chance.happens(0.5)
      return [name, isAlwaysSame ? length(1) : { min: length(0.8), max: length(1.3) }]
    })
  )
  const expressible = Object.values(PERTURBATIONS).filter(({ rewrite }) => rewrite === undefined)
  const chosen = chance.shuffle(expressible).filter(() => chance.happens(0.4))
  const parts = chosen.map(({ profile = {} }) => profile)
  return { profile: 1, name: 'hidden', ...together(parts), durations }
}

/** Merges parts of profiles; of values that differ, the last counts. */
export function together(parts: readonly object[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const part of parts)
    for (const [name, value] of Object.entries(part) as [string, unknown][]) {
      const before = whole[name]
      whole[name] = isObject(before) && isObject(value) ? together([before, value]) : value
    }
  return whole
}

import { isoLength } from '../../src/lib/time.js'
import { BUILT_IN_DURATIONS } from '../../src/profile/durations.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { Chance } from './chance.js'
import { PERTURBATIONS } from './perturbations.js'

type Parts = Partial<ProfileDocument>

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
  let parts: Parts = {}
  for (const { profile } of chance.shuffle(PERTURBATIONS.filter(({ expressible }) => expressible)))
    if (chance.happens(0.4)) parts = unionOf(parts, profile) ?? parts
  return { profile: 1, name: 'hidden', ...parts, durations }
}

/** Merges two profiles; undefined if they contradict each other, or one is missing. */
function unionOf(one: Parts, other: Parts | undefined): Parts | undefined {
  // All durations differ anyway.
  return other === undefined || other.durations !== undefined ? undefined : union(one, other)
}

function union(one: object, other: object): object | undefined {
  const both = new Map<string, unknown>(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const own = both.get(name)
    const inside = own === undefined ? (value as unknown) : isPart(own) && isPart(value) && union(own, value)
    if (inside === undefined || inside === false) return undefined
    both.set(name, inside)
  }
  return Object.fromEntries(both)
}

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

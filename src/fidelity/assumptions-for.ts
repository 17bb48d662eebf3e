import type { Aspect, Assumption, FactKey } from '../interface/assumption.js'

/** A pattern of an assumption. */
interface Claim {
  readonly assumption: Assumption
  readonly pattern: FactKey
  /** A pattern of higher rank is about fewer facts. */
  readonly rank: number
}

/** What is known of a list of assumptions. */
interface Index {
  /** By aspect, those of the highest rank first. */
  readonly claims: ReadonlyMap<Aspect, readonly Claim[]>
  readonly found: Map<string, readonly Assumption[]>
}

const indexes = new WeakMap<readonly Assumption[], Index>()

/** Answers that are kept. A mirrored service can have any number of words. */
const MOST_KEPT = 10_000

/**
 * The assumptions that a fact confirms or refutes, as {@link Assumption.about} says.
 * @param assumptions always the same list, because it is indexed once
 */
export function assumptionsFor(fact: FactKey, assumptions: readonly Assumption[]): readonly Assumption[] {
  let index = indexes.get(assumptions)
  if (index === undefined) indexes.set(assumptions, (index = indexOf(assumptions)))
  const { aspect, operation, schema, field, condition, subject } = fact
  const key = JSON.stringify([aspect, operation, schema, field, condition, subject])
  let found = index.found.get(key)
  if (found === undefined) {
    found = claiming(fact, index.claims.get(aspect) ?? [])
    if (index.found.size >= MOST_KEPT) index.found.clear()
    index.found.set(key, found)
  }
  return found
}

function indexOf(assumptions: readonly Assumption[]): Index {
  const claims = new Map<Aspect, Claim[]>()
  for (const assumption of assumptions)
    for (const pattern of assumption.about ?? []) {
      const { aspect } = pattern
      if (!claims.has(aspect)) claims.set(aspect, [])
      claims.get(aspect)!.push({ assumption, pattern, rank: rankOf(pattern) })
    }
  for (const list of claims.values()) list.sort((a, b) => b.rank - a.rank)
  return { claims, found: new Map() }
}

/** By the number of values; of equally many, one that names the condition is about fewer facts. */
const rankOf = (pattern: FactKey) => 2 * Object.keys(pattern).length + ('condition' in pattern ? 1 : 0)

function claiming(fact: FactKey, claims: readonly Claim[]): readonly Assumption[] {
  const first = claims.find(({ pattern }) => fits(fact, pattern))
  if (first === undefined) return []
  const best = claims.filter(({ pattern, rank }) => rank === first.rank && fits(fact, pattern))
  return [...new Set(best.map(({ assumption }) => assumption))]
}

const fits = (fact: FactKey, pattern: FactKey) =>
  (Object.keys(pattern) as (keyof FactKey)[]).every((name) => fact[name] === pattern[name])

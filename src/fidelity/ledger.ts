import type { Assumption, FactKey } from '../interface/assumption.js'
import { groupBy } from '../lib/group-by.js'
import { plainText } from '../lib/plain-text.js'
import type { Entry } from './fact-book.js'

export type Verdict = 'confirmed' | 'contradicted' | 'unseen'

/** An assumption, and the exchanges that confirm or contradict it. */
export type LedgerEntry = ReturnType<typeof ledgerOf>[number]

/** Maximum number of agreeing exchanges, and of examples of differences. */
const EXAMPLES = 10

/** Groups facts by the assumptions that they confirm or contradict, in the order of the assumptions. */
export function ledgerOf(entries: readonly Entry[], assumptions: readonly Assumption[]) {
  const claimed = new Map<Assumption, Entry[]>(assumptions.map((assumption) => [assumption, []]))
  const assumptionsFor = assumptionFinder(assumptions)
  for (const entry of entries) for (const one of assumptionsFor(entry.key)) claimed.get(one)!.push(entry)
  return [...claimed].map(([{ id, topic, says, change }, own]) => {
    const agreements = own.reduce((sum, entry) => sum + entry.agreements, 0)
    const differences = own.reduce((sum, entry) => sum + entry.differences, 0)
    const verdict: Verdict = differences > 0 ? 'contradicted' : agreements > 0 ? 'confirmed' : 'unseen'
    const examples = own
      .flatMap((entry) => entry.examples)
      .sort((a, b) => a.exchange - b.exchange)
      .slice(0, EXAMPLES)
    const agreeing = [...new Set(own.flatMap((entry) => entry.agreeing))].sort((a, b) => a - b).slice(0, EXAMPLES)
    const prose = { says: plainText(says), change: plainText(change) }
    return { id, topic, ...prose, verdict, agreements, differences, agreeing, examples }
  })
}

/** @returns a function that finds the assumptions that a fact confirms or contradicts; see {@link Assumption.about} */
export function assumptionFinder(assumptions: readonly Assumption[]): (fact: FactKey) => readonly Assumption[] {
  const claims = assumptions.flatMap((assumption) =>
    (assumption.about ?? []).map((pattern) => ({ assumption, pattern, rank: rankOf(pattern) }))
  )
  const byAspect = groupBy(
    claims.sort((a, b) => b.rank - a.rank),
    ({ pattern }) => pattern.aspect
  )
  return (fact) => {
    const fitting = (byAspect.get(fact.aspect) ?? []).filter(({ pattern }) => fits(fact, pattern))
    const best = fitting.filter(({ rank }) => rank === fitting[0]!.rank)
    return [...new Set(best.map(({ assumption }) => assumption))]
  }
}

/** The more specific pattern has the higher rank: more values, or as many with a condition among them. */
const rankOf = (pattern: FactKey) => 2 * Object.keys(pattern).length + ('condition' in pattern ? 1 : 0)

const fits = (fact: FactKey, pattern: FactKey) =>
  (Object.keys(pattern) as (keyof FactKey)[]).every((name) => fact[name] === pattern[name])

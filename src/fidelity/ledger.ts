import type { Assumption, Fact } from '../interface/assumption.js'
import { assumptionsFor } from './assumptions-for.js'
import type { Entry } from './fact-book.js'

/** What exchanges say of an assumption. */
export type Verdict = 'confirmed' | 'contradicted' | 'unseen'

/** An assumption with what exchanges say of it. */
export interface LedgerEntry extends Pick<Assumption, 'id' | 'topic' | 'says' | 'change'> {
  readonly verdict: Verdict
  /** How often exchanges agreed with it, and how often they did not. */
  readonly agreements: number
  readonly differences: number
  /** Numbers of the first exchanges that agree with it. */
  readonly agreeing: readonly number[]
  /** The first exchanges that contradict it, each in another way. */
  readonly examples: readonly Fact[]
}

/** How many exchanges are kept for an assumption, of those that agree and of those that do not. */
const EXAMPLES = 10

/** Enters facts under the assumptions that they confirm or refute, in the order of the assumptions. */
export function ledgerOf(entries: readonly Entry[], assumptions: readonly Assumption[]): LedgerEntry[] {
  const claimed = new Map<Assumption, Entry[]>(assumptions.map((assumption) => [assumption, []]))
  for (const entry of entries) for (const one of assumptionsFor(entry.key, assumptions)) claimed.get(one)!.push(entry)
  return [...claimed].map(([{ id, topic, says, change }, own]) => {
    const agreements = own.reduce((sum, entry) => sum + entry.agreements, 0)
    const differences = own.reduce((sum, entry) => sum + entry.differences, 0)
    const verdict = differences > 0 ? 'contradicted' : agreements > 0 ? 'confirmed' : 'unseen'
    const examples = own
      .flatMap((entry) => entry.examples)
      .sort((a, b) => a.exchange - b.exchange)
      .slice(0, EXAMPLES)
    const agreeing = [...new Set(own.flatMap((entry) => entry.agreeing))].sort((a, b) => a - b).slice(0, EXAMPLES)
    return { id, topic, says, change, verdict, agreements, differences, agreeing, examples }
  })
}

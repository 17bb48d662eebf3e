import type { Assumption } from './assumption.js'
import type { AssumptionId } from './assumption-id.js'

/** What an assumption says, and the facts that it is about. */
type Claim = Pick<Assumption, 'says' | 'about'>
export type Claims = Readonly<Record<AssumptionId, Claim>>

/** The assumptions of a section of docs/assumptions.md. */
export interface Section {
  /** Its heading. */
  readonly topic: string
  /** How to change them, in Markdown. */
  readonly change: string
  /** Those that it lists. */
  readonly listed: readonly Assumption[]
  /** Those that have a row in one of its tables. */
  readonly tabled: readonly Assumption[]
}

/** @param change completes the sentence `Change it: …` */
export function section(topic: string, change: string, listed: Claims, tabled: Claims = {}): Section {
  const of = (claims: Claims) => Object.entries(claims).map(([id, claim]) => ({ id, topic, change, ...claim }))
  return { topic, change, listed: of(listed), tabled: of(tabled) }
}

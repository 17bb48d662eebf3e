import { groupBy } from '../lib/group-by.js'
import { FINDING_KINDS } from './finding-kinds.js'
import type { Trial } from './findings.js'
import { describePoint } from './points.js'

/** A plan that ends differently with two versions of a client. */
export type Change = ReturnType<typeof changesBetween>[number]

/** How plans ended, by their descriptions. */
type Endings = Readonly<Record<string, string>>

/** The best first. */
const ENDS: readonly string[] = ['recovered', 'reported', ...Object.keys(FINDING_KINDS).reverse()]

/** How plans ended, except those that could not be judged. */
export function endingsOf(trials: readonly Trial[]): Endings {
  const byPlan = [...groupBy(trials, planOf)]
  return Object.fromEntries(byPlan.flatMap(([plan, own]) => endOf(own).map((end) => [plan, end])))
}

export function changesBetween(earlier: Endings, endings: Endings) {
  return Object.entries(endings).flatMap(([plan, now]) => {
    const before = Object.hasOwn(earlier, plan) ? earlier[plan]! : now
    return before === now ? [] : [{ plan, isWorse: ENDS.indexOf(now) > ENDS.indexOf(before), before, now }]
  })
}

/** Describes a plan without digests, because two versions may send different bodies. */
const planOf = ({ plan: { faults } }: Trial): string =>
  faults.map(({ kind, point }) => `${kind} ${describePoint(point)}`).join(', then ')

/** The worst end of the trials of a plan; empty if it could not be judged. */
function endOf(trials: readonly Trial[]): string[] {
  const ends: readonly string[] = trials.map(({ result, problem }) => problem?.kind ?? result)
  return ENDS.filter((end) => ends.includes(end)).slice(-1)
}

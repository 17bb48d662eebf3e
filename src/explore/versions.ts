import { groupBy } from '../lib/group-by.js'
import type { Trial } from './findings.js'
import { FINDING_KINDS } from './judge.js'
import { describePoint } from './points.js'

/** A plan that two versions of a client end in different ways. */
export interface Change {
  /** The plan in a few words, the same for both. */
  readonly plan: string
  readonly isWorse: boolean
  readonly before: string
  readonly now: string
}

/** Ways to end, the best first. What could not be judged is none. */
const ENDS: readonly string[] = ['recovered', 'reported', ...Object.keys(FINDING_KINDS).reverse()]

/** The plans that two versions of a client end in different ways, those first in which it has become worse. */
export function changesBetween(before: readonly Trial[], now: readonly Trial[]): Change[] {
  const earlier = groupBy(before, planOf)
  return [...groupBy(now, planOf)]
    .flatMap(([plan, trials]) => {
      const [was, is] = [endOf(earlier.get(plan) ?? []), endOf(trials)]
      if (was === undefined || is === undefined || was === is) return []
      return [{ plan, isWorse: ENDS.indexOf(is) > ENDS.indexOf(was), before: was, now: is }]
    })
    .sort((a, b) => Number(b.isWorse) - Number(a.isWorse))
}

/** Two versions may send other bodies. */
const planOf = ({ plan: { faults } }: Trial): string =>
  faults.map(({ kind, point }) => `${kind} ${describePoint(point)}`).join(', then ')

/** The worst end of the trials of a plan. */
function endOf(trials: readonly Trial[]): string | undefined {
  const ends: readonly string[] = trials.flatMap(({ result, problems }) =>
    result === 'problem' ? problems.map(({ kind }) => kind) : result
  )
  return ENDS.findLast((end) => ends.includes(end))
}

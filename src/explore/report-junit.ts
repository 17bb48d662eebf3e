import { toJUnit } from '../lib/junit.js'
import { titleOf, type Trial } from './findings.js'

const UNJUDGED: readonly Trial['result'][] = ['undecided', 'missed', 'unrepeated']

/** Trials as JUnit XML: a case per plan, skipped if it could not be judged. */
export function trialsAsJUnit(trials: readonly Trial[]): string {
  const cases = [...trials]
    .sort((a, b) => a.plan.number - b.plan.number)
    .map(({ plan, result, problems }) => ({
      of: plan.faults.at(-1)!.kind,
      name: `${plan.number} ${titleOf(plan)}`,
      skipped: UNJUDGED.includes(result) ? result : undefined,
      failures: problems.map(({ kind, summary }) => ({ type: kind, message: summary }))
    }))
  return toJUnit('svc-mock explore', [{ name: 'plans', cases }])
}

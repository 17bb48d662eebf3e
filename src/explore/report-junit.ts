import { toJUnit } from '../lib/junit.js'
import { type Found, inOrder, titleOf, type Trial } from './findings.js'
import { callInWords } from './points.js'

const UNJUDGED: readonly Trial['result'][] = ['undecided', 'missed', 'unrepeated']

/** JUnit XML: a case per finding, and one per plan that has found nothing, skipped if it could not be judged. */
export function reportAsJUnit(findings: readonly Found[], trials: readonly Trial[]): string {
  const failed = findings.map(({ kind, summary, elsewhere, ...first }) => ({
    of: kind,
    name: callInWords(first),
    failures: [{ type: kind, message: summary, text: [summary, ...elsewhere.map((one) => one.summary)].join('\n') }]
  }))
  const passed = inOrder(trials)
    .filter(({ result }) => result !== 'problem')
    .map(({ plan, result }) => ({
      of: plan.faults.at(-1)!.kind,
      name: `${plan.number} ${titleOf(plan)}`,
      skipped: UNJUDGED.includes(result) ? result : undefined
    }))
  return toJUnit('svc-mock explore', [
    { name: 'findings', cases: failed },
    { name: 'plans', cases: passed }
  ])
}

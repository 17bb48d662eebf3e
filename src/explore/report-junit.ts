import { escapeXml } from '../lib/escape-xml.js'
import { titleOf, type Trial } from './findings.js'

/** Trials as JUnit XML: a case per plan, skipped if it could not be judged. */
export function trialsAsJUnit(trials: readonly Trial[]): string {
  const cases = [...trials].sort((a, b) => a.plan.number - b.plan.number)
  const number = (isCounted: (trial: Trial) => boolean) => cases.filter(isCounted).length
  const counts =
    `tests="${cases.length}" failures="${number(({ result }) => result === 'problem')}" errors="0" ` +
    `skipped="${number(isSkipped)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc-mock explore" ${counts}>`,
    `  <testsuite name="plans" ${counts}>`,
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

const isSkipped = ({ result }: Trial) => result === 'undecided' || result === 'missed' || result === 'unrepeated'

function testCase(trial: Trial): string {
  const { plan, problems } = trial
  const name = `${plan.number} ${titleOf(plan)}`
  const start = `    <testcase classname="${plan.faults.at(-1)!.kind}" name="${escapeXml(name)}"`
  if (isSkipped(trial)) return `${start}><skipped message="${trial.result}"/></testcase>`
  if (problems.length === 0) return `${start}/>`
  const failures = problems.map(
    ({ kind, summary }) => `<failure type="${kind}" message="${escapeXml(summary)}">${escapeXml(summary)}</failure>`
  )
  return `${start}>${failures.join('')}</testcase>`
}

import { toJUnit } from '../../lib/junit.js'
import { contradictions, differenceOf, placeOf, type Reported, subjectOf } from './words.js'

/** A comparison as JUnit XML: a case per assumption, skipped if exchanges do not show it. */
export function reportAsJUnit(reported: Reported): string {
  const failed = new Set(contradictions(reported))
  const cases = reported.conformance.ledger.map((entry) => {
    const { id, topic, says, verdict, examples } = entry
    const lines = examples.map(
      (fact) => `${subjectOf(fact)}: ${differenceOf(fact)} (${placeOf(fact, reported.exchanges)})`
    )
    return {
      of: topic,
      name: `${id} ${says}`,
      skipped: verdict === 'unseen' ? 'no exchange shows it' : undefined,
      failures: failed.has(entry) ? [{ type: id, message: lines[0] ?? id, text: lines.join('\n') }] : []
    }
  })
  return toJUnit('svc-mock conform', [{ name: 'assumptions', cases }])
}

import { escapeXml } from '../../lib/escape-xml.js'
import type { LedgerEntry } from '../ledger.js'
import { contradictions, countsOf, differenceOf, placeOf, type Reported, subjectOf } from './words.js'

/** A comparison as JUnit XML: a case per assumption, skipped if exchanges do not show it. */
export function reportAsJUnit(reported: Reported): string {
  const { ledger } = reported.conformance
  const failed = new Set(contradictions(reported))
  const counts =
    `tests="${ledger.length}" failures="${failed.size}" errors="0" ` +
    `skipped="${countsOf(reported.conformance).unseen}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc-mock conform" ${counts}>`,
    `  <testsuite name="assumptions" ${counts}>`,
    ...ledger.map((entry) => testCase(entry, failed.has(entry), reported)),
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function testCase(entry: LedgerEntry, hasFailed: boolean, { exchanges }: Reported): string {
  const { id, topic, says, verdict, examples } = entry
  const start = `    <testcase classname="${escapeXml(topic)}" name="${escapeXml(`${id} ${says}`)}"`
  if (verdict === 'unseen') return `${start}><skipped message="no exchange shows it"/></testcase>`
  if (!hasFailed) return `${start}/>`
  const lines = examples.map((fact) => `${subjectOf(fact)}: ${differenceOf(fact)} (${placeOf(fact, exchanges)})`)
  const text = escapeXml(lines.join('\n'))
  return `${start}><failure type="${id}" message="${escapeXml(lines[0] ?? id)}">${text}</failure></testcase>`
}

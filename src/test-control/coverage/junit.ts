import { escapeXml } from '../../lib/escape-xml.js'
import { type CoverageItem, type CoverageReport, type Dimension, DIMENSIONS } from './coverage.js'

/** A coverage report as JUnit XML: a suite per dimension, a case per item, skipped if it was not exercised. */
export function coverageAsJUnit(report: CoverageReport): string {
  const totals = DIMENSIONS.map((dimension) => report.summary[dimension])
  const total = totals.reduce((sum, { total }) => sum + total, 0)
  const exercised = totals.reduce((sum, { exercised }) => sum + exercised, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc-mock coverage" tests="${total}" failures="0" errors="0" skipped="${total - exercised}">`,
    ...DIMENSIONS.flatMap((dimension) => suite(dimension, report)),
    '</testsuites>',
    ''
  ].join('\n')
}

function suite(dimension: Dimension, report: CoverageReport): string[] {
  const { total, exercised } = report.summary[dimension]
  return [
    `  <testsuite name="${dimension}" tests="${total}" failures="0" errors="0" skipped="${total - exercised}">`,
    ...report[dimension].map((item) => `    ${testCase(dimension, item)}`),
    '  </testsuite>'
  ]
}

function testCase(dimension: Dimension, { name, count }: CoverageItem): string {
  const start = `<testcase classname="${dimension}" name="${escapeXml(name)}"`
  return count > 0 ? `${start}/>` : `${start}><skipped/></testcase>`
}

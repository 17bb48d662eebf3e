import { toJUnit } from '../../lib/junit.js'
import { type CoverageReport, DIMENSIONS } from './coverage.js'

/** A coverage report as JUnit XML: a suite per dimension, a case per item, skipped if it was not exercised. */
export function coverageAsJUnit(report: CoverageReport): string {
  const suites = DIMENSIONS.map((dimension) => ({
    name: dimension,
    cases: report[dimension].map(({ name, count }) => ({
      of: dimension,
      name,
      skipped: count > 0 ? undefined : 'not exercised'
    }))
  }))
  return toJUnit('svc-mock coverage', suites)
}

import { VERSION } from '../../lib/version.js'
import { countsOf, furtherOf, type Reported } from './words.js'

/** The format of the report. A change that readers must know gets the next number. */
const FORMAT = 1

/** A comparison for programs. */
export function reportAsJson({ conformance, allowed }: Reported): string {
  const { profile, counts, ledger, operations, durations, refused } = conformance
  const report = {
    format: FORMAT,
    svc_mock: VERSION,
    profile,
    exchanges: counts,
    assumptions: countsOf(conformance),
    allowed: [...allowed],
    ledger,
    operations,
    durations: durations.map(({ transition, min, max, exchange }) => ({
      transition,
      min_ms: min,
      max_ms: max,
      exchange
    })),
    further: furtherOf(conformance),
    refused
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

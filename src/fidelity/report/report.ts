import type { Fact } from '../../interface/assumption.js'
import { toJUnit } from '../../lib/junit.js'
import { cut } from '../../lib/plain-text.js'
import { isoLength } from '../../lib/time.js'
import { VERSION } from '../../lib/version.js'
import type { Conformance } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { LedgerEntry, Verdict } from '../ledger.js'

/** The contents of a report. */
export interface Reported {
  readonly conformance: Conformance
  readonly exchanges: readonly Exchange[]
  /** Ids of assumptions that may be contradicted. */
  readonly allowed: ReadonlySet<string>
}

/** The contradictions that are not allowed. */
export const contradictions = ({ conformance: { ledger }, allowed }: Reported): readonly LedgerEntry[] =>
  ledger.filter(({ verdict, id }) => verdict === 'contradicted' && !allowed.has(id))

export const VERDICTS: readonly Verdict[] = ['contradicted', 'confirmed', 'unseen']

/** The number of assumptions with each verdict. */
export function countsOf({ ledger }: Conformance): Readonly<Record<Verdict, number>> {
  const number = (verdict: Verdict) => ledger.filter((entry) => entry.verdict === verdict).length
  return { contradicted: number('contradicted'), confirmed: number('confirmed'), unseen: number('unseen') }
}

export function countsInWords({ counts }: Conformance): string {
  const { compared, refused, unanswered, foreign, incomplete } = counts
  return (
    `${compared} exchanges compared, ${refused} with a refused credential, ${incomplete} without a body, ` +
    `${unanswered} failed or unanswered, ${foreign} for other paths`
  )
}

/** Why there was nothing to compare, with a remedy. */
export function nothingCompared(conformance: Conformance): string {
  const isBare = conformance.counts.incomplete > 0
  return `nothing can be compared: ${countsInWords(conformance)}${isBare ? '; save archives with their content' : ''}`
}

/** The subject of a fact, such as `getWorkspace, Workspace.region`. */
export function subjectOf({ aspect, operation, schema, field, condition, subject }: Fact): string {
  const place = schema === undefined ? field : field === undefined ? schema : `${schema}.${field}`
  return [operation, place ?? subject, condition, aspect].filter((part) => part !== undefined).join(', ')
}

/** Both sides of a difference, such as `"us-east-1" in the mock, "eu-west-1" in the service`. */
export function differenceOf({ aspect, ours, theirs }: Fact): string {
  const shown = aspect === 'duration' ? lengthInWords : valueInWords
  return `${shown(ours)} in the mock, ${shown(theirs)} in the service`
}

/** The exchange that shows a difference. */
export function placeOf({ exchange }: Fact, exchanges: readonly Exchange[]): string {
  const found = exchanges[exchange - 1]
  return found === undefined ? `exchange ${exchange}` : `exchange ${exchange}, ${found.method} ${found.path}`
}

const lineOf = (fact: Fact, exchanges: readonly Exchange[]) =>
  `${subjectOf(fact)}: ${differenceOf(fact)} (${placeOf(fact, exchanges)})`

const LONGEST = 100

function valueInWords(value: unknown): string {
  if (value === undefined) return 'absent'
  return cut(JSON.stringify(value), LONGEST)
}

function lengthInWords(value: unknown): string {
  const { min, max } = value as { readonly min: number; readonly max: number }
  const [least, most] = [isoLength(Math.round(min)), isoLength(Math.round(max))]
  return least === most ? least : `${least} to ${most}`
}

/** Maximum number of examples of a contradiction in a terminal. */
const SHOWN = 3

const NEXT = `
Next: svc-mock learn FILE --out profile.yaml
      svc-mock conform FILE --profile profile.yaml`

/** A comparison for a terminal, with the contradictions first. */
export function reportAsText(reported: Reported): string {
  const { conformance, allowed } = reported
  const { ledger, profile, refused, further } = conformance
  const numbers = countsOf(conformance)
  const ids = VERDICTS.map((verdict) => {
    const own = ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => (allowed.has(id) ? `(${id})` : id))
    return `${verdict} (${numbers[verdict]})${own.length === 0 ? '' : `: ${own.join(' ')}`}`
  })
  return [
    ...contradictions(reported).map((entry) => `${contradiction(entry, reported)}\n`),
    ...(further.length === 0 ? [] : [`Only the service has: ${further.join(', ')}\n`]),
    ...(refused.length === 0
      ? []
      : ['Values of replies that the mock refused:', ...refused.map((one) => `  ${one}`), '']),
    ...ids,
    '',
    `Profile ${profile.name}: ${countsInWords(conformance)}.`,
    ...(contradictions(reported).length === 0 ? [] : [NEXT])
  ].join('\n')
}

function contradiction({ id, says, change, examples, agreements, differences }: LedgerEntry, { exchanges }: Reported) {
  const shown = examples.slice(0, SHOWN)
  return [
    `${id}  ${says}`,
    ...shown.map((fact) => `  ${lineOf(fact, exchanges)}`),
    `  ${differences} of ${agreements + differences} observations differ. Change it: ${change}`
  ].join('\n')
}

/** The format of the report. An incompatible change increments it. */
const FORMAT = 1

export function reportAsJson({ conformance, allowed }: Reported): string {
  const { profile, counts, ledger, durations, further, refused } = conformance
  const report = {
    format: FORMAT,
    svc_mock: VERSION,
    profile: profile.name,
    exchanges: counts,
    assumptions: countsOf(conformance),
    allowed: [...allowed],
    ledger,
    durations: durations.map(({ min, max, ...duration }) => ({ ...duration, min_ms: min, max_ms: max })),
    further,
    refused
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** A comparison as JUnit XML: a case per assumption, skipped if it is unseen. */
export function reportAsJUnit(reported: Reported): string {
  const failed = new Set(contradictions(reported))
  const cases = reported.conformance.ledger.map((entry) => {
    const { id, topic, says, verdict, examples } = entry
    const lines = examples.map((fact) => lineOf(fact, reported.exchanges))
    return {
      of: topic,
      name: `${id} ${says}`,
      skipped: verdict === 'unseen' ? 'no exchange shows it' : undefined,
      failures: failed.has(entry) ? [{ type: id, message: lines[0] ?? id, text: lines.join('\n') }] : []
    }
  })
  return toJUnit('svc-mock conform', [{ name: 'assumptions', cases }])
}

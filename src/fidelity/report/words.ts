import type { Fact } from '../../interface/assumption.js'
import { isoLength } from '../../lib/time.js'
import type { Conformance } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { LedgerEntry, Verdict } from '../ledger.js'

/** Everything that a report tells. */
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

/** What the service has and the mock does not: paths and fields. */
export const furtherOf = ({ further, furtherFields }: Conformance): readonly string[] => [
  ...further.keys(),
  ...new Set(furtherFields)
]

/** How many assumptions there are of each verdict. */
export function countsOf({ ledger }: Conformance): Readonly<Record<Verdict, number>> {
  const number = (verdict: Verdict) => ledger.filter((entry) => entry.verdict === verdict).length
  return { contradicted: number('contradicted'), confirmed: number('confirmed'), unseen: number('unseen') }
}

/** What became of the exchanges, such as `12 exchanges compared, 1 failed or unanswered, 0 for other paths`. */
export function countsInWords({ counts }: Conformance): string {
  const { compared, refused, unanswered, foreign, incomplete } = counts
  return [
    `${compared} exchanges compared`,
    ...(refused === 0 ? [] : [`${refused} with a refused credential`]),
    ...(incomplete === 0 ? [] : [`${incomplete} without the body of the request`]),
    `${unanswered} failed or unanswered`,
    `${foreign} for other paths`
  ].join(', ')
}

/** What was compared, such as `getWorkspace, Workspace.region`. */
export function subjectOf({ aspect, operation, schema, field, condition, subject }: Fact): string {
  const place = schema === undefined ? field : field === undefined ? schema : `${schema}.${field}`
  return [operation, place ?? subject, condition, aspect].filter((part) => part !== undefined).join(', ')
}

/** Both sides of a difference, such as `"us-east-1" here, "eu-west-1" in the service`. */
export function differenceOf({ aspect, ours, theirs }: Fact): string {
  const shown = aspect === 'duration' ? lengthInWords : valueInWords
  return `${shown(ours)} in the mock, ${shown(theirs)} in the service`
}

/** The exchange that shows a difference. */
export function placeOf({ exchange }: Fact, exchanges: readonly Exchange[]): string {
  const found = exchanges[exchange - 1]
  return found === undefined ? `exchange ${exchange}` : `exchange ${exchange}, ${found.method} ${found.path}`
}

const LONGEST = 100

function valueInWords(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function lengthInWords(value: unknown): string {
  const { min, max } = value as { readonly min: number; readonly max: number }
  const [least, most] = [isoLength(Math.round(min)), isoLength(Math.round(max))]
  return least === most ? least : `${least} to ${most}`
}

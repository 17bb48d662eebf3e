import type { LedgerEntry } from '../ledger.js'
import {
  contradictions,
  countsInWords,
  countsOf,
  differenceOf,
  furtherOf,
  placeOf,
  type Reported,
  subjectOf,
  VERDICTS
} from './words.js'

/** Examples of a contradiction that a terminal shows. */
const SHOWN = 3

/** What to do about contradictions. */
const NEXT = `
Next: svc-mock learn FILE --out profile.yaml
      svc-mock conform FILE --profile profile.yaml`

/** A comparison for a terminal: first the contradictions, last the figures. */
export function reportAsText(reported: Reported): string {
  const { conformance, allowed } = reported
  const { ledger, profile, refused } = conformance
  const numbers = countsOf(conformance)
  const further = furtherOf(conformance)
  const ids = VERDICTS.map((verdict) => {
    const own = ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => (allowed.has(id) ? `(${id})` : id))
    return `${verdict} (${numbers[verdict]})${own.length === 0 ? '' : `: ${own.join(' ')}`}`
  })
  return [
    ...contradictions(reported).map((entry) => `${contradiction(entry, reported)}\n`),
    ...(further.length === 0 ? [] : [`The mock does not have: ${further.join(', ')}\n`]),
    ...(refused.length === 0 ? [] : ['The mock could not take over:', ...refused.map((one) => `  ${one}`), '']),
    ...ids,
    '',
    `Profile ${profile}: ${countsInWords(conformance)}.`,
    ...(contradictions(reported).length === 0 ? [] : [NEXT])
  ].join('\n')
}

function contradiction({ id, says, change, examples, agreements, differences }: LedgerEntry, { exchanges }: Reported) {
  const shown = examples.slice(0, SHOWN)
  return [
    `${id}  ${says}`,
    ...shown.map((fact) => `  ${subjectOf(fact)}: ${differenceOf(fact)} (${placeOf(fact, exchanges)})`),
    `  ${differences} of ${agreements + differences} observations differ. Change it: ${change}`
  ].join('\n')
}

import { findingsByKind, html, htmlTable, reportPage, toned, unfolding } from '../../lib/report-page.js'
import type { LedgerEntry } from '../ledger.js'
import { countsInWords, countsOf, differenceOf, placeOf, type Reported, subjectOf, VERDICTS } from './report.js'

const TONES: Readonly<Record<LedgerEntry['verdict'], string>> = {
  contradicted: 'bad',
  confirmed: 'good',
  unseen: 'quiet'
}

const code = (text: string) => `<code>${html(text)}</code>`

/** A comparison as a self-contained page. */
export function reportAsHtml(reported: Reported): string {
  const { conformance, allowed } = reported
  const { profile, ledger, further, refused } = conformance
  const numbers = countsOf(conformance)
  const of = (verdict: LedgerEntry['verdict']) => ledger.filter((entry) => entry.verdict === verdict)
  const rank = ({ id, differences }: LedgerEntry) => (allowed.has(id) ? 0 : differences)
  return reportPage('svc-mock conform', `${numbers.contradicted} of ${ledger.length} assumptions contradicted`, [
    `<p>${VERDICTS.map((verdict) => `${toned(TONES[verdict], `${numbers[verdict]}`)} ${verdict}`).join(' · ')}</p>`,
    `<p class="quiet">Profile ${html(profile.name)}: ${countsInWords(conformance)}.</p>`,
    ...findingsByKind(
      of('contradicted').sort((a, b) => rank(b) - rank(a)),
      ({ topic }) => `Contradicted: ${topic}`,
      () => '',
      (entry, isFirst) => contradiction(entry, reported, isFirst)
    ),
    listOf('Only the service has', further),
    listOf('Values of replies that the mock refused', refused),
    '<h2>Confirmed</h2>',
    htmlTable(of('confirmed').map(row)),
    '<h2>Unseen</h2>',
    htmlTable(of('unseen').map(row))
  ])
}

function contradiction(
  { id, says, change, examples, agreements, differences }: LedgerEntry,
  { exchanges, allowed }: Reported,
  isOpen: boolean
): string {
  const facts = examples.map((fact) => ({
    cells: [`${html(subjectOf(fact))}<br>${code(placeOf(fact, exchanges))}`, html(differenceOf(fact))]
  }))
  const seen = `${differences} of ${agreements + differences} observations differ.`
  return unfolding(
    `${toned('bad', id)} ${html(says)}${allowed.has(id) ? ' (allowed)' : ''}`,
    [`<p class="quiet">${seen} Change it: ${html(change)}</p>`, htmlTable(facts)],
    isOpen
  )
}

function listOf(title: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `<h2>${title}</h2><p>${parts.map(code).join(', ')}</p>`
}

function row({ id, says, agreements, agreeing, verdict }: LedgerEntry) {
  const cited = agreements === 0 ? '' : `${agreements}, such as in exchange ${agreeing.join(', ')}`
  return { cells: [toned(`${TONES[verdict]} whole`, id), html(says), cited] }
}

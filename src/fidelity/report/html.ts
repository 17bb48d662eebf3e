import { cut } from '../../lib/plain-text.js'
import { findingsByKind, html, htmlTable, reportPage, toned, unfolding } from '../../lib/report-page.js'
import { mask } from '../../lib/secrets.js'
import { toTimestamp } from '../../lib/time.js'
import type { Exchange } from '../exchange.js'
import type { LedgerEntry } from '../ledger.js'
import { countsInWords, countsOf, differenceOf, placeOf, type Reported, subjectOf, VERDICTS } from './report.js'

const TONES: Readonly<Record<LedgerEntry['verdict'], string>> = {
  contradicted: 'bad',
  confirmed: 'good',
  unseen: 'quiet'
}

/** Maximum length of a body on the page. */
const LONGEST = 20_000

const code = (text: string) => `<code>${html(text)}</code>`

const anchorOf = (exchange: number) => `exchange-${exchange}`

const linkTo = (exchange: number, text: string) => `<a href="#${anchorOf(exchange)}">${html(text)}</a>`

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
    htmlTable(of('unseen').map(row)),
    ...citedExchanges(reported)
  ])
}

function contradiction(
  { id, says, change, examples, agreements, differences }: LedgerEntry,
  { exchanges, allowed }: Reported,
  isOpen: boolean
): string {
  const facts = examples.map((fact) => ({
    cells: [`${html(subjectOf(fact))}<br>${linkTo(fact.exchange, placeOf(fact, exchanges))}`, html(differenceOf(fact))]
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
  const links = agreeing.map((exchange) => linkTo(exchange, `${exchange}`))
  const cited = agreements === 0 ? '' : `${agreements}, such as in exchange ${links.join(', ')}`
  return { cells: [toned(`${TONES[verdict]} whole`, id), html(says), cited] }
}

/** The exchanges to which the page links, as the files have them, without secrets. */
function citedExchanges({ conformance: { ledger }, exchanges }: Reported): string[] {
  const cited = new Set(
    ledger.flatMap(({ verdict, examples, agreeing }) =>
      verdict === 'contradicted' ? examples.map(({ exchange }) => exchange) : agreeing
    )
  )
  const shown = exchanges.filter(({ number }) => cited.has(number))
  return shown.length === 0 ? [] : ['<h2>Exchanges</h2>', ...shown.map(exchangeAsHtml)]
}

function exchangeAsHtml({ number, sent, method, path, requestBody, status, body, reason }: Exchange): string {
  return unfolding(
    `Exchange ${number}: ${code(`${method} ${path}`)} ${status ?? 'no reply'}`,
    [
      // Inside, because browsers open the parents of what a link leads to.
      `<p class="quiet" id="${anchorOf(number)}">Sent at ${toTimestamp(sent)}.</p>`,
      bodyAsHtml('Request', requestBody),
      bodyAsHtml('Reply', body),
      reason === undefined ? '' : `<p>Not shown: ${html(reason)}.</p>`
    ],
    false
  )
}

function bodyAsHtml(title: string, body: unknown): string {
  if (body === undefined) return ''
  // A text, such as a form, can hold secrets in any place.
  const isText = typeof body === 'string'
  const text = isText ? `A text of ${body.length} characters.` : JSON.stringify(mask(body), null, 2)
  return `<h3>${title}</h3><pre>${html(cut(text, LONGEST))}</pre>`
}

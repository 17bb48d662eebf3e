import { escapeXml as html } from '../../lib/escape-xml.js'
import { toTimestamp } from '../../lib/time.js'
import { isoLength } from '../../lib/time.js'
import type { LedgerEntry } from '../ledger.js'
import {
  countsInWords,
  countsOf,
  differenceOf,
  furtherOf,
  placeOf,
  type Reported,
  subjectOf,
  VERDICTS
} from './words.js'

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --bad: #c0392b; --good: #1e8449; --quiet: #666 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a7a; --good: #6fcf97; --quiet: #aaa } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }
code { font-size: .9em; overflow-wrap: anywhere }
.contradicted { color: var(--bad); font-weight: 600 } .confirmed { color: var(--good) } .unseen { color: var(--quiet) }
summary { cursor: pointer; padding: .3rem 0 } .quiet { color: var(--quiet) }`

/** A comparison as one page, which needs nothing else. */
export function reportAsHtml(reported: Reported): string {
  const { conformance, allowed, exchanges } = reported
  const { profile, ledger, operations, durations } = conformance
  const numbers = countsOf(conformance)
  const of = (verdict: LedgerEntry['verdict']) => ledger.filter((entry) => entry.verdict === verdict)
  const [first, last] = [exchanges[0], exchanges.at(-1)]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc-mock conform</title>
<style>${STYLE}</style>
<h1>svc-mock conform: ${numbers.contradicted} of ${ledger.length} assumptions contradicted</h1>
<p>${VERDICTS.map((verdict) => `<b class="${verdict}">${numbers[verdict]}</b> ${verdict}`).join(' · ')}</p>
<p class="quiet">Profile ${html(profile)}: ${countsInWords(conformance)}.${
    first === undefined ? '' : ` From ${toTimestamp(first.sent)} to ${toTimestamp(last!.answered)}.`
  }</p>
<h2>Contradicted</h2>
${of('contradicted')
  .map((entry) => contradiction(entry, reported, allowed.has(entry.id)))
  .join('\n')}
<h2>Operations</h2>
<table><thead><tr><th>Operation</th><th>Exchanges</th><th>Differences</th></tr></thead><tbody>
${operations
  .map(
    ({ operation, exchanges: count, differences }) =>
      `<tr><td><code>${html(operation)}</code></td><td>${count}</td>` +
      `<td${differences > 0 ? ' class="contradicted"' : ''}>${differences}</td></tr>`
  )
  .join('\n')}
</tbody></table>
${listOf('The mock does not have', furtherOf(conformance))}
${listOf('The mock could not take over', conformance.refused)}
<h2>Durations</h2>
<table><thead><tr><th>Transition</th><th>At least</th><th>At most</th><th>Exchange</th></tr></thead><tbody>
${durations
  .map(
    ({ transition, min, max, exchange }) =>
      `<tr><td><code>${html(transition)}</code></td><td>${isoLength(Math.round(min))}</td>` +
      `<td>${isoLength(Math.round(max))}</td><td>${exchange}</td></tr>`
  )
  .join('\n')}
</tbody></table>
${(['confirmed', 'unseen'] as const)
  .map(
    (verdict) =>
      `<h2>${verdict === 'confirmed' ? 'Confirmed' : 'Unseen'}</h2>\n<table><tbody>\n` +
      `${of(verdict).map(row).join('\n')}\n</tbody></table>`
  )
  .join('\n')}
</html>
`
}

function contradiction(
  { id, says, change, examples, agreements, differences }: LedgerEntry,
  { exchanges }: Reported,
  isAllowed: boolean
) {
  const rows = examples.map(
    (fact) =>
      `<tr><td>${html(subjectOf(fact))}</td><td>${html(differenceOf(fact))}</td>` +
      `<td><code>${html(placeOf(fact, exchanges))}</code></td></tr>`
  )
  return `<details open>
<summary><span class="contradicted">${id}</span> ${html(says)}${isAllowed ? ' (allowed)' : ''}</summary>
<p class="quiet">${differences} of ${agreements + differences} observations differ. Change it: ${html(change)}</p>
<table><tbody>${rows.join('')}</tbody></table>
</details>`
}

function listOf(title: string, parts: readonly string[]): string {
  const shown = parts.map((path) => `<code>${html(path)}</code>`)
  return shown.length === 0 ? '' : `<p>${title}: ${shown.join(', ')}</p>`
}

function row({ id, says, agreements, agreeing, verdict }: LedgerEntry): string {
  const cited = agreements === 0 ? '' : `${agreements}, such as in exchange ${agreeing.join(', ')}`
  return `<tr><td class="${verdict}">${id}</td><td>${html(says)}</td><td>${cited}</td></tr>`
}

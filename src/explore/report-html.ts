import { escapeXml } from '../lib/escape-xml.js'
import type { ShownRequest } from './detail.js'
import type { Difference } from './end-state.js'
import { type Found, recordingsOf, titleOf, type Trial } from './findings.js'
import { FINDING_KINDS } from './judge.js'
import { kindOf } from './plans.js'
import type { ExploreReport } from './result.js'
import { capital, count, differenceInWords, listed } from './words.js'

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --bad: #c0392b; --good: #1e8449; --quiet: #777 }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem;
  text-align: left; vertical-align: top }
code { font-size: .9em; overflow-wrap: anywhere }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .75rem 0; padding: .5rem 1rem }
summary { cursor: pointer } .kind { color: var(--bad); font-weight: 600 } .quiet { color: var(--quiet) }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)) }
.fault td { background: #c0392b22 } .new td { background: #f39c1222 } .good { color: var(--good) }
@media print { details { break-inside: avoid } }`

const html = escapeXml

/** What an exploration has found as one page, which needs nothing else. */
export function reportAsHtml(report: ExploreReport, findings: readonly Found[], trials: readonly Trial[]): string {
  const { plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known, leaves, questions } = report
  const counts = { plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc-mock explore</title>
<style>${STYLE}</style>
<h1>svc-mock explore: ${count(findings.length, 'finding')}</h1>
<p>${Object.entries(counts)
    .map(([name, number]) => `<b>${number}</b> ${name}`)
    .join(' · ')}</p>
${findings.map(finding).join('\n')}
<h2>When nothing goes wrong</h2>
<p>The client leaves ${html(leaves.length === 0 ? 'nothing' : listed(leaves))}.</p>
${asked(questions)}
<h2>All plans</h2>
<table><thead><tr><th>Plan</th><th>What went wrong</th><th>Result</th></tr></thead><tbody>
${[...trials]
  .sort((a, b) => a.plan.number - b.plan.number)
  .map(trialRow)
  .join('\n')}
</tbody></table>
</html>
`
}

function asked(questions: readonly string[]): string {
  if (questions.length === 0) return ''
  return `<p>Is it meant?</p><ul>${questions.map((text) => `<li>${html(capital(text))}.</li>`).join('')}</ul>`
}

function finding(found: Found): string {
  const { kind, summary, plan, faults, also, detail } = found
  const usual = new Set(detail.reference.map(({ point }) => point))
  return `<details>
<summary><span class="kind">${html(kind)}</span> ${html(summary)}</summary>
<p class="quiet">${html(FINDING_KINDS[kind])} Do it again:
<code>svc-mock explore --replay ${html(plan)} -- …</code>${
    also.length === 0 ? '' : ` Also with: ${html(also.join(', '))}.`
  }</p>
<p>A right client ${html(kindOf(faults.at(-1)!).expects)}.</p>
${recordings(found)}
<p>At the end, compared with a run in which nothing goes wrong: ${html(endOf(detail.difference))}</p>
<div class="sides">
<section><h3>This run</h3>${requests(detail.requests, usual)}</section>
${
  detail.recovery.length === 0
    ? ''
    : `<section><h3>The run after it</h3>${requests(detail.recovery, usual)}</section>\n`
}<section><h3>When nothing goes wrong</h3>${requests(detail.reference, usual)}</section>
</div>
<h3>State changes</h3>
<table><tbody>${detail.timeline
    .map(
      ({ at, resource, text }) =>
        `<tr><td>${html(at)}</td><td><code>${html(resource)}</code></td><td>${html(text)}</td></tr>`
    )
    .join('')}</tbody></table>
</details>`
}

function recordings(found: Found): string {
  const links = recordingsOf(found).map((file) => `<a href="${html(file)}">${html(file)}</a>`)
  if (links.length === 0) return ''
  return `<p>Every moment of it: <code>svc-mock show</code> ${links.join(' ')}</p>`
}

/** Milliseconds, or seconds if there are many. */
const momentOf = (at: number) => (at < 10_000 ? `${at} ms` : `${Math.round(at / 1000)} s`)

function endOf(difference: Difference): string {
  const text = differenceInWords(difference)
  return text === '' ? 'nothing differs.' : `${text}.`
}

/** @param usual the points of the reference */
function requests(rows: readonly ShownRequest[], usual: ReadonlySet<string>): string {
  const cells = rows.map(
    ({ id, point, title, method, path, status, has_fault: hasFault, has_changed: hasChanged, at }) => {
      const mark = hasFault ? ' class="fault"' : usual.has(point) ? '' : ' class="new"'
      return (
        `<tr${mark}><td>${momentOf(at)}</td><td>${html(title)}<br>` +
        `<code class="quiet">${html(method)} ${html(path)}</code>` +
        `<br><code class="quiet">${html(id)}</code></td>` +
        `<td>${status ?? 'no reply'}${hasFault ? ' (fault)' : ''}</td><td>${hasChanged ? 'changed' : ''}</td></tr>`
      )
    }
  )
  return `<table><tbody>${cells.join('')}</tbody></table>`
}

function trialRow({ plan, result, problems }: Trial): string {
  const [problem] = problems
  const text = problem === undefined ? result : `${problem.kind}: ${problem.summary}`
  const mark = problem === undefined ? (result === 'recovered' || result === 'reported' ? 'good' : 'quiet') : 'kind'
  return `<tr><td>${plan.number}</td><td>${html(titleOf(plan))}</td><td class="${mark}">${html(text)}</td></tr>`
}

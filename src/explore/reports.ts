import { toJUnit } from '../lib/junit.js'
import { findingsByKind, html, htmlTable, reportPage, toned, unfolding } from '../lib/report-page.js'
import type { ShownRequest } from './detail.js'
import type { Difference } from './end-state.js'
import { FINDING_KINDS } from './finding-kinds.js'
import { type Found, judgedTogether, recordingsOf, type Sighting, titleOf, type Trial } from './findings.js'
import { kindOf } from './plans.js'
import { callInWords } from './points.js'
import type { ExploreReport } from './result.js'
import { capital, count, differenceInWords, listed } from './words.js'

/** The report as one self-contained page. */
export function reportAsHtml(report: ExploreReport, findings: readonly Found[], trials: readonly Trial[]): string {
  const { leaves, questions, plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known } = report
  const counts = { plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known }
  return reportPage('svc-mock explore', count(findings.length, 'finding'), [
    `<p>${Object.entries(counts)
      .map(([name, number]) => `<b>${number}</b> ${name}`)
      .join(' · ')}</p>`,
    ...findingsByKind(
      findings,
      ({ kind }) => kind,
      (kind) => `<p class="quiet">${html(FINDING_KINDS[kind])}</p>`,
      finding
    ),
    '<h2>Without any fault</h2>',
    `<p>The client leaves ${html(leaves.length === 0 ? 'nothing' : listed(leaves))}.</p>`,
    questions.length === 0
      ? ''
      : `<p>Is this intended?</p><ul>${questions.map((text) => `<li>${html(capital(text))}.</li>`).join('')}</ul>`,
    '<h2>All plans</h2>',
    htmlTable(judgedTogether(trials).map(trialRow), ['Plan', 'What went wrong', 'Result'])
  ])
}

function finding(found: Found, isOpen: boolean): string {
  const { kind, summary, faults, elsewhere, detail } = found
  const usual = new Set(detail.reference.map(({ point }) => point))
  const side = (title: string, rows: readonly ShownRequest[]) =>
    `<section><h3>${title}</h3>${requests(rows, usual)}</section>`
  return unfolding(
    `${toned('bad', kind)} ${html(summary)}`,
    [
      `<p>A correct client ${html(kindOf(faults.at(-1)!).expects)}.</p>`,
      howToRepeat(found),
      ...elsewhere.map((other) => `<p>The same: ${html(other.summary)}</p>${howToRepeat(other)}`),
      `<p>At the end, compared with a run without any fault: ${html(endOf(detail.difference))}</p>`,
      '<div class="sides">',
      side('This run', detail.requests),
      detail.recovery.length === 0 ? '' : side('The run after it', detail.recovery),
      side('A run without any fault', detail.reference),
      '</div>'
    ],
    isOpen
  )
}

function howToRepeat(seen: Sighting): string {
  const { plan, also } = seen
  const links = recordingsOf(seen).map((name) => `<a href="${html(name)}.html">${html(name)}</a>`)
  return [
    `<p class="quiet">Repeat it, with the same options: <code>svc-mock explore --replay ${html(plan)}</code>`,
    also.length === 0 ? '' : ` Also with: ${html(also.join(', '))}.`,
    links.length === 0 ? '' : ` Look at each moment: ${links.join(' ')}`,
    '</p>'
  ].join('')
}

function endOf(difference: Difference): string {
  const text = differenceInWords(difference)
  return text === '' ? 'nothing differs.' : `${text}.`
}

/** @param usual the points of the reference */
function requests(rows: readonly ShownRequest[], usual: ReadonlySet<string>): string {
  return htmlTable(
    rows.map(({ id, point, title, method, path, status, has_fault: hasFault, has_changed: hasChanged, at }) => ({
      mark: hasFault ? 'fault' : usual.has(point) ? undefined : 'new',
      cells: [
        toned('whole', `${at} ms`),
        `${html(title)}<br><code class="quiet">${html(method)} ${html(path)}</code><br>` +
          `<code class="quiet">${html(id)}</code>`,
        toned('whole', `${status ?? 'none'}`) + (hasFault ? '<br>fault' : ''),
        hasChanged ? toned('whole', 'changed') : ''
      ]
    }))
  )
}

function trialRow({ plan, result, problem }: Trial) {
  const text = problem === undefined ? result : `${problem.kind}: ${problem.summary}`
  const tone = problem !== undefined ? 'bad' : result === 'recovered' || result === 'reported' ? 'good' : 'quiet'
  return { cells: [`${plan.number}`, html(titleOf(plan)), toned(tone, text)] }
}

/** JUnit XML: a case per finding, and one per plan without a finding, skipped if it could not be judged. */
export function reportAsJUnit(findings: readonly Found[], trials: readonly Trial[]): string {
  const failed = findings.map(({ kind, summary, elsewhere, ...first }) => ({
    of: kind,
    name: callInWords(first),
    failures: [{ type: kind, message: summary, text: [summary, ...elsewhere.map((one) => one.summary)].join('\n') }]
  }))
  const passed = judgedTogether(trials)
    .filter(({ result }) => result !== 'problem')
    .map(({ plan, result }) => ({
      of: plan.faults.at(-1)!.kind,
      name: `${plan.number} ${titleOf(plan)}`,
      skipped: ['undecided', 'missed', 'unrepeated'].includes(result) ? result : undefined
    }))
  return toJUnit('svc-mock explore', [
    { name: 'findings', cases: failed },
    { name: 'plans', cases: passed }
  ])
}

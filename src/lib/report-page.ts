import { escapeXml } from './escape-xml.js'
import { groupBy } from './group-by.js'

export const html = escapeXml

/** The colours of the console. */
const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#f6f7f6, #121614); --surface: light-dark(#ffffff, #1a1f1c);
  --line: light-dark(#d5d9d7, #323a36); --text: light-dark(#1b211e, #e4e9e6); --quiet: light-dark(#56605b, #a0aba5);
  --accent: light-dark(#1d6350, #7fc7ae); --danger: light-dark(#a3232b, #ff9a9d); --ok: light-dark(#12663a, #86d4a5);
  --fault: light-dark(#f4bfc4, #6d0c18); --new: light-dark(#fae4bf, #643e00) }
body { background: var(--page); color: var(--text); font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem auto;
  max-width: 76rem; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }
code, pre { font-size: .9em } pre { white-space: pre-wrap }
.whole, th { white-space: nowrap } a { color: var(--accent) } summary { cursor: pointer }
details { background: var(--surface); border: 1px solid var(--line); border-radius: 7px; margin: .75rem 0;
  padding: .5rem 1rem }
.bad { color: var(--danger); font-weight: 600 } .good { color: var(--ok) } .quiet { color: var(--quiet) }
.fault td { background: var(--fault) } .new td { background: var(--new) } tr[class] .quiet { color: inherit }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)) }
@media print { details { break-inside: avoid } }`

/** A report as one self-contained page, also for telephones. @param parts HTML */
export function reportPage(title: string, heading: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${STYLE}</style>
<main class="report">
<h1>${html(`${title}: ${heading}`)}</h1>
${parts.filter((part) => part !== '').join('\n')}
</main>
</html>
`
}

interface Row {
  /** HTML. */
  readonly cells: readonly string[]
  /** Its class. */
  readonly mark?: string | undefined
}

export function htmlTable(rows: readonly Row[], head: readonly string[] = []): string {
  const titles =
    head.length === 0 ? '' : `<thead><tr>${head.map((title) => `<th>${html(title)}</th>`).join('')}</tr></thead>`
  const lines = rows.map(({ cells, mark }) => {
    const marked = mark === undefined ? '' : ` class="${mark}"`
    return `<tr${marked}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<table>${titles}<tbody>\n${lines.join('\n')}\n</tbody></table>`
}

/** A part that the reader can open. @param summary HTML that shows while it is closed */
export function unfolding(summary: string, parts: readonly string[], isOpen: boolean): string {
  const body = parts.filter((part) => part !== '').join('\n')
  return `<details${isOpen ? ' open' : ''}>\n<summary>${summary}</summary>\n${body}\n</details>`
}

/** Findings below headings. @param findings the worst first @param show makes the HTML of one */
export function findingsByKind<T, K extends string>(
  findings: readonly T[],
  kindOf: (finding: T) => K,
  about: (kind: K) => string,
  show: (finding: T, isFirst: boolean) => string
): string[] {
  return [
    findings.length === 0 ? '' : '<p>Fix the first finding first: others may disappear with it.</p>',
    ...[...groupBy(findings, kindOf)].flatMap(([kind, all]) => [
      `<h2>${html(kind)}</h2>`,
      about(kind),
      ...all.map((finding) => show(finding, finding === findings[0]))
    ])
  ]
}

/** A text with a class: bad, good, quiet, or whole (without line breaks). */
export const toned = (tone: string, text: string): string => `<span class="${tone}">${html(text)}</span>`

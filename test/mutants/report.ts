import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { read, replaceDocument } from '../doc-parts.js'
import { type Survivor, SURVIVORS } from './survivors.js'

// What became of the mutants: checks Stryker's reports, and writes docs/results/mutants.md. Files without a report keep
// their rows there, so that groups can be run one at a time. A sample has a section of its own there.

/** What of a report in the form of mutation-testing-report-schema counts here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly status: 'Killed' | 'Timeout' | 'RuntimeError' | 'Survived' | 'NoCoverage' | 'Ignored'
  readonly replacement: string
  readonly location: { readonly start: { readonly line: number } }
}

interface Survived {
  readonly file: string
  readonly number: number
  readonly line: string
  readonly replacement: string
}

const isSample = process.env['SAMPLE'] !== undefined
const REPORTS = new URL(`../../.stryker-tmp/${isSample ? 'sample/' : ''}`, import.meta.url)
const reports = readdirSync(REPORTS)
  .filter((name) => name.endsWith('.json'))
  .map(
    (name) =>
      [name.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(name, REPORTS), 'utf8')) as Report] as const
  )
const triedIn = (report: Report) =>
  Object.entries(report.files)
    .map(
      ([name, file]) => [name, { ...file, mutants: file.mutants.filter(({ status }) => status !== 'Ignored') }] as const
    )
    .filter(([, { mutants }]) => mutants.length > 0)
const files = reports.flatMap(([, report]) => triedIn(report)).sort(([a], [b]) => (a < b ? -1 : 1))

const isNoticed = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout' || status === 'RuntimeError'
const mutants = files.flatMap(([, file]) => file.mutants)
const noticed = mutants.filter(isNoticed)
const survived = files.flatMap(([file, { source, mutants }]) =>
  mutants
    .filter((mutant) => !isNoticed(mutant))
    .map(({ replacement, location }): Survived => {
      const number = location.start.line
      return {
        file,
        number,
        line: source.split('\n')[number - 1]!.trim(),
        replacement: replacement.trim().replaceAll(/\s+/g, ' ')
      }
    })
)

const is = (known: Survivor, { file, line, replacement }: Survived) =>
  known.file === file && line.includes(known.line) && known.replacement === replacement
const reasonOf = (one: Survived) => SURVIVORS.find((known) => is(known, one))?.reason

const percent = (some: number, all: number) => `${(Math.floor((1000 * some) / all) / 10).toFixed(1)} %`
for (const [file, { mutants }] of isSample ? files : [])
  t.comment(`${file}: ${percent(mutants.filter(isNoticed).length, mutants.length)} of ${mutants.length}`)

void t.test('at least nine of ten mutants are noticed', async (t) => {
  t.ok(mutants.length > 0)
  t.ok(noticed.length >= 0.9 * mutants.length, `${noticed.length} of ${mutants.length}`)
})

// A sample is an estimate: nobody need have looked at its survivors.
void t.test('each survivor has a reason', async (t) => {
  for (const one of isSample ? [] : survived)
    t.ok(reasonOf(one), `${one.file}:${one.number}: ${one.line} -> ${one.replacement}`)
})

void t.test('each reason has a survivor', async (t) => {
  const ran = new Set(files.map(([file]) => file))
  for (const known of isSample ? [] : SURVIVORS)
    if (ran.has(known.file))
      t.ok(
        survived.some((one) => is(known, one)),
        `${known.file}: ${known.line} -> ${known.replacement}`
      )
})

const RESULTS = 'docs/results/mutants.md'

type Row = readonly string[]
const table = (rows: readonly Row[]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const code = (text: string) => `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``

/** The rows of a table in the results that are about other files, with the name of the file in each. */
function keptRows(text: string, folder: string): (readonly [file: string, row: Row])[] {
  const ran = new Set(files.map(([file]) => file))
  return Array.from(text.matchAll(/^\| `([^`]+\.ts)` \| (.*) \|$/gm), ([, file, cells]) => {
    return [`${folder}${file!}`, [code(file!), ...cells!.split(/ (?<!\\)\| /)]] as const
  }).filter(([file]) => !ran.has(file) && existsSync(new URL(`../../${file}`, import.meta.url)))
}

const byFile = ([a]: readonly [string, Row], [b]: readonly [string, Row]) => (a < b ? -1 : Number(a > b))

/** Both parts of the results: of whole files, and of samples of groups. */
const [wholes = '', samples = ''] = existsSync(new URL(`../../${RESULTS}`, import.meta.url))
  ? read(RESULTS).split(/^## Samples$/m)
  : []
const survivorRow = (one: Survived): Row => [
  code(one.file.replace('src/', '')),
  code(one.line),
  code(one.replacement),
  reasonOf(one) ?? ''
]
const SURVIVOR_HEAD: readonly Row[] = [
  ['where', 'in the line', 'becomes', 'why it may live'],
  ['---', '---', '---', '---']
]
const tried = `${new Date().toISOString().slice(0, 10)}, with Node ${process.version}`

function wholesOfNow(): string {
  const [counts = '', survivors = ''] = wholes.split('Those that no test notices:')
  const counted = [
    ...keptRows(counts, ''),
    ...files.map(([file, { mutants }]) => {
      const dead = mutants.filter(isNoticed).length
      return [file, [code(file), String(mutants.length), String(dead), percent(dead, mutants.length)]] as const
    })
  ].sort(byFile)
  const left = [...keptRows(survivors, 'src/'), ...survived.map((one) => [one.file, survivorRow(one)] as const)].sort(
    byFile
  )
  const sum = (column: number) => counted.reduce((total, [, row]) => total + Number(row[column]), 0)
  return [
    table([
      ['file', 'mutants', 'noticed', ''],
      ['---', '--:', '--:', '--:'],
      ...counted.map(([, row]) => row),
      ['together', String(sum(1)), String(sum(2)), percent(sum(2), sum(1))]
    ]),
    '',
    'Those that no test notices:',
    '',
    table([...SURVIVOR_HEAD, ...left.map(([, row]) => row)]),
    '',
    `The last ones were tried on ${tried}.`
  ].join('\n')
}

function samplesOfNow(): string {
  const rows = reports.map(([group, report]): Row => {
    const all = triedIn(report).flatMap(([, { mutants }]) => mutants)
    const dead = all.filter(isNoticed).length
    return [code(group), String(all.length), String(dead), percent(dead, all.length)]
  })
  return [
    'A sample of the mutants of these groups of `test/mutants/groups.js`, without those in code that runs once, when',
    'it is loaded:',
    '',
    table([['group', 'mutants', 'noticed', ''], ['---', '--:', '--:', '--:'], ...rows]),
    '',
    'Those that no test notices, with a reason if somebody has looked:',
    '',
    table([...SURVIVOR_HEAD, ...survived.map(survivorRow)]),
    '',
    `They were tried on ${tried}.`
  ].join('\n')
}

/** A part of the results without what {@link replaceDocument} puts above it. */
const body = (part: string) => part.slice(Math.max(0, part.indexOf('| file |'))).trim()
const parts = isSample ? [body(wholes), samplesOfNow()] : [wholesOfNow(), samples.trim()]
replaceDocument(RESULTS, 'Mutation testing', parts.filter((part) => part !== '').join('\n\n## Samples\n\n'))

import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { replaceDocument } from '../doc-parts.js'
import { type Survivor, SURVIVORS } from './survivors.js'

// What became of the mutants: checks Stryker's reports, and writes docs/results/mutants.md.

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
  .map((name) => JSON.parse(readFileSync(new URL(name, REPORTS), 'utf8')) as Report)
const files = reports
  .flatMap((report) => Object.entries(report.files))
  .map(
    ([name, file]) => [name, { ...file, mutants: file.mutants.filter(({ status }) => status !== 'Ignored') }] as const
  )
  .filter(([, { mutants }]) => mutants.length > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1))

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

void t.test('each survivor has a reason', async (t) => {
  for (const one of survived) t.ok(reasonOf(one), `${one.file}:${one.number}: ${one.line} -> ${one.replacement}`)
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

const table = (rows: readonly (readonly string[])[]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const code = (text: string) => `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``
const counted = files.map(([file, { mutants }]) => {
  const dead = mutants.filter(isNoticed).length
  return [code(file), String(mutants.length), String(dead), percent(dead, mutants.length)]
})

if (!isSample)
  replaceDocument(
    'docs/results/mutants.md',
    'Mutation testing',
    [
      table([
        ['file', 'mutants', 'noticed', ''],
        ['---', '--:', '--:', '--:'],
        ...counted,
        ['together', String(mutants.length), String(noticed.length), percent(noticed.length, mutants.length)]
      ]),
      '',
      'Those that no test notices:',
      '',
      table([
        ['where', 'in the line', 'becomes', 'why it may live'],
        ['---', '---', '---', '---'],
        ...survived.map((one) => [
          code(one.file.replace('src/', '')),
          code(one.line),
          code(one.replacement),
          reasonOf(one) ?? ''
        ])
      ]),
      '',
      `${new Date().toISOString().slice(0, 10)}, Node ${process.version}.`
    ].join('\n')
  )

// Writes measurements to bench/results/NAME.json and NAME.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** Prints and writes measurements. Rows are objects whose fields are the columns. */
export function publish(name, { how, tables, measured }) {
  const machine =
    `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ` +
    `${process.version}`
  const date = new Date().toISOString().slice(0, 10)
  const text = [`${how} ${machine}, ${date}.`, ...tables.map(tableOf)].join('\n\n')
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  const path = (suffix) => new URL(`results/${name}.${suffix}`, import.meta.url)
  writeFileSync(path('json'), `${JSON.stringify({ date, machine, how, measured: measured ?? tables }, null, 2)}\n`)
  writeFileSync(path('md'), `${text}\n`)
  console.log(`${text}\n\nwritten to bench/results/${name}.json and ${name}.md`)
}

/** Rows as a table, whose columns are their fields. */
export function tableOf(rows) {
  const columns = Object.keys(rows[0])
  const line = (cells) => `| ${cells.join(' | ')} |`
  const align = columns.map((column) =>
    rows.every((row) => typeof row[column] === 'string' && !/^[\d.,]+( |$)/.test(row[column])) ? '---' : '---:'
  )
  return [line(columns), line(align), ...rows.map((row) => line(columns.map((column) => shown(row[column]))))].join(
    '\n'
  )
}

const shown = (value) =>
  typeof value === 'number'
    ? value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })
    : (value ?? '')

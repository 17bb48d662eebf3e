import type { TableFace } from '../test-control/control-call.js'
import { type Color, paint } from './print.js'

type Row = Readonly<Record<string, unknown>>

const GAP = '  '

/** If the last column has fewer characters, it is not wrapped, and the terminal wraps the whole line. */
const LEAST = 16

/** Ids in a cell, alone or in a list. */
const IDS = /(^|, )([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Columns with states of resources or of replies. */
const STATE_COLUMNS: readonly string[] = ['STATUS', 'FROM', 'TO']

const STATE_COLORS: readonly (readonly [RegExp, Color])[] = [
  [/^(Active|Succeeded|Refreshed|2\d\d)$/, 'green'],
  [/^(\w+ing|4\d\d)$/, 'yellow'],
  [/^(Failed|5\d\d)$/, 'red']
]

/** Formats the lists of a Result for a terminal. */
export function formatTables(result: unknown, tables: readonly TableFace[], width: number, hasColors = false): string {
  return tables
    .map((table) => {
      const rows = rowsOf(result, table.list)
      const text = rows.length === 0 ? `No ${table.what}.` : formatRows(rows, table.columns, width, hasColors)
      return [text, ...noteBelow(result as Row, table)].join('\n')
    })
    .join('\n\n')
}

function noteBelow(result: Row, { note }: TableFace): string[] {
  if (note === undefined || (note.if !== undefined && !(Number(result[note.if]) > 0))) return []
  return [note.text.replaceAll(/\{(\w+)\}/g, (_, field: string) => printable(String(result[field])))]
}

/** The items of a list, or of an object, whose keys become their names. */
function rowsOf(result: unknown, list: string | undefined): readonly Row[] {
  const value = list === undefined ? result : (result as Row)[list]
  return Array.isArray(value)
    ? (value as Row[])
    : Object.entries((value ?? {}) as Record<string, Row>).map(([name, item]) => ({ name, ...item }))
}

function formatRows(rows: readonly Row[], columns: TableFace['columns'], width: number, hasColors: boolean): string {
  const fields = Object.values(columns)
  const whole = [Object.keys(columns), ...rows.map((row) => fields.map((field) => cellOf(fieldOf(row, field))))]
  // The server accepts shortened ids.
  const lines =
    lengthOf(widthsOf(whole)) <= width ? whole : whole.map((line) => line.map((cell) => cell.replaceAll(IDS, '$1$2…')))
  const widths = widthsOf(lines)
  const indent = lengthOf([...widths.slice(0, -1), 0])
  const shown = (cell: string, column: number) =>
    hasColors && STATE_COLUMNS.includes(whole[0]![column]!) ? coloredState(cell) : cell
  return lines
    .flatMap((line) => {
      const [first = '', ...others] = wrap(line.at(-1)!, width - indent)
      const before = line
        .slice(0, -1)
        .map((cell, index) => shown(cell, index) + ' '.repeat(widths[index]! - cell.length))
      return [
        [...before, shown(first, line.length - 1)].join(GAP).trimEnd(),
        ...others.map((text) => ' '.repeat(indent) + text)
      ]
    })
    .join('\n')
}

function coloredState(cell: string): string {
  const color = STATE_COLORS.find(([pattern]) => pattern.test(cell))?.[1]
  return color === undefined ? cell : paint(cell, color)
}

const widthsOf = (lines: readonly (readonly string[])[]): number[] =>
  lines[0]!.map((_, index) => lines.reduce((most, line) => Math.max(most, line[index]!.length), 0))

const lengthOf = (widths: readonly number[]): number => widths.reduce((sum, own) => sum + own + GAP.length, -GAP.length)

/** The lines of a text, broken between words if possible. */
function wrap(text: string, room: number): string[] {
  if (room < LEAST || text.length <= room) return [text]
  const lines = text.match(new RegExp(`.{1,${room}}(?: |$)|.{1,${room}}`, 'gu')) ?? []
  return lines.map((line) => line.trimEnd())
}

const fieldOf = (row: Row, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A text as one line without control characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

/** Cuts a text at a length, and marks the cut by an ellipsis. */
export function cutAt(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`
}

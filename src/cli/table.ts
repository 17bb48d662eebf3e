import type { TableFace } from '../test-control/control-call.js'

/** An item of a list, as the server sends it. */
type Row = Readonly<Record<string, unknown>>

/** How many ids a cell names. */
const NAMED = 3

/** What cells show instead of the values that the server sends, by the names that the calls have for it. */
const CELLS: Readonly<Record<NonNullable<TableFace['show']>[string], (value: unknown, row: Row) => unknown>> = {
  /** A time of today without its date. */
  timeOfDay: (value) => {
    const isToday = typeof value === 'string' && value.startsWith(new Date().toISOString().slice(0, 10))
    return isToday ? value.slice(11, 19) : value
  },
  /** The path of a call of an operation without what all begin with. An unknown path may be wrong just there. */
  pathOfCall: (value, { operation }) => {
    const isCall = typeof value === 'string' && typeof operation === 'string'
    return isCall ? value.replace(/^.*?\/controller\/v4\/v2(?=\/)/, '') : value
  },
  /** The first ones of a list of ids, and how many more there are. */
  idsOf: (value) => {
    if (!Array.isArray(value)) return value
    const more = value.length - NAMED
    return `${value.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
}

const GAP = '  '

/** A flexible column keeps this many characters. */
const LEAST = 10

/** Formats the lists of a Result, each line at most as wide as the terminal. */
export function formatTables(result: unknown, tables: readonly TableFace[], width: number): string {
  return tables
    .map((table) => {
      const rows = rowsOf(result, table.list)
      const text = rows.length === 0 ? `No ${table.what}.` : formatRows(rows, table, width)
      return [text, ...noteBelow(result as Row, table)].join('\n')
    })
    .join('\n\n')
}

function noteBelow(result: Row, { note }: TableFace): string[] {
  if (note === undefined || (note.if !== undefined && !(Number(result[note.if]) > 0))) return []
  return [note.text.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(result[field]))]
}

/** The items of a list. Those of an object have its fields as their names. */
function rowsOf(result: unknown, list: string | undefined): readonly Row[] {
  const value = list === undefined ? result : (result as Row)[list]
  return Array.isArray(value)
    ? (value as Row[])
    : Object.entries((value ?? {}) as Record<string, Row>).map(([name, item]) => ({ name, ...item }))
}

/** How cells give way where the terminal is too narrow, one after the other, before the flexible column does. */
const SHORTER: readonly ((cell: string) => string)[] = [
  (cell) => cell.replaceAll(/([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '$1…'),
  (cell) => cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1 $2')
]

function formatRows(rows: readonly Row[], { columns, show = {}, flexible = '' }: TableFace, width: number): string {
  const titles = Object.keys(columns)
  const whole = rows.map((row) =>
    Object.values(columns).map((field) => {
      const value = fieldOf(row, field)
      return cellOf(show[field] === undefined ? value : CELLS[show[field]](value, row))
    })
  )
  let lines = [titles, ...whole]
  for (const shorten of SHORTER) if (excessOf(lines, width) > 0) lines = lines.map((line) => line.map(shorten))
  const widths = widthsOf(lines)
  const excess = excessOf(lines, width)
  const place = titles.indexOf(flexible)
  if (place >= 0 && excess > 0)
    widths[place] = Math.min(widths[place]!, Math.max(LEAST, flexible.length, widths[place]! - excess))
  return lines
    .map((line) => line.map((cell, index) => cutAt(cell, widths[index]!).padEnd(widths[index]!)).join(GAP))
    .map((line) => cutAt(line.trimEnd(), width))
    .join('\n')
}

const fieldOf = (row: Row, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  return lines[0]!.map((_, index) => lines.reduce((most, line) => Math.max(most, line[index]!.length), 0))
}

/** The number of characters that a table is too wide. */
function excessOf(lines: readonly (readonly string[])[], width: number): number {
  return widthsOf(lines).reduce((sum, own) => sum + own + GAP.length, -GAP.length) - width
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A text in one line that cannot control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

/** A text that is at most so long, with an ellipsis where it has been cut. */
export function cutAt(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`
}

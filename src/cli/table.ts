import type { TableFace } from '../test-control/control-call.js'

/** An item of a list, as the server sends it. */
type Row = Readonly<Record<string, unknown>>

const GAP = '  '

/** Formats the lists of a Result. A line may be wider than the terminal, which wraps it. */
export function formatTables(result: unknown, tables: readonly TableFace[]): string {
  return tables
    .map((table) => {
      const rows = rowsOf(result, table.list)
      const text = rows.length === 0 ? `No ${table.what}.` : formatRows(rows, table.columns)
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

function formatRows(rows: readonly Row[], columns: TableFace['columns']): string {
  const fields = Object.values(columns)
  const lines = [Object.keys(columns), ...rows.map((row) => fields.map((field) => cellOf(fieldOf(row, field))))]
  const widths = fields.map((_, index) => lines.reduce((most, line) => Math.max(most, line[index]!.length), 0))
  return lines
    .map((line) => line.map((cell, index) => cell.padEnd(widths[index]!)).join(GAP))
    .map((line) => line.trimEnd())
    .join('\n')
}

const fieldOf = (row: Row, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
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

import type { RawChange, Row } from '../../db/row-watcher.js'
import { SHOWN_APART } from '../../journal/journal.js'
import { isSecret, mask, MASKED } from '../../lib/secrets.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { ResourceTable } from '../../resources/field-table.js'
import { RESOURCE_TABLES } from '../../resources/tables.js'
import type { RequestRecord } from './schemas.js'

/** A row change with its stored values, except for states, which have the words of the interface. */
export type ShownChange = RequestRecord['changes'][number]

/** Columns that only identify the owner of a row. */
const KEYS = new Set(['sandbox', 'key'])

/** The fields of resources, by table. */
const FIELDS = new Map(RESOURCE_TABLES.map(({ name, fields }: ResourceTable) => [name, fields]))

/** Row changes, except in tables that a record shows separately. */
export function showChanges(plane: ControlPlane, changes: readonly RawChange[]): ShownChange[] {
  const { words } = plane.profile
  return changes
    .map((change) => plane.describeChange(change))
    .filter(({ table }) => !SHOWN_APART.includes(table))
    .flatMap((change) => {
      const { before, after } = change
      const isOther = (column: string) =>
        before === undefined || after === undefined || before[column] !== after[column]
      const fields = FIELDS.get(change.table)
      const wordOf = (column: string, value: unknown) => {
        const kind = fields?.[column]?.state
        return kind === undefined ? value : words[kind].toWire(value as string)
      }
      const shown = (row: Row | undefined) =>
        row === undefined
          ? null
          : Object.fromEntries(
              Object.entries(row)
                .filter(([column]) => !KEYS.has(column) && isOther(column))
                .map(([column, value]) => [column, isSecret(column) ? MASKED : mask(wordOf(column, value))])
            )
      const result = {
        table: change.table,
        change: change.change,
        id: idOf((after ?? before)!),
        before: shown(before),
        after: shown(after)
      }
      // An update may write the same values.
      return change.change === 'update' && Object.keys(result.after!).length === 0 ? [] : [result]
    })
}

/** A quota has a name, a rule a position, a fault a number, and a backup schedule the id of its workspace. */
function idOf({ id, workspace, name, position, number }: Row): string | null {
  const value = id ?? workspace ?? name ?? position ?? number
  return value === undefined || value === null ? null : `${value as string | number}`
}

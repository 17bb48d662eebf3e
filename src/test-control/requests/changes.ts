import type { ControlPlane } from '../../control-plane.js'
import type { RawChange, Row, RowChange } from '../../db/row-watcher.js'
import { SHOWN_APART } from '../../journal/journal.js'
import { isSecret, mask, MASKED } from '../../journal/mask.js'

/** A change of a row, as the control API shows it; values are as they are stored. */
export interface ShownChange {
  readonly table: string
  readonly change: RowChange['change']
  /** Id of the row; null if it has none. */
  readonly id: string | null
  /** Of an update, only what is other then. null: it came into being. */
  readonly before: Row | null
  /** Of an update, only what is other then. null: it was deleted. */
  readonly after: Row | null
}

/** What only says whose a row is. */
const KEYS = new Set(['sandbox', 'key'])

/** Row changes as the control API shows them, but for the tables that it shows apart. */
export function showChanges(plane: ControlPlane, changes: readonly RawChange[]): ShownChange[] {
  return changes
    .map((change) => plane.describeChange(change))
    .filter(({ table }) => !SHOWN_APART.includes(table))
    .flatMap((change) => {
      const { before, after } = change
      const isOther = (column: string) =>
        before === undefined || after === undefined || before[column] !== after[column]
      const shown = (row: Row | undefined) =>
        row === undefined
          ? null
          : Object.fromEntries(
              Object.entries(row)
                .filter(([column]) => !KEYS.has(column) && isOther(column))
                .map(([column, value]) => [column, isSecret(column) ? MASKED : maskText(value)])
            )
      const result = {
        table: change.table,
        change: change.change,
        id: idOf(after ?? before ?? {}),
        before: shown(before),
        after: shown(after)
      }
      // A statement that writes what is there already is no change.
      return change.change === 'update' && Object.keys(result.after ?? {}).length === 0 ? [] : [result]
    })
}

/** What a column holds, with the secrets masked that may be in a JSON text. */
function maskText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return mask(value)
  try {
    const parsed = JSON.parse(value) as unknown
    const masked = mask(parsed)
    return masked === parsed ? value : JSON.stringify(masked)
  } catch {
    return mask(value)
  }
}

/** Quotas have a name, rules a position, faults a number, and the backup schedule is the one of its workspace. */
function idOf({ id, workspace, name, position, number }: Row): string | null {
  const value = id ?? workspace ?? name ?? position ?? number
  return value === undefined || value === null ? null : `${value as string | number}`
}

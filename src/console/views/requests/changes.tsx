import type { RowChange } from '../../api/types'
import { isTime } from '../../model/time'
import { Resource } from '../../parts/resource'
import { Time } from '../../parts/time'

/** Lists the rows that a request or an event has changed. */
export function Changes({ changes }: { changes: readonly RowChange[] }) {
  return (
    <ul class="plain changes">
      {changes.map(({ table, change, id, before, after }, index) => (
        <li key={index}>
          <span class={`change change-${change}`}>{change}</span> <code>{table}</code>{' '}
          {id === null ? null : <Resource id={id} />}
          {change === 'update' ? (
            <ul class="plain updates">
              {Object.entries(after ?? {}).map(([name, value]) => (
                <li key={name}>
                  <code>{name}</code> <Value column={name} value={before?.[name]} /> →{' '}
                  <b>
                    <Value column={name} value={value} />
                  </b>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

function Value({ column, value }: { column: string; value: unknown }) {
  if (isTime(column, value)) return <Time at={value} />
  return <>{typeof value === 'string' ? value : JSON.stringify(value)}</>
}

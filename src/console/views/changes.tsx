import type { RowChange } from '../api/types'
import { isTime } from '../model/time'
import { Items } from '../parts/blocks'
import { Resource } from '../parts/resource'
import { Time } from '../parts/time'

/** Lists the database rows that a request or an event changed. */
export function Changes({ changes, empty }: { changes: readonly RowChange[]; empty?: string }) {
  return (
    <Items items={changes} {...(empty !== undefined && { empty })} class="changes">
      {({ table, change, id, before, after }) => (
        <>
          <span class={`tag change-${change}`}>{change}</span> <code>{table}</code>{' '}
          {id === null ? null : <Resource id={id} />}
          <Items items={change === 'update' ? Object.entries(after ?? {}) : []} class="updates">
            {([name, value]) => (
              <>
                <code>{name}</code> <FieldValue field={name} value={before?.[name]} /> →{' '}
                <b>
                  <FieldValue field={name} value={value} />
                </b>
              </>
            )}
          </Items>
        </>
      )}
    </Items>
  )
}

export function FieldValue({ field, value }: { field: string; value: unknown }) {
  if (isTime(field, value)) return <Time at={value} />
  return <>{typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</>
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useSize } from './use'

export interface ListProps<T> {
  readonly items: readonly T[]
  readonly rowHeight: number
  readonly keyOf: (item: T) => string
  readonly row: (item: T, index: number) => ComponentChildren
  readonly label: string
  readonly class?: string
  /** A row that stays visible above the others. */
  readonly head?: ComponentChildren
  /** Stays visible below the head. @param first index of the topmost visible row */
  readonly pinned?: ((first: number) => ComponentChildren) | undefined
  readonly role?: 'table' | 'list'
}

/** Rows rendered beyond the visible ones, so that fast scrolling shows no gaps. */
const OVERSCAN = 6

/** A list that renders only its visible rows. All rows have the same height; in a table, each has the role `row`. */
export function VirtualList<T>(props: ListProps<T>) {
  const { items, rowHeight, keyOf, row, label, class: name = '', head, pinned, role = 'table' } = props
  const [box, { height }] = useSize()
  const [top, setTop] = useState(0)
  const topmost = Math.floor(top / rowHeight)
  const first = Math.max(0, Math.min(topmost - OVERSCAN, items.length - 1))
  const count = Math.ceil(height / rowHeight) + 2 * OVERSCAN
  const shown = items.slice(first, first + count)
  const above = pinned?.(topmost)
  return (
    <div
      class={`virtual ${name}`}
      ref={box}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      role={role}
      aria-label={label}
      tabIndex={0}
      {...(role === 'table' ? { 'aria-rowcount': items.length + (head === undefined ? 0 : 1) } : {})}
    >
      {head}
      {above === undefined ? null : (
        <div class="pinned" aria-hidden="true">
          <div>{above}</div>
        </div>
      )}
      <div class="virtual-all" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        <div class="virtual-shown" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {shown.map((item, index) => (
            <div key={keyOf(item)} class="virtual-row" role="presentation" style={{ height: `${rowHeight}px` }}>
              {row(item, first + index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { useSize } from './use'

export interface ListProps<T> {
  readonly items: readonly T[]
  /** The height of its row in a list with this inner width. */
  readonly heightOf: (item: T, width: number) => number
  readonly keyOf: (item: T) => string
  readonly row: (item: T, index: number) => ComponentChildren
  readonly label: string
  readonly class?: string
  /** A row that stays visible above the others. */
  readonly head?: ComponentChildren
  /** Stays visible below the head. @param first index of the topmost visible row @param show scrolls to a row */
  readonly pinned?: ((first: number, show: (index: number) => void) => ComponentChildren) | undefined
  readonly role?: 'table' | 'list'
}

/** Rows rendered beyond the visible ones, so that fast scrolling shows no gaps. */
const OVERSCAN = 6

/** A list that renders only its visible rows. In a table, each row has the role `row`. */
export function VirtualList<T>(props: ListProps<T>) {
  const { items, heightOf, keyOf, row, label, class: name = '', head, pinned, role = 'table' } = props
  const [box, { width, height }] = useSize()
  const [top, setTop] = useState(0)
  /** Where each row begins, and where the last one ends. */
  const tops = useMemo(() => {
    let end = 0
    return [0, ...items.map((item) => (end += heightOf(item, width)))]
  }, [items, width])
  const topmost = Math.min(
    tops.findLastIndex((begin) => begin <= top),
    items.length - 1
  )
  const first = Math.max(0, topmost - OVERSCAN)
  const end = tops.findLastIndex((begin) => begin < top + height) + 1 + OVERSCAN
  const shown = items.slice(first, end)
  const above = pinned?.(topmost, (index) => box.current!.scrollTo(0, tops[index]!))
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
      <div class="virtual-all" role="presentation" style={{ height: `${tops.at(-1)}px` }}>
        <div class="virtual-shown" role="presentation" style={{ transform: `translateY(${tops[first]}px)` }}>
          {shown.map((item, index) => (
            <div
              key={keyOf(item)}
              class="virtual-row"
              role="presentation"
              style={{ height: `${tops[first + index + 1]! - tops[first + index]!}px` }}
            >
              {row(item, first + index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { linkTo, type Route } from '../model/route'
import { useApp } from './app-context'
import { Button } from './blocks'
import { type ListProps, VirtualList } from './virtual-list'

export interface Column<T> {
  readonly name: string
  /** Classes of its cells; its head has only the first. */
  readonly class: string
  /** Tooltip. */
  readonly title?: (item: T) => string
  readonly cell: (item: T) => ComponentChildren
}

type Heading = Pick<Column<never>, 'name' | 'class'>

interface Props<T> extends Omit<ListProps<T>, 'head' | 'role'> {
  readonly view: string
  /** Names the items, such as `Requests`. */
  readonly things: string
  readonly columns: readonly Heading[]
  readonly placeholder: string
  readonly search: readonly [text: string, change: (text: string) => void]
  readonly route: Pick<Route, 'part' | 'of'>
  /** Clears the view's own filters. */
  readonly onClear?: () => void
  /** In place of the list, if there is nothing to filter. */
  readonly empty: ComponentChildren
  readonly notes?: ComponentChildren
  readonly filters?: ComponentChildren
  readonly tools: ComponentChildren
  readonly panel: ComponentChildren
}

/** A list with its filters, and the panel of the open item beside it. */
export function ListView<T>({ view, things, route, search, empty, ...rest }: Props<T>) {
  const { columns, placeholder, onClear, notes, filters, tools, panel, ...list } = rest
  const { part, of } = route
  const [text, onText] = search
  const { model } = useApp()
  const clear = () => {
    onText('')
    onClear?.()
    location.hash = linkTo(view, part)
  }
  return (
    <div class="split">
      <section class="pane" aria-label={things}>
        {notes}
        <div class="bar">
          <input
            type="search"
            placeholder={placeholder}
            aria-label={`Filter the ${things.toLowerCase()}`}
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
          {filters}
          {of === undefined ? null : (
            <span class="only">
              Only {model.nameOf(of) ?? of}{' '}
              <a href={linkTo(view)} aria-label="Show all">
                ×
              </a>
            </span>
          )}
          {tools}
        </div>
        {empty ??
          (list.items.length > 0 ? (
            <VirtualList {...list} head={<Head columns={columns} />} />
          ) : (
            <div class="quiet empty">
              <p role="status">No {things.toLowerCase()} match the filter.</p>
              <p class="buttons">
                <Button text="Clear the filter" onClick={clear} />
              </p>
            </div>
          ))}
      </section>
      {panel}
    </div>
  )
}

function Head({ columns }: { columns: readonly Heading[] }) {
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {columns.map(({ name, class: names }) => (
        <span key={name} class={names.split(' ', 1)[0]} role="columnheader">
          {name}
        </span>
      ))}
    </div>
  )
}

export function Row<T>({
  columns,
  item,
  index,
  class: names,
  ...data
}: {
  readonly columns: readonly Column<T>[]
  readonly item: T
  readonly index: number
  readonly class: readonly (string | false)[]
}) {
  return (
    <div {...data} class={['row', ...names].filter(Boolean).join(' ')} role="row" aria-rowindex={index + 2}>
      {columns.map(({ name, class: of, title, cell }) => (
        <span key={name} class={of} role="cell" title={title?.(item)}>
          {cell(item)}
        </span>
      ))}
    </div>
  )
}

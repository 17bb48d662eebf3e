import { type ComponentChildren, type ComponentProps, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Card({ title, count, children }: { title: string; count?: number; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} <span class="quiet">{count}</span>
      </h2>
      {children}
    </section>
  )
}

/** Stands in for something that is being read, or could not be. */
export function Pending({ error }: { error: string | undefined }) {
  return <p class="quiet empty">{error ?? 'Reading…'}</p>
}

/** Performs an action, unless it is being performed. An element that is really disabled would lose the focus. */
async function once(element: Element, action: () => unknown): Promise<void> {
  if (element.ariaDisabled === 'true') return
  element.ariaDisabled = 'true'
  try {
    await action()
  } finally {
    element.ariaDisabled = null
  }
}

/** A form that makes a call instead of leaving the page. */
export function Form({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        void once(event.currentTarget, onSubmit)
      }}
    />
  )
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'label' | 'onClick'> {
  readonly text: string
  /** Its accessible name, if the text does not suffice. */
  readonly label?: string
  readonly onClick: () => unknown
}

/** A button that does not submit a form. */
export function Button({ text, label, onClick, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} aria-label={label} onClick={(event) => void once(event.currentTarget, onClick)}>
      {text}
    </button>
  )
}

/** A list of named facts; undefined ones are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: ComponentChildren, fact: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, fact], index) =>
        fact === undefined ? null : (
          <Fragment key={index}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        )
      )}
    </dl>
  )
}

interface List<T> {
  readonly items: readonly T[]
  /** Text in place of an empty list. */
  readonly empty?: string
  readonly label?: string
}

/** A list; items beyond the number `shown` are folded. */
export function Items<T>({
  items,
  empty,
  title,
  label = title,
  shown = Infinity,
  class: name = '',
  children
}: List<T> & {
  /** Its heading. */
  readonly title?: string
  readonly shown?: number
  readonly class?: string
  readonly children: (item: T) => ComponentChildren
}) {
  if (items.length === 0 && empty === undefined) return null
  const list = (some: readonly T[], of: string | undefined) => (
    <ul class={`plain ${name}`} aria-label={of}>
      {some.map((item, index) => (
        <li key={index}>{children(item)}</li>
      ))}
    </ul>
  )
  return (
    <>
      {title === undefined ? null : <h3>{title}</h3>}
      {items.length === 0 ? <p class="quiet">{empty}</p> : list(items.slice(0, shown), label)}
      {items.length <= shown ? null : (
        <details>
          <summary>{items.length - shown} more</summary>
          {list(items.slice(shown), label && `Further ${label.toLowerCase()}`)}
        </details>
      )}
    </>
  )
}

export function Table<T>({
  items,
  empty,
  label,
  columns,
  keyOf,
  cells
}: List<T> & {
  /** Classes of the columns, by their names. Readers do not see the name `Actions`. */
  readonly columns: Readonly<Record<string, string>>
  readonly keyOf: (item: T, index: number) => string
  readonly cells: (item: T, index: number) => readonly ComponentChildren[]
}) {
  if (items.length === 0) return <p class="quiet">{empty}</p>
  const classes = Object.values(columns)
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {Object.entries(columns).map(([name, kind]) => (
            <th key={name}>
              <span class={name === 'Actions' ? 'hidden' : kind}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={keyOf(item, index)} data-row={keyOf(item, index)}>
            {cells(item, index).map((cell, column) => (
              <td key={column} class={classes[column]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  )
}

/** A modal dialog, which Escape closes. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog ref={element} class="dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

/** A button that opens a menu of buttons. Escape and a choice close it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const open = () => {
    const { bottom, right } = opener.current!.getBoundingClientRect()
    const menu = list.current!
    menu.showPopover()
    const top = Math.min(bottom + 2, innerHeight - menu.offsetHeight)
    Object.assign(menu.style, { top: `${top}px`, right: `${innerWidth - right}px` })
  }
  return (
    <>
      <button ref={opener} type="button" aria-haspopup="true" aria-label={label} title={label} onClick={open}>
        ⋯
      </button>
      <div ref={list} popover="auto" class="menu" onClick={() => list.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}

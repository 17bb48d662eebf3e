import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeyDown } from './use-keys'

/** Shows the details of an item beside its list. Escape closes it. */
export function Panel(props: { label: string; title: string; closeTo: string; children: ComponentChildren }) {
  const { label, title, closeTo, children } = props
  const close = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => close.current?.focus(), [])
  // Keys then go on from the row that was open.
  const leave = () => document.querySelector<HTMLElement>('.row.chosen a')?.focus()
  useKeyDown(({ key }) => {
    // Escape closes an open menu first.
    if (key !== 'Escape' || document.querySelector(':popover-open') !== null) return false
    leave()
    location.hash = closeTo
    return true
  })
  return (
    <aside class="panel" aria-label={label}>
      <div class="panel-head">
        <h2>{title}</h2>
        <a ref={close} class="button" href={closeTo} onClick={leave}>
          Close
        </a>
      </div>
      {children}
    </aside>
  )
}

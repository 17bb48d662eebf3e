import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useKeyDown } from './use-keys'

/** Shows the details of an item beside its list. Escape closes it. */
export function Panel(props: { label: string; title: string; closeTo: string; children: ComponentChildren }) {
  const { label, title, closeTo, children } = props
  const close = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => close.current?.focus(), [])
  useKeyDown(({ key }) => {
    // Escape closes an open menu first.
    if (key !== 'Escape' || document.querySelector(':popover-open') !== null) return false
    location.hash = closeTo
    return true
  })
  return (
    <aside class="panel" aria-label={label}>
      <div class="panel-head">
        <h2>{title}</h2>
        <a ref={close} class="button" href={closeTo}>
          Close
        </a>
      </div>
      {children}
    </aside>
  )
}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Shows an entry of a list beside the list. Escape closes it. */
export function Panel(props: { label: string; title: string; closeTo: string; children: ComponentChildren }) {
  const { label, title, closeTo, children } = props
  const close = useRef<HTMLAnchorElement>(null)
  const focused = useRef<EventTarget | null>(null)
  useLayoutEffect(() => {
    close.current?.focus()
  }, [])
  useLayoutEffect(() => {
    // A pressed button disappears if the new state does not allow it; keep the focus in the panel.
    if (document.activeElement === document.body && (focused.current as Element | null)?.isConnected === false)
      close.current?.focus()
  })
  return (
    <aside
      class="panel"
      aria-label={label}
      onFocusIn={({ target }) => {
        focused.current = target
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') location.hash = closeTo
      }}
    >
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

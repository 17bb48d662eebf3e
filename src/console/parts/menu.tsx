import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

/** A button that opens further buttons, above everything that would cut them off. Escape and a choice close it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const open = () => {
    const { bottom, right } = opener.current!.getBoundingClientRect()
    Object.assign(list.current!.style, { top: `${bottom + 2}px`, right: `${innerWidth - right}px` })
    list.current!.showPopover()
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

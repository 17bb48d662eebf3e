import { useLayoutEffect, useState } from 'preact/hooks'

export const KEYS = [
  ['/', 'Go to the filter'],
  ['j', 'Go to the next row'],
  ['k', 'Go to the previous row'],
  ['Enter', 'Open the row'],
  ['Escape', 'Close the panel or dialog'],
  ['?', 'Show this list']
] as const

/** Elements with other uses for keys. */
const FIELDS = 'input:not([type=checkbox], [type=radio], [type=range]), select, textarea, dialog'

/** Listens to keys. @param use returns whether it used the key */
export function useKeyDown(use: (event: KeyboardEvent) => boolean): void {
  // Unlike `useEffect`, before painting: keys work as soon as buttons do.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, defaultPrevented, target } = event
      if (defaultPrevented || ctrlKey || metaKey || altKey || (target as Element).closest(FIELDS) !== null) return
      if (use(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

/** Acts on {@link KEYS}. @returns whether their list is open, and a function that closes it */
export function useKeys(): [isOpen: boolean, close: () => void] {
  const [isOpen, setOpen] = useState(false)
  useKeyDown(({ key }) => {
    if (key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus()
    else if (key === 'j') goToRow(1)
    else if (key === 'k') goToRow(-1)
    else if (key === '?') setOpen(true)
    else return false
    return true
  })
  return [isOpen, () => setOpen(false)]
}

/** Moves the focus to the link of the next or previous row, from the one with the focus, or the open one. */
function goToRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main .virtual-row a[href]:not(.button, .item)')]
  const find = (which: string) => document.querySelector<HTMLElement>(`main .virtual-row ${which}`)
  const at = links.indexOf((find('a:focus') ?? find('.chosen a'))!)
  const top = links[0]?.closest('.virtual')?.getBoundingClientRect().top ?? 0
  const inSight = links.findIndex((link) => link.getBoundingClientRect().top > top)
  links[at === -1 ? inSight : at + by]?.focus()
}

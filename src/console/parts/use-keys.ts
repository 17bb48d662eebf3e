import { useLayoutEffect, useState } from 'preact/hooks'

/** What keys do on every page, for those who ask. */
export const KEYS = [
  ['/', 'goes to the filter'],
  ['j', 'goes to the next row'],
  ['k', 'goes to the row before'],
  ['Enter', 'opens the row'],
  ['Escape', 'closes what is open'],
  ['?', 'shows this list']
] as const

/** Where keys have other uses. */
const FIELDS = 'input:not([type=checkbox], [type=radio], [type=range]), select, textarea, dialog'

/** Listens to keys. @param use returns whether it has a use for the key */
export function useKeyDown(use: (event: KeyboardEvent) => boolean): void {
  // Not after it is painted: keys work as soon as buttons do.
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

/** Follows the keys of {@link KEYS}. @returns whether their list is asked for, and what closes it */
export function useKeys(): [isAsked: boolean, close: () => void] {
  const [isAsked, setAsked] = useState(false)
  useKeyDown(({ key }) => {
    if (key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus()
    else if (key === 'j') goToRow(1)
    else if (key === 'k') goToRow(-1)
    else if (key === '?') setAsked(true)
    else return false
    return true
  })
  return [isAsked, () => setAsked(false)]
}

/** Moves the focus to the link of a row below or above, which scrolls to it. */
function goToRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main .virtual-row a[href]:not(.button)')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const inSight = links.findIndex((link) => link.getBoundingClientRect().top > 0)
  links[at === -1 ? inSight : at + by]?.focus()
}

import { linkTo } from '../model/route'
import { useApp } from './app-context'

/** Says that a list is about one resource only, and leads to the whole list. */
export function Only({ view, of }: { view: string; of: string }) {
  const { model } = useApp()
  return (
    <span class="only">
      Only {model.nameOf(of) ?? of}{' '}
      <a href={linkTo(view)} aria-label="Show all">
        ×
      </a>
    </span>
  )
}

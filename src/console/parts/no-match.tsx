import { Button } from './blocks'

/** Stands for a list from which a filter has left nothing. */
export function NoMatch({ items, onClear }: { items: string; onClear: () => void }) {
  return (
    <div class="quiet empty">
      <p role="status">No {items} match the filter.</p>
      <p class="buttons">
        <Button text="Clear the filter" onClick={onClear} />
      </p>
    </div>
  )
}

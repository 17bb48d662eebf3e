import { dateTime, zoneAt } from '../../model/time'
import { type Sight, SPANS, type TimeWindow, zoom } from '../../model/time-window'
import { Button } from '../../parts/blocks'

/** Factor of one step of the zoom. */
export const ZOOM = 2

interface Props {
  readonly sight: Sight
  readonly view: TimeWindow
  readonly onSight: (sight: Sight) => void
}

/** Buttons that choose what is in sight. */
export function Controls({ sight, view, onSight }: Props) {
  return (
    <>
      <div class="segments" role="group" aria-label="Time in sight">
        {SPANS.map(([name, span]) => (
          <Button key={name} text={name} aria-pressed={sight === span} onClick={() => onSight(span)} />
        ))}
        <Button
          text="Fit"
          aria-pressed={sight === 'fit'}
          title="All that has happened"
          onClick={() => onSight('fit')}
        />
      </div>
      <div class="segments" role="group" aria-label="Zoom">
        <Button text="−" label="Zoom out" onClick={() => onSight(zoom(view, ZOOM))} />
        <Button text="+" label="Zoom in" onClick={() => onSight(zoom(view, 1 / ZOOM))} />
        <Button text="Now" title="Follow the clock" onClick={() => onSight(view.end - view.begin)} />
      </div>
      <span class="quiet numbers">
        {dateTime(view.begin)} to {dateTime(view.end)} {zoneAt(view.end)}
      </span>
    </>
  )
}

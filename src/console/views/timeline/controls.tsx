import { dateTime, zoneAt } from '../../model/time'
import { type Sight, SPANS, type TimeWindow, zoom } from '../../model/time-window'

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
          <button key={name} type="button" aria-pressed={sight === span} onClick={() => onSight(span)}>
            {name}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={sight === 'fit'}
          title="All that has happened"
          onClick={() => onSight('fit')}
        >
          Fit
        </button>
      </div>
      <div class="segments" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" onClick={() => onSight(zoom(view, ZOOM))}>
          −
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => onSight(zoom(view, 1 / ZOOM))}>
          +
        </button>
        <button type="button" title="Follow the clock" onClick={() => onSight(view.end - view.begin)}>
          Now
        </button>
      </div>
      <span class="quiet numbers">
        {dateTime(view.begin)} to {dateTime(view.end)} {zoneAt(view.end)}
      </span>
    </>
  )
}

import type { Due } from '../../api/types'
import { dateTime, distance } from '../../model/time'
import { stateClass } from '../../parts/state'
import { endsTransition } from '../ending'
import { recordOf } from './bar'
import { BAR_HEIGHT, BAR_TOP, type Scale, TEXT_TOP } from './scale'

interface Props {
  readonly events: readonly Due[]
  readonly scale: Scale
  /** The present state, which goes on until its transition ends. */
  readonly state: string | undefined
}

/** Marks what is due. */
export function DueMarks({ events, scale: { view, now, width, x }, state }: Props) {
  const inSight = events.flatMap(({ event, due, request_id: request }) =>
    due !== null && Date.parse(due) <= view.end ? [{ event, due, request, at: Date.parse(due) }] : []
  )
  return (
    <>
      {inSight.map(({ event, due, request, at }, index) => (
        <g key={index}>
          {endsTransition(event) && state !== undefined ? (
            <rect
              class={`ahead ${stateClass(state)}`}
              x={x(now)}
              y={BAR_TOP}
              width={Math.max(0, x(at) - x(now))}
              height={BAR_HEIGHT}
              rx={3}
            />
          ) : null}
          <a class="item" href={recordOf(request)} tabindex={-1}>
            <title>{`${event}: ${dateTime(due)}, ${distance(at, now)}`}</title>
            <path class="due-mark" d={`M${x(at)} 8 l5 6 l-5 6 l-5 -6 z`} />
          </a>
          {index === inSight.length - 1 && width - x(at) > event.length * 6.5 + 12 ? (
            <text class="due-text" x={x(at) + 9} y={TEXT_TOP}>
              {event}
            </text>
          ) : null}
        </g>
      ))}
    </>
  )
}

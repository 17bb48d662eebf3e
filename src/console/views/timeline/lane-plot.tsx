import type { Due } from '../../api/types'
import { type Cluster, clustersOf } from '../../model/clusters'
import { describe, type Item, type Lane } from '../../model/lanes'
import { linkTo } from '../../model/route'
import { dateTime, distance } from '../../model/time'
import { ticksOf, type TimeWindow } from '../../model/time-window'
import { stateClass } from '../../parts/state'
import { endsTransition } from '../ending'

/** Height of a lane in pixels. */
export const LANE_HEIGHT = 30

/** How times become pixels. */
export interface Scale {
  readonly view: TimeWindow
  readonly now: number
  /** Width of a lane in pixels. */
  readonly width: number
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  readonly x: (time: number) => number
}

/** Where the record of a request is, beside the timeline. */
export const recordOf = (request: string) => linkTo('timeline', request)

export function scaleOf(view: TimeWindow, now: number, width: number): Scale {
  const { begin, end } = view
  return {
    view,
    now,
    width,
    ticks: ticksOf(view, Math.max(2, width / 90)),
    x: (time) => ((time - begin) / (end - begin)) * width
  }
}

/** Where in a lane the bars and their texts are, in pixels. */
const BAR = { y: 4, height: 20 }
const TEXT_TOP = 18

/** Pixels within which items are drawn as one. */
const STATE_GAP = 3
const POINT_GAP = 6

interface Props {
  readonly lane: Lane
  readonly scale: Scale
  /** RequestID whose record is open. */
  readonly chosen: string | undefined
  readonly onSeveral: (items: readonly Item[]) => void
}

/** Draws the items of a lane, and what is due on it. */
export function LanePlot({ lane, scale, chosen, onSeveral }: Props) {
  const { view, now, width, ticks, x } = scale
  const { kind, items } = lane
  const areStates = kind === 'states'
  const gap = ((areStates ? STATE_GAP : POINT_GAP) / width) * (view.end - view.begin)
  return (
    <svg class="plot" width={width} height={LANE_HEIGHT - 2} role="group" aria-label={labelOf(lane, now)}>
      {ticks.map(({ at }) => (
        <line key={at} class="tick" x1={x(at)} x2={x(at)} y1={0} y2={LANE_HEIGHT} />
      ))}
      {clustersOf(items, view, now, gap, areStates).map((cluster, index) => {
        const { outcome } = cluster.shown
        const isChosen = chosen !== undefined && cluster.items.some(({ request }) => request === chosen)
        const looks = kind === 'requests' ? `status-${outcome}` : stateClass(outcome)
        const name = `item ${looks} ${isChosen ? 'chosen' : ''}`
        return <Bar key={index} cluster={cluster} scale={scale} name={name} onSeveral={onSeveral} />
      })}
      <DueMarks events={lane.due} scale={scale} state={items.at(-1)?.outcome} />
      <line class="now-line" x1={x(now)} x2={x(now)} y1={0} y2={LANE_HEIGHT} />
    </svg>
  )
}

/** A lane in words. */
function labelOf({ name, summary, due }: Lane, now: number): string {
  const later = due.flatMap(({ event, due: at }) => (at === null ? [] : `${event} ${distance(Date.parse(at), now)}`))
  return `${name}: ${[summary, ...later].join(', ')}`
}

/**
 * Draws one item, which leads to its record, or several, which lead to a list. By keyboard, the same records open from
 * the panel of a workspace and from the list of requests, so there are no hundreds of stops here.
 */
function Bar(props: { cluster: Cluster; scale: Scale; name: string; onSeveral: Props['onSeveral'] }) {
  const { cluster, scale, name, onSeveral } = props
  const { from, to, items, shown } = cluster
  const { now, width: plot, x } = scale
  const isOne = items.length === 1
  const left = Math.max(x(from), -4)
  const width = Math.max(Math.min(x(to), plot + 4) - left, from === to ? 5 : 2)
  const text = isOne ? shown.name : `${items.length}`
  const shape = (
    <>
      <title>{isOne ? describe(shown, now) : `${items.length} at once, such as ${describe(shown, now)}`}</title>
      <rect class="span" x={left} {...BAR} width={width} rx={Math.min(3, width / 2)} />
      {width > text.length * 7 + 10 ? (
        <text class="span-text" x={Math.max(left, 0) + 6} y={TEXT_TOP}>
          {text}
        </text>
      ) : null}
    </>
  )
  if (!isOne)
    return (
      <g class={`${name} several`} role="button" tabindex={-1} onClick={() => onSeveral(items)}>
        {shape}
      </g>
    )
  if (shown.request === undefined) return <g class={name}>{shape}</g>
  return (
    <a class={name} href={recordOf(shown.request)} tabindex={-1}>
      {shape}
    </a>
  )
}

/** Marks what is due. @param state the present one, which goes on until its transition ends */
function DueMarks({ events, scale, state }: { events: readonly Due[]; scale: Scale; state: string | undefined }) {
  const { view, now, width, x } = scale
  const inSight = events.flatMap(({ event, due, request_id: request }) =>
    due !== null && Date.parse(due) <= view.end ? [{ event, due, request, at: Date.parse(due) }] : []
  )
  return (
    <>
      {inSight.map(({ event, due, request, at }, index) => (
        <g key={index}>
          {endsTransition(event) && state !== undefined ? (
            <rect class={`ahead ${stateClass(state)}`} x={x(now)} {...BAR} width={Math.max(0, x(at) - x(now))} rx={3} />
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

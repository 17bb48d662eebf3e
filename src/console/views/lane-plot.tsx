import type { Due } from '../api/types'
import { describe, type Item, type Lane } from '../model/lanes'
import { linkTo } from '../model/route'
import { dateTime, distance } from '../model/time'
import { ticksOf, type TimeWindow } from '../model/time-window'
import { endsTransition } from './ending'

export const LANE_HEIGHT = 30

export type Scale = ReturnType<typeof scaleOf>

/** Maps times to pixels. The width is that of a lane. */
export function scaleOf(view: TimeWindow, now: number, width: number) {
  const { begin, end } = view
  return {
    view,
    now,
    width,
    ticks: ticksOf(view, Math.max(2, width / 90)),
    x: (time: number) => ((time - begin) / (end - begin)) * width
  }
}

/** Position of bars and their texts in a lane, in pixels. */
const BAR = { y: 4, height: 20 }
const TEXT_TOP = 18

/** Outcomes that are drawn above others. */
const BAD: ReadonlySet<string> = new Set(['status-4xx', 'status-5xx', 'status-lost', 'state-Failed'])

/** Draws the items and scheduled events of a lane. @param chosen RequestID of the open record */
export function LanePlot({ lane, scale, chosen }: { lane: Lane; scale: Scale; chosen: string | undefined }) {
  const { now, width, ticks, x } = scale
  const { name, summary, items, due } = lane
  return (
    <svg class="plot" width={width} height={LANE_HEIGHT - 2} role="group" aria-label={`${name}: ${summary}`}>
      {ticks.map(({ at }) => (
        <line key={at} class="tick" x1={x(at)} x2={x(at)} y1={0} y2={LANE_HEIGHT} />
      ))}
      {drawnOf(items, scale).map((item, index) => (
        <Bar key={index} item={item} scale={scale} isChosen={chosen !== undefined && item.request === chosen} />
      ))}
      <DueMarks events={due} scale={scale} state={items.at(-1)?.outcome} />
      <line class="now-line" x1={x(now)} x2={x(now)} y1={0} y2={LANE_HEIGHT} />
    </svg>
  )
}

/** The items in sight without those that would look the same, the bad ones last and so on top. */
function drawnOf(items: readonly Item[], { view: { begin, end }, now, x }: Scale): Item[] {
  const inSight = items.filter(({ from, to = now }) => to >= begin && from <= end)
  const looksOf = ({ from, to = now, outcome }: Item) => `${Math.round(x(from))} ${Math.round(x(to))} ${outcome}`
  const drawn = [...new Map(inSight.map((item) => [looksOf(item), item])).values()]
  return drawn.sort((a, b) => Number(BAD.has(a.outcome)) - Number(BAD.has(b.outcome)))
}

/**
 * Draws one item, which links to its record. It is no tab stop, as there may be hundreds; the list of requests has the
 * same links.
 */
function Bar({ item, scale, isChosen }: { item: Item; scale: Scale; isChosen: boolean }) {
  const { from, to, outcome, request } = item
  const { now, width: plot, x } = scale
  const left = Math.max(x(from), -4)
  const width = Math.max(Math.min(x(to ?? now), plot + 4) - left, from === to ? 5 : 2)
  const name = `item ${outcome} ${isChosen ? 'chosen' : ''}`
  const shape = (
    <>
      <title>{describe(item, now)}</title>
      <rect class="span" x={left} {...BAR} width={width} rx={Math.min(3, width / 2)} />
      {width > item.name.length * 7 + 10 ? (
        <text class="span-text" x={Math.max(left, 0) + 6} y={TEXT_TOP}>
          {item.name}
        </text>
      ) : null}
    </>
  )
  if (request === undefined) return <g class={name}>{shape}</g>
  return (
    <a class={name} href={linkTo('timeline', request)} tabindex={-1}>
      {shape}
    </a>
  )
}

/** Marks scheduled events. @param state the class of the present one, which lasts until its transition ends */
function DueMarks({ events, scale, state }: { events: readonly Due[]; scale: Scale; state: string | undefined }) {
  const { view, now, x } = scale
  return (
    <>
      {events.map(({ event, due, request_id: request }, index) => {
        const at = due === null ? Infinity : Date.parse(due)
        if (due === null || at > view.end) return null
        return (
          <g key={index}>
            {endsTransition(event) && state !== undefined ? (
              <rect class={`ahead ${state}`} x={x(now)} {...BAR} width={Math.max(0, x(at) - x(now))} rx={3} />
            ) : null}
            <a class="item" href={linkTo('timeline', request)} tabindex={-1}>
              <title>{`${event}: ${dateTime(due)}, ${distance(at, now)}`}</title>
              <path class="due-mark" d={`M${x(at)} 8 l5 6 l-5 6 l-5 -6 z`} />
            </a>
          </g>
        )
      })}
    </>
  )
}

import { useMemo, useState } from 'preact/hooks'
import { type Lane, lanesOf, spansOf, ticksOf } from '../model/lanes'
import { dateTime, distance, duration, toTimestamp } from '../model/time'
import { useApp } from '../parts/app-context'
import { stateClass } from '../parts/state'
import { useMedia, useTick, useWidth } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { endsTransition } from './ending'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Spans of time to choose from. */
const SPANS = [
  ['1 min', minute],
  ['10 min', 10 * minute],
  ['1 h', hour],
  ['6 h', 6 * hour],
  ['1 d', day],
  ['7 d', 7 * day],
  ['30 d', 30 * day],
  ['1 y', 365 * day]
] as const

/** Share of the span that lies in the future. */
const AHEAD = 0.3
const LANE_HEIGHT = 30

/** Number of newest changes that fit into the default span. */
const FITTED = 24

/** Draws a lane for each workspace: its states over the sandbox's time, and its scheduled events. */
export function TimelineView() {
  const { model } = useApp()
  const [chosen, setChosen] = useState<number>()
  const [isBusyOnly, setBusyOnly] = useState(false)
  const isNarrow = useMedia('(max-width: 760px)')
  const [box, width] = useWidth()
  useTick(500, model.clock?.mode === 'real')
  const workspaces = useMemo(() => model.groups().flatMap((group) => group.workspaces), [model.version])
  const all = useMemo(
    () => lanesOf(workspaces, model.timeline, model.events),
    [workspaces, model.timeline, model.events]
  )
  const lanes = useMemo(
    () => (isBusyOnly ? all.filter(({ items, due }) => items.length > 0 || due.length > 0) : all),
    [all, isBusyOnly]
  )
  const now = model.now()
  const span =
    chosen ??
    fitting(
      model.timeline.at(-Math.min(FITTED, model.timeline.length))?.at,
      model.events.find(({ due }) => due !== null)?.due ?? undefined,
      now
    )
  const begin = now - span * (1 - AHEAD)
  const end = now + span * AHEAD
  const nameWidth = isNarrow ? 104 : 190
  const plot = Math.max(100, width - nameWidth - 20)
  const x = (time: number) => ((time - begin) / (end - begin)) * plot
  const ticks = ticksOf(begin, end, Math.max(2, plot / 90))
  return (
    <section class="pane" aria-label="Timeline" ref={box}>
      <div class="bar">
        <div class="segments" role="group" aria-label="Time in sight">
          {SPANS.map(([name, size]) => (
            <button
              key={name}
              type="button"
              aria-pressed={chosen === size}
              onClick={() => {
                setChosen(size)
              }}
            >
              {name}
            </button>
          ))}
          <button
            type="button"
            aria-pressed={chosen === undefined}
            onClick={() => {
              setChosen(undefined)
            }}
          >
            Fit
          </button>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={isBusyOnly}
            onChange={({ currentTarget }) => {
              setBusyOnly(currentTarget.checked)
            }}
          />{' '}
          Only those with a history or a scheduled event
        </label>
      </div>
      {lanes.length === 0 ? (
        <p class="quiet empty">There are no workspaces.</p>
      ) : (
        <VirtualList
          items={lanes}
          rowHeight={LANE_HEIGHT}
          label="Lanes of the workspaces"
          role="list"
          class="lanes"
          keyOf={({ id }) => id}
          head={
            <div class="lane axis" aria-hidden="true">
              <span class="lane-name" style={{ width: `${nameWidth}px` }}>
                UTC
              </span>
              <svg width={plot} height={LANE_HEIGHT - 4}>
                {ticks.map(({ at, label }) => (
                  <text
                    key={at}
                    x={x(at)}
                    y={17}
                    text-anchor={x(at) < 24 ? 'start' : x(at) > plot - 24 ? 'end' : 'middle'}
                  >
                    {label}
                  </text>
                ))}
              </svg>
            </div>
          }
          row={(lane) => (
            <div class="lane" role="listitem">
              <a
                class="lane-name"
                style={{ width: `${nameWidth}px` }}
                href={`#/overview/${encodeURIComponent(lane.id)}`}
                title={lane.id}
              >
                {lane.name}
              </a>
              <LanePlot
                lane={lane}
                begin={begin}
                now={now}
                end={end}
                plot={plot}
                x={x}
                ticks={ticks.map(({ at }) => x(at))}
              />
            </div>
          )}
        />
      )}
    </section>
  )
}

/** The smallest span that shows the newest changes, and the next event if it is at most a day ahead. */
function fitting(first: string | undefined, next: string | undefined, now: number): number {
  const past = first === undefined ? 0 : (now - Date.parse(first)) / (1 - AHEAD)
  const ahead = next === undefined ? 0 : (Date.parse(next) - now) / AHEAD
  const wanted = Math.max(past, Math.min(ahead, day)) * 1.05
  return SPANS.find(([, size]) => size >= wanted)?.[1] ?? SPANS.at(-1)![1]
}

function LanePlot({
  lane,
  begin,
  now,
  end,
  plot,
  x,
  ticks
}: {
  lane: Lane
  begin: number
  now: number
  end: number
  plot: number
  x: (time: number) => number
  ticks: readonly number[]
}) {
  const spans = spansOf(lane, begin, now)
  const due = lane.due.filter((event) => event.due !== null && Date.parse(event.due) <= end)
  const last = spans.at(-1)
  const words = [
    lane.status ?? 'gone',
    ...due.map((event) => `${event.event} ${distance(Date.parse(event.due!), now)}`)
  ].join(', ')
  return (
    <svg class="plot" width={plot} height={LANE_HEIGHT - 2} role="img" aria-label={`${lane.name}: ${words}`}>
      {ticks.map((left) => (
        <line key={left} class="tick" x1={left} x2={left} y1={0} y2={LANE_HEIGHT} />
      ))}
      {spans.map((span) => {
        const left = x(span.from)
        const width = Math.max(2, x(span.to) - left)
        return (
          <g key={`${span.from} ${span.state}`} class={stateClass(span.state)}>
            <rect class="span" x={left} y={4} width={width} height={LANE_HEIGHT - 10} rx={3}>
              <title>{`${span.state}: ${dateTime(toTimestamp(span.from))}, ${duration(span.to - span.from)}`}</title>
            </rect>
            {width > span.state.length * 7 + 10 ? (
              <text class="span-text" x={left + 6} y={18}>
                {span.state}
              </text>
            ) : null}
          </g>
        )
      })}
      {due.map((event, index) => {
        const at = x(Date.parse(event.due!))
        const isEnd = endsTransition(event.event)
        return (
          <g key={index}>
            {isEnd && last !== undefined ? (
              <rect
                class={`ahead ${stateClass(last.state)}`}
                x={x(now)}
                y={4}
                width={Math.max(0, at - x(now))}
                height={LANE_HEIGHT - 10}
                rx={3}
              />
            ) : null}
            <path class="due-mark" d={`M${at} 8 l5 6 l-5 6 l-5 -6 z`}>
              <title>{`${event.event}: ${dateTime(event.due!)}, ${distance(Date.parse(event.due!), now)}`}</title>
            </path>
            {index === due.length - 1 && plot - at > event.event.length * 6.5 + 12 ? (
              <text class="due-text" x={at + 9} y={18}>
                {event.event}
              </text>
            ) : null}
          </g>
        )
      })}
      <line class="now-line" x1={x(now)} x2={x(now)} y1={0} y2={LANE_HEIGHT} />
    </svg>
  )
}

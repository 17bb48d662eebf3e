import { useMemo, useState } from 'preact/hooks'
import { requestLane, workspaceLanes } from '../model/lanes'
import { linkTo } from '../model/route'
import { dateTime, zoneAt } from '../model/time'
import { extentOf, pan, type Sight, type TimeWindow, windowOf, zoom } from '../model/time-window'
import { useApp } from '../parts/app-context'
import { Button } from '../parts/blocks'
import { useAllRequests, useSize, useTick } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { LANE_HEIGHT, LanePlot, type Scale, scaleOf } from './lane-plot'
import { RecordPanel } from './record'

export function TimelineView({ part }: { part: string | undefined }) {
  const { model } = useApp()
  const { timeline, requests, events, about } = model
  const [sight, setSight] = useState<Sight>('fit')
  const [box, pane] = useSize()
  useTick(500, model.clock?.mode === 'real')
  useAllRequests(true)
  const lanes = useMemo(() => {
    const workspaces = model.groups().flatMap((group) => group.workspaces)
    return [...requestLane(requests), ...workspaceLanes(workspaces, timeline, events, about!.states)]
  }, [model.version, requests, timeline, events])
  // The timeline is in order; the requests are not, if the clock was set back.
  const times = useMemo(
    () => [timeline.slice(0, 1), timeline.slice(-1), requests].flat().map(({ at }) => Date.parse(at)),
    [timeline, requests]
  )
  const now = model.now()
  const view = windowOf(sight, extentOf(times, now), now)
  const nameWidth = pane.width < 640 ? 104 : 190
  const scale = scaleOf(view, now, Math.max(100, pane.width - nameWidth - 20))
  return (
    <div class="split">
      <section class="pane" aria-label="Timeline" ref={box}>
        <div class="bar">
          <Controls sight={sight} view={view} onSight={setSight} />
        </div>
        {lanes.length === 0 ? (
          <p class="quiet empty">There are no workspaces.</p>
        ) : (
          <div class="time" onWheel={wheelOn(scale, setSight)}>
            <VirtualList
              items={lanes}
              heightOf={() => LANE_HEIGHT}
              label="Lanes of the sandbox and its workspaces"
              role="list"
              keyOf={({ id }) => id}
              head={<Axis scale={scale} nameWidth={nameWidth} />}
              row={(lane) => (
                <div class="lane" role="listitem">
                  <a class="lane-name" style={{ width: `${nameWidth}px` }} href={lane.href} title={lane.name}>
                    {lane.name}
                  </a>
                  <LanePlot lane={lane} scale={scale} chosen={part} />
                </div>
              )}
            />
          </div>
        )}
      </section>
      {part === undefined ? null : <RecordPanel key={part} id={part} closeTo={linkTo('timeline')} />}
    </div>
  )
}

/** Handles the wheel: sideways, it moves the window; with Ctrl, it zooms. */
function wheelOn({ view, width }: Scale, onSight: (sight: Sight) => void) {
  return (event: WheelEvent) => {
    const { ctrlKey, metaKey, deltaX, deltaY, clientX } = event
    if (ctrlKey || metaKey) {
      const { left } = (event.currentTarget as Element).querySelector('.axis svg')!.getBoundingClientRect()
      onSight(zoom(view, Math.exp(deltaY * 0.002), Math.min(Math.max((clientX - left) / width, 0), 1)))
    } else if (Math.abs(deltaX) > Math.abs(deltaY)) onSight(pan(view, deltaX / width))
    else return // It scrolls the lanes.
    event.preventDefault()
  }
}

function Controls(props: { sight: Sight; view: TimeWindow; onSight: (sight: Sight) => void }) {
  const { sight, view, onSight } = props
  return (
    <>
      <div class="segments" role="group" aria-label="Time in sight">
        <Button
          text="Fit"
          aria-pressed={sight === 'fit'}
          title="Show everything that has happened"
          onClick={() => onSight('fit')}
        />
        <Button
          text="Now"
          aria-pressed={typeof sight === 'number'}
          title="Follow the clock"
          onClick={() => onSight(view.end - view.begin)}
        />
        <Button text="−" label="Zoom out" onClick={() => onSight(zoom(view, 2))} />
        <Button text="+" label="Zoom in" onClick={() => onSight(zoom(view, 0.5))} />
        <Button text="◂" label="Earlier" onClick={() => onSight(pan(view, -0.25))} />
        <Button text="▸" label="Later" onClick={() => onSight(pan(view, 0.25))} />
      </div>
      <span class="quiet numbers">
        {dateTime(view.begin)} to {dateTime(view.end)} {zoneAt(view.end)}
      </span>
    </>
  )
}

function Axis({ scale: { view, width, ticks, x }, nameWidth }: { scale: Scale; nameWidth: number }) {
  return (
    <div class="lane axis" aria-hidden="true">
      <span class="lane-name" style={{ width: `${nameWidth}px` }}>
        {zoneAt(view.end)}
      </span>
      <svg width={width} height={LANE_HEIGHT - 4}>
        {ticks.map(({ at, label }) => (
          <text key={at} x={x(at)} y={17} text-anchor={x(at) > width - 60 ? 'end' : 'start'}>
            {label}
          </text>
        ))}
      </svg>
    </div>
  )
}

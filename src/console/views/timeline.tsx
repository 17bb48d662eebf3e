import { useMemo, useState } from 'preact/hooks'
import { describe, type Item, type Lane, sandboxLanes, workspaceLanes } from '../model/lanes'
import { linkTo } from '../model/route'
import { dateTime, zoneAt } from '../model/time'
import { extentOf, type Sight, SPANS, type TimeWindow, windowOf, zoom } from '../model/time-window'
import { useApp } from '../parts/app-context'
import { Button, Items } from '../parts/blocks'
import { Check } from '../parts/fields'
import { Panel } from '../parts/panel'
import { useMedia, useTick, useWidth } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { RecordPanel } from './record'
import { LANE_HEIGHT, LanePlot, recordOf, type Scale, scaleOf } from './timeline/lane-plot'
import { useNavigation, ZOOM } from './timeline/use-navigation'

/** The part of the URL while a list of several items is open. */
const SEVERAL = 'several'

/** Draws a lane for the requests, backups and restore jobs, and one for each workspace: its states over time. */
export function TimelineView({ part }: { part: string | undefined }) {
  const { model } = useApp()
  const { timeline, requests, events } = model
  const [sight, setSight] = useState<Sight>('fit')
  const [isBusyOnly, setBusyOnly] = useState(false)
  const [several, setSeveral] = useState<readonly Item[]>([])
  const isNarrow = useMedia('(max-width: 760px)')
  const [box, paneWidth] = useWidth()
  useTick(500, model.clock?.mode === 'real')
  const workspaces = useMemo(() => {
    const since = model.hasOlder ? Date.parse(timeline[0]!.at) : -Infinity
    const all = model.groups().flatMap((group) => group.workspaces)
    return workspaceLanes(all, timeline, events, since)
  }, [model.version, timeline, events])
  const lanes = useMemo(
    () => [
      ...sandboxLanes(requests, timeline, (id) => model.workspaces.get(id)?.name ?? id),
      ...workspaces.filter(({ isBusy }) => isBusy || !isBusyOnly)
    ],
    [workspaces, requests, isBusyOnly]
  )
  // The timeline is in order; the requests are not, if the clock was set back.
  const times = useMemo(
    () => [timeline.slice(0, 1), timeline.slice(-1), requests].flat().map(({ at }) => Date.parse(at)),
    [timeline, requests]
  )
  const now = model.now()
  const view = windowOf(sight, extentOf(times, now), now)
  const nameWidth = isNarrow ? 104 : 190
  const scale = scaleOf(view, now, Math.max(100, paneWidth - nameWidth - 20))
  const { onKeyDown, handlers } = useNavigation(view, scale.width, setSight)
  // A list is gone after a reload.
  const open = part === SEVERAL && several.length === 0 ? undefined : part
  return (
    <div class="split">
      <section class="pane" aria-label="Timeline" ref={box} onKeyDown={onKeyDown}>
        <div class="bar">
          <Controls sight={sight} view={view} onSight={setSight} />
          <Check label="Only those with a history or a scheduled event" checked={isBusyOnly} onChange={setBusyOnly} />
        </div>
        <NotShown />
        {lanes.length === 0 ? (
          <p class="quiet empty">There are no workspaces.</p>
        ) : (
          <div class="time" {...handlers}>
            <VirtualList
              items={lanes}
              rowHeight={LANE_HEIGHT}
              label="Lanes of the sandbox and its workspaces"
              role="list"
              class="lanes"
              keyOf={({ id }) => id}
              head={<Axis scale={scale} nameWidth={nameWidth} />}
              row={(lane) => (
                <div class="lane" role="listitem">
                  <LaneName lane={lane} width={nameWidth} />
                  <LanePlot
                    lane={lane}
                    scale={scale}
                    chosen={part}
                    onSeveral={(items) => {
                      setSeveral(items)
                      location.hash = linkTo('timeline', SEVERAL)
                    }}
                  />
                </div>
              )}
            />
          </div>
        )}
      </section>
      {open === undefined ? null : open === SEVERAL ? (
        <Several items={several} />
      ) : (
        <RecordPanel key={open} id={open} closeTo={linkTo('timeline')} />
      )}
    </div>
  )
}

/** Buttons that choose what is in sight. */
function Controls(props: { sight: Sight; view: TimeWindow; onSight: (sight: Sight) => void }) {
  const { sight, view, onSight } = props
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

function Axis({ scale: { view, width, ticks, x }, nameWidth }: { scale: Scale; nameWidth: number }) {
  return (
    <div class="lane axis" aria-hidden="true">
      <span class="lane-name" style={{ width: `${nameWidth}px` }}>
        {zoneAt(view.end)}
      </span>
      <svg width={width} height={LANE_HEIGHT - 4}>
        {ticks.map(({ at, label }) => (
          <text key={at} x={x(at)} y={17} text-anchor={x(at) < 24 ? 'start' : x(at) > width - 24 ? 'end' : 'middle'}>
            {label}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** The name of a lane, which leads to the workspace or the requests. */
function LaneName({ lane: { kind, id, name, href }, width }: { lane: Lane; width: number }) {
  return (
    <a
      class="lane-name"
      style={{ width: `${width}px` }}
      {...(href !== undefined && { href })}
      title={kind === 'states' ? id : undefined}
    >
      {name}
    </a>
  )
}

/** Says which part of a long history is not shown, and offers to load more of it. */
function NotShown() {
  const { model } = useApp()
  const { timeline, requests, requestTotal, hasOlder, areRequestsCut } = model
  if (!hasOlder && !areRequestsCut) return null
  return (
    <div class="bar" role="note">
      {hasOlder ? <span>State changes before {dateTime(timeline[0]!.at)} are not loaded.</span> : null}
      {areRequestsCut ? (
        <span>
          The newest {requests.length} of {requestTotal} requests are shown.
        </span>
      ) : null}
      <Button
        text="Load older ones"
        onClick={() => {
          if (hasOlder) model.loadOlder()
          if (areRequestsCut) model.loadAllRequests()
        }}
      />
    </div>
  )
}

/** Lists the items that are too close together to be told apart. */
function Several({ items }: { items: readonly Item[] }) {
  const now = useApp().model.now()
  return (
    <Panel label="Items at once" title={`${items.length} at once`} closeTo="#/timeline">
      <p class="quiet">Zoom in to tell them apart, if they are not at the same time.</p>
      <Items items={items} class="links">
        {(item) =>
          item.request === undefined ? describe(item, now) : <a href={recordOf(item.request)}>{describe(item, now)}</a>
        }
      </Items>
    </Panel>
  )
}

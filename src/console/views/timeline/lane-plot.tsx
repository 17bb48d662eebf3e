import { clustersOf } from '../../model/clusters'
import { type Item, type Lane, statesOf } from '../../model/lanes'
import { distance } from '../../model/time'
import { Bar } from './bar'
import { DueMarks } from './due-marks'
import { LANE_HEIGHT, type Scale } from './scale'

/** Pixels within which items are drawn as one. */
const STATE_GAP = 3
const POINT_GAP = 6

interface Props {
  readonly lane: Lane
  readonly scale: Scale
  /** When the loaded timeline begins. */
  readonly since: number
  /** RequestID whose record is open. */
  readonly chosen: string | undefined
  readonly onSeveral: (items: readonly Item[]) => void
}

/** Draws the items of a lane, and what is due on it. */
export function LanePlot({ lane, scale, since, chosen, onSeveral }: Props) {
  const { view, now, width, ticks, x } = scale
  const isWorkspace = lane.kind === 'workspace'
  const items = isWorkspace ? statesOf(lane, since) : lane.items
  const gap = ((isWorkspace ? STATE_GAP : POINT_GAP) / width) * (view.end - view.begin)
  return (
    <svg class="plot" width={width} height={LANE_HEIGHT - 2} role="group" aria-label={labelOf(lane, now)}>
      {ticks.map(({ at }) => (
        <line key={at} class="tick" x1={x(at)} x2={x(at)} y1={0} y2={LANE_HEIGHT} />
      ))}
      {clustersOf(items, view, now, gap, isWorkspace).map((cluster, index) => (
        <Bar
          key={index}
          cluster={cluster}
          scale={scale}
          isRequest={lane.kind === 'requests'}
          isChosen={chosen !== undefined && cluster.items.some(({ request }) => request === chosen)}
          onSeveral={onSeveral}
        />
      ))}
      {isWorkspace ? <DueMarks events={lane.due} scale={scale} state={items.at(-1)?.outcome} /> : null}
      <line class="now-line" x1={x(now)} x2={x(now)} y1={0} y2={LANE_HEIGHT} />
    </svg>
  )
}

/** A lane in words. */
function labelOf(lane: Lane, now: number): string {
  if (lane.kind !== 'workspace') return `${lane.name}: ${lane.items.length}`
  const due = lane.due.flatMap(({ event, due: at }) =>
    at === null ? [] : [`${event} ${distance(Date.parse(at), now)}`]
  )
  return `${lane.name}: ${[lane.status ?? 'gone', ...due].join(', ')}`
}

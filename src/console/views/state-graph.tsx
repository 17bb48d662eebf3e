import type { CoverageItem, WorkspaceState } from '../api/types'
import { endsTransition } from './ending'

interface Edge {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly count: number
}

type Place = readonly [x: number, y: number]

/** The centre of each state's box. The type check finds a state of the server that is missing. */
const PLACES: Readonly<Record<string, Place>> = {
  '(none)': [56, 24],
  Creating: [56, 104],
  Active: [216, 134],
  Resizing: [216, 24],
  Restoring: [360, 54],
  Pausing: [370, 174],
  Stopped: [376, 284],
  Idle: [240, 404],
  Resuming: [228, 264],
  Failed: [56, 234],
  Terminating: [100, 384],
  gone: [100, 464]
} satisfies Record<WorkspaceState | '(none)' | 'gone', Place>
const WIDTH = 424
const HEIGHT = 484
const BOX = { width: 92, height: 26 }

/** Draws the states of a workspace and the changes between them. */
export function StateGraph({ edges }: { edges: readonly CoverageItem[] }) {
  const drawn = edges.flatMap(edgesOf).sort((a, b) => a.count - b.count)
  const exercised = drawn.filter(({ count }) => count > 0)
  const seen = new Set(exercised.flatMap(({ from, to }) => [from, to]))
  return (
    <>
      <svg
        class="graph"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`State changes: ${exercised.length} of ${drawn.length} exercised`}
      >
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" fill="context-stroke" />
        </marker>
        {drawn.map((edge) => (
          <Arrow key={edge.name} {...edge} />
        ))}
        {Object.entries(PLACES).map(([state, [x, y]]) => (
          <g
            key={state}
            class={`node state-${state} ${seen.has(state) ? 'seen' : ''}`}
            transform={`translate(${x} ${y})`}
          >
            <rect x={-BOX.width / 2} y={-BOX.height / 2} width={BOX.width} height={BOX.height} rx={5} />
            <text text-anchor="middle" y={4}>
              {state}
            </text>
          </g>
        ))}
      </svg>
      <p class="quiet">
        {exercised.length} of {drawn.length} state changes of a workspace were exercised; the others are dashed.
      </p>
    </>
  )
}

/** Reads a name such as `workspace.pause: Active → Pausing`. */
function edgesOf({ name, count }: CoverageItem): Edge[] {
  const [, transition = '', from = '', to = ''] = /^(.+): (.+) → (.+)$/.exec(name) ?? []
  return endsTransition(transition) && from in PLACES && to in PLACES ? [{ name, from, to, count }] : []
}

function Arrow({ name, from, to, count }: Edge) {
  const [x1, y1] = PLACES[from]!
  const [x2, y2] = PLACES[to]!
  const length = Math.hypot(x2 - x1, y2 - y1)
  // Each line bends to its left, which separates a change from its reverse.
  const bend = Math.min(26, length / 6)
  const [middleX, middleY] = [(x1 + x2) / 2 + ((y2 - y1) / length) * bend, (y1 + y2) / 2 - ((x2 - x1) / length) * bend]
  const [startX, startY] = edgeOfBox(x1, y1, middleX, middleY)
  const [endX, endY] = edgeOfBox(x2, y2, middleX, middleY)
  return (
    <g class={count > 0 ? 'edge done' : 'edge'} data-edge={`${from} ${to}`}>
      <path d={`M${startX} ${startY} Q${middleX} ${middleY} ${endX} ${endY}`} marker-end="url(#arrow)">
        <title>{`${name}, ${count === 0 ? 'not yet' : count}`}</title>
      </path>
    </g>
  )
}

/** Where a line from the middle of a box leaves the box. */
function edgeOfBox(x: number, y: number, toX: number, toY: number): [number, number] {
  const [dx, dy] = [toX - x, toY - y]
  const scale = Math.min(
    (BOX.width / 2 + 2) / Math.max(Math.abs(dx), 0.01),
    (BOX.height / 2 + 2) / Math.max(Math.abs(dy), 0.01)
  )
  return [x + dx * scale, y + dy * scale]
}

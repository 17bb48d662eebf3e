import type { CoverageItem, WorkspaceState } from '../api/types'
import { stateClass } from '../parts/state'
import { endsTransition } from './ending'

interface Edge {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly count: number
}

type Place = readonly [x: number, y: number]

/**
 * Position of each state: Active in the middle, the others around it. The compiler asks for every state of the server.
 */
const PLACES: Readonly<Record<string, Place>> = {
  '(none)': [70, 40],
  Creating: [230, 40],
  Active: [440, 160],
  Resizing: [440, 40],
  Restoring: [680, 50],
  Pausing: [700, 160],
  Stopped: [720, 280],
  Idle: [560, 370],
  Resuming: [360, 290],
  Failed: [190, 180],
  Terminating: [160, 390],
  gone: [350, 430]
} satisfies Record<WorkspaceState | '(none)' | 'gone', Place>
const WIDTH = 780
const HEIGHT = 460
const BOX = { width: 92, height: 26 }

/** Draws the states of a workspace and the changes between them; exercised ones stand out. */
export function StateGraph({ edges }: { edges: readonly CoverageItem[] }) {
  const drawn = edges.flatMap(edgesOf).sort((a, b) => a.count - b.count)
  const exercised = drawn.filter(({ count }) => count > 0)
  const seen = new Set(exercised.flatMap(({ from, to }) => [from, to]))
  return (
    <>
      <div class="graph" tabIndex={0} role="region" aria-label="Graph of the states">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={`State changes: ${exercised.length} of ${drawn.length} exercised`}
        >
          <defs>
            {['open', 'done'].map((kind) => (
              <marker
                key={kind}
                id={`arrow-${kind}`}
                class={`arrow ${kind}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto-start-reverse"
              >
                <path d="M0 0 L8 4 L0 8 z" />
              </marker>
            ))}
          </defs>
          {drawn.map((edge) => (
            <Arrow key={edge.name} {...edge} />
          ))}
          {Object.entries(PLACES).map(([state, [x, y]]) => (
            <g
              key={state}
              class={`node ${stateClass(state)} ${seen.has(state) ? 'seen' : ''}`}
              transform={`translate(${x} ${y})`}
            >
              <rect x={-BOX.width / 2} y={-BOX.height / 2} width={BOX.width} height={BOX.height} rx={5} />
              <text text-anchor="middle" y={4}>
                {state}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <p class="quiet">
        {exercised.length} of {drawn.length} are exercised; the others are dashed.
      </p>
    </>
  )
}

/** The change of a workspace's state that a name such as `workspace.pause: Active → Pausing` describes. */
function edgesOf({ name, count }: CoverageItem): Edge[] {
  const [, transition = '', from = '', to = ''] = /^(.+): (.+) → (.+)$/.exec(name) ?? []
  return endsTransition(transition) && from in PLACES && to in PLACES ? [{ name, from, to, count }] : []
}

function Arrow({ name, from, to, count }: Edge) {
  const [x1, y1] = PLACES[from]!
  const [x2, y2] = PLACES[to]!
  const length = Math.hypot(x2 - x1, y2 - y1)
  // Each line bends to its left, so that a change and its reverse are two lines.
  const bend = Math.min(26, length / 6)
  const [middleX, middleY] = [(x1 + x2) / 2 + ((y2 - y1) / length) * bend, (y1 + y2) / 2 - ((x2 - x1) / length) * bend]
  const [startX, startY] = edgeOfBox(x1, y1, middleX, middleY)
  const [endX, endY] = edgeOfBox(x2, y2, middleX, middleY)
  const kind = count > 0 ? 'done' : 'open'
  return (
    <g class={`edge ${kind}`} data-edge={`${from} ${to}`}>
      <path d={`M${startX} ${startY} Q${middleX} ${middleY} ${endX} ${endY}`} marker-end={`url(#arrow-${kind})`}>
        <title>{`${name}, ${count === 0 ? 'not yet' : count}`}</title>
      </path>
      {count > 0 ? (
        <text x={(startX + 2 * middleX + endX) / 4} y={(startY + 2 * middleY + endY) / 4 - 3} text-anchor="middle">
          {count}
        </text>
      ) : null}
    </g>
  )
}

/** The point at which a line from the middle of a box leaves the box. */
function edgeOfBox(x: number, y: number, toX: number, toY: number): [number, number] {
  const [dx, dy] = [toX - x, toY - y]
  const scale = Math.min(
    (BOX.width / 2 + 2) / Math.max(Math.abs(dx), 0.01),
    (BOX.height / 2 + 2) / Math.max(Math.abs(dy), 0.01)
  )
  return [x + dx * scale, y + dy * scale]
}

import { undone } from '../db/row-history.js'
import type { RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../interface/errors.js'
import type { Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { FileRecorder, rowWriter } from './file-recorder.js'
import type { CheckpointLine, Line, WrittenChange } from './format.js'
import { manifestOf } from './manifest.js'
import { Playback } from './playback.js'
import { VIEW_LIMITS, viewer } from './viewer.js'

/** Characters sent at once. */
const PIECE = 64 * 1024

/** A text in pieces; undefined marks the end of a slice of work. */
type Pieces = Generator<string | undefined, void>

/** The history of a sandbox in memory. */
type Remembered = ReturnType<typeof remember>

/**
 * Makes an uncompressed recording of the steps that memory still has since the sandbox was created, loaded or replaced.
 * @throws {ServiceError} `notAllowed` if the journal is off
 */
export function recordingFromMemory(plane: ControlPlane, sandbox: Sandbox): string {
  return [...written(remember(plane, sandbox))].join('')
}

/** {@link recordingFromMemory} in pieces, made when the first is read. @param isLeft whether the reader has left */
export async function* piecesFromMemory(
  plane: ControlPlane,
  sandbox: Sandbox,
  isLeft: () => boolean
): AsyncGenerator<string> {
  await plane.scheduler.turn()
  yield* inTurns(plane, written(remember(plane, sandbox)), isLeft)
}

/** {@link piecesFromMemory} as lines for the console, limited to the newest steps that fit. */
export async function* stepsFromMemory(
  plane: ControlPlane,
  sandbox: Sandbox,
  isLeft: () => boolean
): AsyncGenerator<string> {
  // Only sending something shows whether the reader is still there.
  yield ' '
  await plane.scheduler.turn()
  const remembered = remember(plane, sandbox)
  const { manifest, steps, requests } = remembered
  const from = Math.max(1, steps.length + requests.length - VIEW_LIMITS.steps + 1)
  await plane.scheduler.turn()
  const playback = await Playback.begin(manifest, plane.profile)
  try {
    yield* inTurns(plane, viewed(remembered, viewer(playback, manifest, { from })), isLeft)
  } finally {
    playback.close()
  }
}

/** @throws {ServiceError} `notAllowed` if the journal is off */
export function assertRemembers({ journal }: Sandbox): void {
  if (!journal.isOn)
    throw new ServiceError('notAllowed', 'The journal is off (--journal-requests 0), so nothing is remembered.')
}

/** Joins pieces to larger ones, in turn with other work. */
async function* inTurns({ scheduler }: ControlPlane, pieces: Pieces, isLeft: () => boolean): AsyncGenerator<string> {
  for (;;) {
    const piece = await scheduler.run(nextOf(pieces, isLeft))
    if (piece === '') return
    yield piece
  }
}

function* nextOf(pieces: Pieces, isLeft: () => boolean): Slices<string> {
  let text = ''
  while (text.length < PIECE && !isLeft()) {
    const { done, value } = pieces.next()
    if (done === true) break
    if (value !== undefined) text += value
    yield
  }
  return text
}

/** @throws {ServiceError} `notAllowed` if the journal is off */
function remember(plane: ControlPlane, sandbox: Sandbox) {
  assertRemembers(sandbox)
  const { changes: log, orgId, orgName, random, clock } = sandbox
  return {
    manifest: manifestOf(plane, sandbox.id, wallTime()),
    /** The sandbox before the first step, but with its current rows. */
    whole: {
      org: { id: orgId, name: orgName },
      random: { seed: random.seed, draws: log.base?.draws ?? random.draws },
      clock: log.base?.clock ?? clock,
      rows: plane.history.list(sandbox.key)
    },
    steps: log.list(),
    // Of earlier ones, the changes and the state are no longer known.
    requests: sandbox.journal.records().flatMap(({ entry }) => (entry && entry.before! >= log.first ? [entry] : []))
  }
}

function* written(remembered: Remembered): Pieces {
  const { manifest, checkpoint, steps } = linesOf(remembered)
  const write = rowWriter(remembered.manifest.shapes)
  yield `${manifest}\n`
  // Its rows are at its end.
  yield checkpoint.slice(0, -']}'.length)
  for (const [index, row] of (yield* firstRows(remembered)).entries()) yield `${index === 0 ? '' : ','}${write(row)}`
  yield ']}\n'
  for (const step of steps) yield `${step}\n`
}

function* viewed(remembered: Remembered, { add, end, isFull }: ReturnType<typeof viewer>): Pieces {
  const { checkpoint, steps } = linesOf(remembered)
  const rows = decoded(yield* firstRows(remembered), rowWriter(remembered.manifest.shapes))
  yield* withEnds(add({ ...(JSON.parse(checkpoint) as CheckpointLine), rows }))
  for (const step of steps) {
    yield* withEnds(add(JSON.parse(step) as Line))
    if (isFull()) break
  }
  yield* withEnds(end())
}

function* withEnds(lines: Iterable<string | undefined>): Pieces {
  for (const line of lines) yield line === undefined ? line : `${line}\n`
}

/** The rows before the first step. */
function firstRows({ manifest, whole, steps }: Remembered): Slices<RawChange[]> {
  const changes = steps.toReversed().flatMap((step) => step.changes.toReversed())
  return undone(whole.rows, changes, manifest.shapes)
}

function* decoded(rows: readonly RawChange[], write: (row: RawChange) => string): Generator<WrittenChange> {
  for (const row of rows) yield JSON.parse(write(row)) as WrittenChange
}

/** Writes lines, except the rows of the checkpoint, which may be too many for one slice. */
function linesOf({ manifest, whole, steps, requests }: Remembered) {
  const lines: string[] = []
  const recorder = new FileRecorder({ append: (line) => lines.push(line), end: () => undefined }, () => manifest)
  recorder.begin({ ...whole, rows: [] })
  const [first, checkpoint] = lines.splice(0) as [string, string]
  return { manifest: first, checkpoint, steps: stepsOf() }

  function* stepsOf(): Generator<string> {
    const all = [
      ...requests.map((entry) => ({ order: entry.before!, write: () => recorder.request({ ...entry, call: entry }) })),
      ...steps.map((step) => ({ order: step.order, write: () => recorder.add(step) }))
    ]
    for (const { write } of all.sort((a, b) => a.order - b.order)) {
      write()
      yield* lines.splice(0)
    }
    recorder.end()
    yield* lines
  }
}

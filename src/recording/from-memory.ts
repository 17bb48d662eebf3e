import type { ControlPlane } from '../control-plane.js'
import type { Step } from '../journal/change-log.js'
import type { RequestEntry } from '../journal/journal.js'
import type { WholeState } from '../journal/recorder.js'
import { ServiceError } from '../lib/errors.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { wallTime } from '../sim/clock.js'
import { FileRecorder } from './file-recorder.js'
import type { Line, Manifest } from './format.js'
import { manifestOf } from './manifest.js'
import { VIEW_LIMITS, Viewer } from './viewer.js'

/**
 * A recording of what memory still has: the newest steps since the sandbox was created, loaded or replaced.
 * @returns its lines, not compressed
 * @throws {ServiceError} `notAllowed` if the journal is off
 */
export function recordingFromMemory(plane: ControlPlane, sandbox: Sandbox): string {
  return [...linesFromMemory(plane, sandbox).lines].map((line) => `${line}\n`).join('')
}

/**
 * What the console shows of {@link recordingFromMemory}: the newest steps that fit.
 * @returns its lines, and undefined between two slices of work
 * @throws {ServiceError} `notAllowed` if the journal is off
 */
export async function stepsFromMemory(plane: ControlPlane, sandbox: Sandbox): Promise<Generator<string | undefined>> {
  const { manifest, last, lines } = linesFromMemory(plane, sandbox)
  // The first line is the manifest.
  lines.next()
  const viewer = await Viewer.begin(manifest, plane.profile, { from: Math.max(1, last - VIEW_LIMITS.steps + 1) })
  return viewOf(viewer, lines)
}

/** {@link recordingFromMemory}, line by line, as it is when this is called. */
export function linesFromMemory(plane: ControlPlane, sandbox: Sandbox) {
  assertRemembers(sandbox)
  const { changes: log, orgId, orgName, random, clock } = sandbox
  const steps = [...log.list()]
  const requests = sandbox.journal
    .records()
    .flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    .sort((a, b) => a.before! - b.before!)
  // Of requests before the first step, what they have changed is not known any more.
  const first = steps[0]?.order ?? -Infinity
  const known = requests.filter(({ before }) => before! >= first)
  const whole = {
    org: { id: orgId, name: orgName },
    random: { seed: random.seed, draws: log.base?.draws ?? random.draws },
    clock: log.base?.clock ?? clock,
    rows: plane.past.readFirst(sandbox, () => plane.history.list(sandbox.key))
  }
  const manifest = manifestOf(plane, sandbox.id, wallTime())
  return { manifest, last: steps.length + known.length, lines: linesOf(manifest, whole, steps, known) }
}

function* linesOf(
  manifest: Manifest,
  whole: WholeState,
  steps: readonly Step[],
  requests: readonly RequestEntry[]
): Generator<string> {
  let lines: string[] = []
  const recorder = new FileRecorder(
    { append: (line) => lines.push(line), end: () => undefined },
    () => manifest,
    () => manifest.shapes
  )
  function* written(): Generator<string> {
    yield* lines
    lines = []
  }
  recorder.begin(whole)
  yield* written()
  let index = 0
  const answerBefore = (order: number) => {
    for (; index < requests.length && requests[index]!.before! <= order; index++)
      recorder.request({ ...requests[index]!, call: requests[index]! })
  }
  for (const { order, id, fired, at, changes, draws, clock } of steps) {
    answerBefore(order)
    if (fired !== undefined) recorder.event(fired, changes, draws!)
    else recorder.change(id, at, changes, draws === undefined ? undefined : { at, draws, clock: clock! })
    yield* written()
  }
  answerBefore(Infinity)
  recorder.end()
  yield* written()
}

function* viewOf(viewer: Viewer, lines: Iterable<string>): Generator<string | undefined> {
  try {
    for (const line of lines) {
      yield* viewer.add(JSON.parse(line) as Line)
      if (viewer.isFull) break
    }
    yield* viewer.end()
  } finally {
    viewer.close()
  }
}

/** @throws {ServiceError} `notAllowed` if the journal is off */
export function assertRemembers({ journal }: Sandbox): void {
  if (!journal.isOn)
    throw new ServiceError('notAllowed', 'The journal is off (--journal-requests 0), so nothing is remembered.')
}

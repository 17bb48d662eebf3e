import type { ControlPlane } from '../control-plane.js'
import { ServiceError } from '../lib/errors.js'
import type { Slices } from '../lib/slices.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { wallTime } from '../sim/clock.js'
import { FileRecorder } from './file-recorder.js'
import type { Line, Manifest } from './format.js'
import { manifestOf } from './manifest.js'
import { isStep } from './recording.js'
import { VIEW_LIMITS, Viewer } from './viewer.js'

/**
 * A recording of what memory still has: the newest steps since the sandbox was created, loaded or replaced.
 * @returns its lines, not compressed
 * @throws {ServiceError} `notAllowed` if the journal is off
 */
export function recordingFromMemory(plane: ControlPlane, sandbox: Sandbox): string {
  assertRemembers(sandbox)
  const { changes: log, orgId, orgName, random, clock } = sandbox
  const lines: string[] = []
  const recorder = new FileRecorder(
    { append: (line) => lines.push(line), end: () => undefined },
    () => manifestOf(plane, sandbox.id, wallTime()),
    () => plane.shapes
  )
  const requests = sandbox.journal
    .records()
    .flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    .sort((a, b) => a.before! - b.before!)
  const rows = plane.past.readFirst(sandbox, () => plane.history.list(sandbox.key))
  recorder.begin({
    org: { id: orgId, name: orgName },
    random: { seed: random.seed, draws: log.base?.draws ?? random.draws },
    clock: log.base?.clock ?? clock,
    rows
  })
  let index = 0
  const [first] = log.list()
  // Of requests before the first step, what they have changed is not known any more.
  while (first !== undefined && (requests[index]?.before ?? Infinity) < first.order) index++
  const answerBefore = (order: number) => {
    for (; index < requests.length && requests[index]!.before! <= order; index++)
      recorder.request({ ...requests[index]!, call: requests[index]! })
  }
  for (const { order, id, fired, at, changes, draws, clock } of log.list()) {
    answerBefore(order)
    if (fired !== undefined) recorder.event(fired, changes, draws!)
    else recorder.change(id, at, changes, draws === undefined ? undefined : { at, draws, clock: clock! })
  }
  answerBefore(Infinity)
  recorder.end()
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * What the console shows of {@link recordingFromMemory}: the newest steps that fit.
 * @throws {ServiceError} `notAllowed` if the journal is off
 */
export async function viewFromMemory(plane: ControlPlane, sandbox: Sandbox): Promise<string> {
  const [manifest, ...lines] = recordingFromMemory(plane, sandbox)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
  const last = (lines as Line[]).findLast(isStep)?.step ?? 0
  const from = Math.max(1, last - VIEW_LIMITS.steps + 1)
  const viewer = await Viewer.begin(manifest as Manifest, plane.profile, { from })
  try {
    return await plane.pacer.run(viewInSlices(viewer, lines as Line[]))
  } finally {
    viewer.close()
  }
}

function* viewInSlices(viewer: Viewer, lines: readonly Line[]): Slices<string> {
  const viewed: string[] = []
  for (const line of lines) {
    for (const text of viewer.add(line)) viewed.push(`${text}\n`)
    if (viewer.isFull) break
    yield
  }
  for (const text of viewer.end()) viewed.push(`${text}\n`)
  return viewed.join('')
}

/** @throws {ServiceError} `notAllowed` if the journal is off */
export function assertRemembers({ journal }: Sandbox): void {
  if (!journal.isOn)
    throw new ServiceError('notAllowed', 'The journal is off (--journal-requests 0), so nothing is remembered.')
}

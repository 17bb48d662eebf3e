import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { demoState } from '../../src/documents/demo.js'
import type { PreparedState } from '../../src/documents/schemas.js'
import type { Options } from '../../src/options.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import type { Line, RecordedStep } from '../../src/recording/format.js'
import { patched } from '../../src/recording/patch.js'
import { Playback } from '../../src/recording/playback.js'
import { isStep, openRecording, type Recording } from '../../src/recording/recording.js'
import type { ViewedBeginning, ViewedEnd, ViewedStep } from '../../src/recording/viewed.js'
import { viewRecording } from '../../src/recording/viewer.js'
import { buildMock, type BuiltMock, close } from '../helper.js'
import { openSandbox, type TestSandbox } from '../sandbox.js'

/** The recordings in a directory, in order. */
export function pathsIn(directory: string): string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name))
}

/** Stops a server, which completes its recordings. */
export async function stop(mock: BuiltMock): Promise<void> {
  await close(mock)
  await mock.recordings?.close()
}

/** Records a sandbox with a frozen clock, perhaps with demo data. @returns the recording's path */
export async function recorded(t: Test, live: (b: TestSandbox) => Promise<unknown>, options: Partial<Options> = {}) {
  const record = t.testdir()
  const mock = await buildMock(t, { record, ...options })
  if (options.demo === true) mock.plane.baseline = demoState(mock.plane.profile.catalogue)
  await live(await openSandbox(mock))
  await stop(mock)
  return pathsIn(record)[0]!
}

/** Reads a whole recording, and the state after each of its steps. */
export async function readWhole(path: string) {
  const recording = await openRecording(path)
  const playback = await Playback.begin(recording.manifest, BUILT_IN)
  const lines: Line[] = []
  const steps: RecordedStep[] = []
  const states: (PreparedState | undefined)[] = []
  try {
    for await (const line of recording.lines()) {
      lines.push(line)
      playback.apply(line)
      if (!isStep(line)) continue
      steps.push(line)
      states.push(playback.state)
    }
  } finally {
    playback.close()
  }
  return { manifest: recording.manifest, lines, steps, states }
}

/** Reads the view of a recording, and applies its patches. */
export async function viewWhole(recording: Recording, part?: Parameters<typeof viewRecording>[2]) {
  const lines: unknown[] = []
  for await (const line of viewRecording(recording, BUILT_IN, part)) lines.push(JSON.parse(line))
  const beginning = lines[0] as ViewedBeginning
  const steps = lines.slice(1, -1) as ViewedStep[]
  let state: unknown = beginning.state
  const states = new Map<number, unknown>([[beginning.after, state]])
  for (const { step, patch } of steps) states.set(step, (state = patch === undefined ? state : patched(state, patch)))
  return { beginning, steps, states, end: lines.at(-1) as ViewedEnd }
}

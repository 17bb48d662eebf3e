import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_IN } from '../../src/profile/profile.js'
import type { Line, RecordedStep } from '../../src/recording/format.js'
import type { ReadLimits } from '../../src/recording/read-lines.js'
import { isStep, openRecording } from '../../src/recording/recording.js'
import { Replay } from '../../src/recording/replay.js'
import type { PreparedState } from '../../src/state/schemas.js'
import { type BuiltMock, close } from '../helper.js'

/** The recordings in a directory, in order. */
export function pathsIn(directory: string): string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name))
}

/** Stops a server, so that its recordings are whole. */
export async function stop(mock: BuiltMock): Promise<void> {
  await close(mock)
  await mock.recordings?.close()
}

/** Reads a whole recording, and the state after each of its steps. */
export async function readWhole(path: string, limits?: ReadLimits) {
  const recording = await openRecording(path, limits)
  const replay = await Replay.begin(recording.manifest, BUILT_IN)
  const lines: Line[] = []
  const steps: RecordedStep[] = []
  const states: (PreparedState | undefined)[] = []
  try {
    for await (const line of recording.lines()) {
      lines.push(line)
      replay.apply(line)
      if (!isStep(line)) continue
      steps.push(line)
      states.push(replay.state)
    }
  } finally {
    replay.close()
  }
  return { manifest: recording.manifest, lines, steps, states }
}

import type { PreparedState } from '../documents/schemas.js'
import type { Profile } from '../profile/profile.js'
import type { RecordedStep } from './format.js'
import { Playback } from './playback.js'
import { isStep, type Recording } from './recording.js'
import { RecordingError } from './recording-error.js'

/**
 * Finds the step at a moment.
 * @param moment the number of a step, 0 for the beginning, or a RequestID: right after that request
 * @throws {RecordingError} if there is none
 */
export async function stepAt(recording: Recording, moment: string): Promise<number> {
  const wanted = /^\d{1,15}$/.test(moment) ? Number(moment) : undefined
  if (wanted === 0) return 0
  let last = 0
  let found: number | undefined
  for await (const line of recording.lines()) {
    if (!isStep(line)) continue
    last = line.step
    if (last === wanted) return last
    // The request comes after its changes; later events with its id are those that it scheduled.
    if (line.kind !== 'gap' && line.kind !== 'event' && line.id === moment) found = last
  }
  if (found !== undefined) return found
  throw new RecordingError(
    wanted === undefined ? `has no request ${moment}` : `has no step ${moment}; the last one is ${last}`
  )
}

/** Plays a recording back up to a step. @yields each line, and the state after it */
async function* played({ manifest, lines }: Recording, profile: Profile, last = Infinity) {
  const playback = await Playback.begin(manifest, profile)
  try {
    for await (const line of lines()) {
      if (isStep(line) && line.step > last) break
      playback.apply(line)
      yield { line, stateAfter: () => playback.state }
    }
  } finally {
    playback.close()
  }
}

/** The state documents after given steps. @throws {RecordingError} if the recording is damaged */
export async function statesAt(
  recording: Recording,
  profile: Profile,
  steps: readonly number[]
): Promise<PreparedState[]> {
  const found = new Map<number, PreparedState | undefined>()
  const last = steps.reduce((a, b) => Math.max(a, b), 0)
  for await (const { line, stateAfter } of played(recording, profile, last)) {
    const step = isStep(line) ? line.step : line.kind === 'checkpoint' ? line.after : undefined
    if (step !== undefined && steps.includes(step)) found.set(step, stateAfter())
  }
  return steps.map((step) => {
    const state = found.get(step)
    if (state === undefined) throw new RecordingError(`ends before the state after step ${step}`)
    return state
  })
}

/** The first step after which a condition holds, if there is one. */
export async function firstStep(
  recording: Recording,
  profile: Profile,
  holds: (state: PreparedState) => boolean
): Promise<RecordedStep | 'beginning' | undefined> {
  let seen: PreparedState | undefined
  let last: RecordedStep | 'beginning' = 'beginning'
  for await (const { line, stateAfter } of played(recording, profile)) {
    if (isStep(line)) last = line
    // That after a gap has its state.
    else if (line.kind !== 'checkpoint') continue
    const state = stateAfter()
    if (state === undefined || state === seen) continue
    seen = state
    if (holds(state)) return last
  }
  return undefined
}

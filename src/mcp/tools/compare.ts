import { Type } from '@sinclair/typebox'
import { differencesOf } from '../../recording/difference.js'
import { statesAt, stepAt } from '../../recording/moments.js'
import { isStep, type Recording, recordingOf } from '../../recording/recording.js'
import { openProfile } from '../../resources/open-profile.js'
import { defineTool, type ToolCall } from '../tool.js'

const moment = (description: string) => Type.String({ minLength: 1, maxLength: 256, description })

export const compareTool = defineTool({
  name: 'compare',
  title: 'Compare two moments',
  description: `Compare the state of the sandbox at two moments: the result has every value of the state document that
changed, with its path. A moment is a RequestID of a client or of one of these tools, and means right after that
request; or the number of a step of the recording, where 0 is the oldest state that is still in memory.`,
  input: {
    from: moment('The earlier moment.'),
    to: Type.Optional(moment('The later moment; now if absent.'))
  },
  isRead: true,
  run: async ({ from, to }, call) => {
    const recording = await recordingIn(call)
    const steps = [
      await stepAt(recording, from),
      to === undefined ? await lastStep(recording) : await stepAt(recording, to)
    ]
    const { result: profile } = await call.control('readProfile')
    const [before, after] = await statesAt(recording, await openProfile(profile as object), steps)
    const differences = differencesOf(before, after)
    return {
      message: `Differences: ${differences.length}.`,
      result: { from: { moment: from, step: steps[0] }, to: { moment: to ?? 'now', step: steps[1] }, differences }
    }
  }
})

/** The part of the sandbox's history that is still in memory. */
async function recordingIn({ send, control }: ToolCall): Promise<Recording> {
  const { status, text } = await send({ method: 'GET', path: '/_mock/recording' })
  // Unlike a recording, a refusal is in the envelope, which control() explains.
  if (status >= 400) await control('readRecording')
  const lines = text.split('\n').filter((line) => line !== '')
  return recordingOf(() => lines)
}

async function lastStep(recording: Recording): Promise<number> {
  let last = 0
  for await (const line of recording.lines()) if (isStep(line)) last = line.step
  return last
}

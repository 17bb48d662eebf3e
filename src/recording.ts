import type { Difference } from './recording/difference.js'
import type { Manifest, RecordedStep } from './recording/format.js'
import { RecordingError } from './recording/recording-error.js'
import type { StateDocument } from './test-control/handle/types.js'

/** The number of a step, 0 for the beginning, or a RequestID, for right after that request. */
export type Moment = number | string

/**
 * A recording, as a program looks at it. Nothing but its first line is kept in memory. Each method throws a
 * {@link RecordingError} if the file is damaged.
 */
export interface RecordingFile extends Pick<Manifest, 'version' | 'profile' | 'sandbox' | 'begun' | 'options'> {
  /** All steps, in order. */
  steps: () => AsyncIterable<RecordedStep>
  /** The sandbox at a moment. @throws {RecordingError} if there is no such moment */
  state: (moment: Moment) => Promise<StateDocument>
  /** What differs between two moments. @throws {RecordingError} if one of them does not exist */
  differences: (from: Moment, to: Moment) => Promise<Difference[]>
  /**
   * The first step after which a JMESPath expression over the state document is true, or not empty; 0 if it is so at
   * the beginning, and undefined if it never is.
   * @throws {RecordingError} if the expression cannot be read
   */
  find: (expression: string) => Promise<number | undefined>
}

/** What a recording needs besides its file. */
export interface RecordingOptions {
  /** The file of the profile that the server had; by default, it had none. */
  readonly profile?: string
}

/**
 * Opens a recording.
 * @throws {RecordingError} if the file is none, or one that this version cannot read
 * @throws {ProfileError} if the profile cannot be used
 */
export async function openRecording(file: string, { profile = '' }: RecordingOptions = {}): Promise<RecordingFile> {
  const about = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      throw error instanceof RecordingError ? inFile(file, error) : error
    }
  }
  const [{ openProfile }, { builtInWording }, { isStep, openRecording: open }, { firstStep, statesAt, stepAt }] =
    await Promise.all([
      import('./profile/file.js'),
      import('./http/vocabulary.js'),
      import('./recording/recording.js'),
      import('./recording/moments.js')
    ])
  const words = await openProfile(profile, builtInWording)
  const recording = await about(() => open(file))
  const { version, profile: name, sandbox, begun, options } = recording.manifest
  const statesOf = async (...moments: Moment[]) => {
    const steps = []
    for (const moment of moments) steps.push(await stepAt(recording, String(moment)))
    return statesAt(recording, words, steps)
  }
  return {
    version,
    profile: name,
    sandbox,
    begun,
    options,
    async *steps() {
      try {
        for await (const line of recording.lines()) if (isStep(line)) yield line
      } catch (error) {
        throw error instanceof RecordingError ? inFile(file, error) : error
      }
    },
    state: (moment) => about(async () => (await statesOf(moment))[0] as StateDocument),
    differences: (from, to) =>
      about(async () => {
        const { differencesOf } = await import('./recording/difference.js')
        const [before, after] = await statesOf(from, to)
        return differencesOf(before, after)
      }),
    find: async (expression) => {
      const { conditionOf } = await import('./recording/expression.js')
      const holds = conditionOf(expression)
      const found = await about(() => firstStep(recording, words, holds))
      return found === 'beginning' ? 0 : found?.step
    }
  }
}

function inFile(file: string, error: RecordingError): RecordingError {
  return new RecordingError(`${file} ${error.message}`, { cause: error })
}

import { callSite } from '../lib/call-site.js'
import type { Difference } from '../recording/difference.js'
import { inFile } from '../recording/recording-error.js'
import { fromCaller, throwingAt } from '../test-control/handle/from-caller.js'
import type { StateDocument } from '../test-control/handle/types.js'
import { needed } from './methods.js'

/** The number of a step, 0 for the beginning, or a RequestID, for right after that request. */
export type Moment = number | string

/** A step of a recording. docs/recording.md describes the further fields of each kind. */
export interface RecordingStep {
  /** Its number, from 1. */
  readonly step: number
  readonly kind: 'change' | 'event' | 'import' | 'seed' | 'reset' | 'restore' | 'request' | 'gap'
  /** RequestID of the request, or of its cause; a gap has none. */
  readonly id?: string
  /** The time in the sandbox, in milliseconds since 1970; a gap has none. */
  readonly at?: number
  readonly [field: string]: unknown
}

/**
 * An open recording, of which only the first line is kept in memory. Each method throws a {@link RecordingError} if the
 * file is damaged.
 */
export interface RecordingFile {
  /** Version of the server. */
  readonly version: string
  /** Name of its profile. */
  readonly profile: string
  /** Name of the sandbox: that of its key, or the beginning of its id. */
  readonly sandbox: string
  /** Timestamp of the beginning, by the machine's clock. */
  readonly begun: string
  /** Options that differ from the defaults, without secrets. */
  readonly options: Readonly<Record<string, unknown>>
  steps: () => AsyncIterable<RecordingStep>
  /** The sandbox at a moment. @throws {RecordingError} if there is no such moment */
  state: (moment: Moment) => Promise<StateDocument>
  /** The differences between two moments. @throws {RecordingError} if one of them does not exist */
  differences: (from: Moment, to: Moment) => Promise<Difference[]>
  /**
   * The first step after which a JMESPath expression over the state document is true, or not empty; 0 for the
   * beginning, and undefined if there is none.
   * @throws {RecordingError} if the expression is invalid
   */
  find: (expression: string) => Promise<number | undefined>
}

/** How to open a recording. */
export interface RecordingOptions {
  /** The file of the server's profile, if it had one. */
  readonly profile?: string
}

/**
 * Opens a recording.
 * @throws {RecordingError} if the file is not a recording, or this version cannot read it
 * @throws {ProfileError} if the profile cannot be used
 */
export async function openRecording(file: string, options: RecordingOptions = {}): Promise<RecordingFile> {
  return throwingAt(callSite(openRecording), () => openFile(needed({ file }), options))
}

async function openFile(file: string, { profile = '' }: RecordingOptions): Promise<RecordingFile> {
  const about = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      throw inFile(file, error)
    }
  }
  const [{ openProfile }, { isStep, openRecording: open }, { firstStep, statesAt, stepAt }] = await Promise.all([
    import('../resources/open-profile.js'),
    import('../recording/recording.js'),
    import('../recording/moments.js')
  ])
  const words = await openProfile(profile)
  const recording = await about(() => open(file))
  const { version, profile: name, sandbox, begun, options } = recording.manifest
  const statesOf = async (...moments: Moment[]) => {
    const steps = []
    for (const moment of moments) steps.push(await stepAt(recording, String(moment)))
    return statesAt(recording, words, steps)
  }
  return fromCaller<RecordingFile>({
    version,
    profile: name,
    sandbox,
    begun,
    options,
    async *steps() {
      try {
        for await (const line of recording.lines()) if (isStep(line)) yield { ...line }
      } catch (error) {
        throw inFile(file, error)
      }
    },
    state: (moment) => about(async () => (await statesOf(moment))[0] as StateDocument),
    differences: (from, to) =>
      about(async () => {
        const { differencesOf } = await import('../recording/difference.js')
        const [before, after] = await statesOf(from, to)
        return differencesOf(before, after)
      }),
    find: async (expression) => {
      const { conditionOf } = await import('../recording/expression.js')
      const holds = conditionOf(expression)
      const found = await about(() => firstStep(recording, words, holds))
      return found === 'beginning' ? 0 : found?.step
    }
  })
}

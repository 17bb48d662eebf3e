import { schemaErrors } from '../interface/check.js'
import {
  type Line,
  LINE_SCHEMAS,
  type Manifest,
  ManifestSchema,
  type RecordedStep,
  RECORDING_FORMAT
} from './format.js'
import { type ReadLimits, readLines } from './read-lines.js'
import { RecordingError } from './recording-error.js'

/** A recording. Its lines are read whenever they are needed, so that it may be larger than memory. */
export interface Recording {
  readonly manifest: Manifest
  /** All lines but the first, checked. @throws {RecordingError} at the first one that is wrong */
  lines: () => AsyncGenerator<Line>
}

/**
 * Opens a recording.
 * @throws {RecordingError} if it is none, or one that this version cannot read
 */
export async function openRecording(path: string, limits?: ReadLimits): Promise<Recording> {
  return recordingOf(() => readLines(path, limits))
}

/**
 * Makes a recording of its lines.
 * @param read begins with the first one each time that it is called
 * @throws {RecordingError} as {@link openRecording}
 */
export async function recordingOf(read: () => Iterable<string> | AsyncIterable<string>): Promise<Recording> {
  for await (const text of read()) {
    const manifest = checkManifest(parse(text, 'is not a recording'))
    return { manifest, lines: () => linesOf(read()) }
  }
  throw new RecordingError('is empty, or cut off in its first line')
}

async function* linesOf(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0
  let step = 0
  for await (const text of texts) {
    if (++number === 1) continue
    const damaged = `is damaged: line ${number}`
    const line = parse(text, `${damaged} is not JSON`) as Line
    const schema = LINE_SCHEMAS.get(line.kind)
    const [error] = schema === undefined ? [{ field: 'kind', reason: 'is unknown' }] : schemaErrors(schema, line)
    if (error !== undefined) throw new RecordingError(`${damaged}: ${error.field} ${error.reason}`)
    if ('step' in line) {
      if (line.step <= step) throw new RecordingError(`${damaged}: step ${line.step} does not follow step ${step}`)
      step = line.step
    }
    yield line
  }
}

function checkManifest(manifest: unknown): Manifest {
  const { svcmock: format, version } = manifest as { svcmock?: unknown; version?: unknown }
  if (typeof format !== 'number') throw new RecordingError('is not a recording')
  if (format > RECORDING_FORMAT)
    throw new RecordingError(`was made by a newer svc-mock (${String(version)}); use that one`)
  const [error] = schemaErrors(ManifestSchema, manifest)
  if (error !== undefined) throw new RecordingError(`is damaged: line 1: ${error.field} ${error.reason}`)
  return manifest as Manifest
}

function parse(text: string, problem: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new RecordingError(problem, { cause: error })
  }
  if (typeof value !== 'object' || value === null) throw new RecordingError(problem)
  return value
}

/** Whether a line is a step. */
export function isStep(line: Line): line is RecordedStep {
  return 'step' in line
}

import { schemaErrors } from '../interface/check.js'
import { toTimestamp } from '../lib/time.js'
import {
  type Line,
  LINE_SCHEMAS,
  type Manifest,
  ManifestSchema,
  type RecordedStep,
  RECORDING_FORMAT
} from './format.js'
import { readLines } from './read-lines.js'
import { RecordingError } from './recording-error.js'

/** A recording, which may be larger than memory: each call of `lines` reads the file. */
export interface Recording {
  readonly manifest: Manifest
  /** All lines but the first. @throws {RecordingError} at the first invalid one */
  lines: () => AsyncGenerator<Line>
}

/** Opens a recording. @throws {RecordingError} if this version cannot read it */
export async function openRecording(path: string): Promise<Recording> {
  return recordingOf(() => readLines(path))
}

/**
 * {@link openRecording} for lines from anywhere.
 * @param read begins with the first line at each call
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
    throw new RecordingError(`was made by a newer svc-mock (${String(version)}); use that version`)
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

export function isStep(line: Line): line is RecordedStep {
  return 'step' in line
}

/** A step in one line. */
export function describeStep(step: RecordedStep): string {
  const number = String(step.step).padStart(6)
  if (step.kind === 'gap') return `${number}  something was not recorded here`
  return `${number}  ${toTimestamp(step.at)}  ${step.id}  ${titleOf(step)}`
}

function titleOf(step: Exclude<RecordedStep, { readonly kind: 'gap' }>): string {
  switch (step.kind) {
    case 'request':
      return `${step.method} ${step.path} ${step.status ?? 'no reply'}`
    case 'event':
      return `event ${step.event.kind} of ${step.event.resource}`
    case 'change':
      return `row changes: ${step.changes.length}`
    default:
      return step.kind
  }
}

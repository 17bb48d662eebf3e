import type { RawChange, Row } from '../db/row-watcher.js'
import type { PreparedState } from '../documents/schemas.js'
import type { Condition } from '../interface/errors.js'
import { jsonInSlices } from '../interface/json-pieces.js'
import { NOTE_LIMIT, type RequestEntry, SHOWN_APART } from '../journal/journal.js'
import type { Slices } from '../lib/scheduler.js'
import { toTimestamp } from '../lib/time.js'
import type { Profile } from '../profile/profile.js'
import { vocabularyOf } from '../test-control/overview/overview.js'
import { showChanges } from '../test-control/requests/changes.js'
import { INVALID } from '../test-control/requests/record.js'
import { toRequestView } from '../test-control/requests/views.js'
import type { Line, Manifest, RecordedStep, RequestStep, WrittenChange } from './format.js'
import { patchOf } from './patch.js'
import { Playback } from './playback.js'
import { isStep, type Recording } from './recording.js'
import { RecordingError } from './recording-error.js'
import type { ViewedBeginning, ViewedDue, ViewedEnd, ViewedRequest, ViewedStep } from './viewed.js'

interface ViewLimits {
  readonly steps: number
  /** Characters of all lines. */
  readonly characters: number
}

/** Depth of a workspace in the first line. */
const WORKSPACE_LEVEL = 5

/** Fits into a page. */
export const VIEW_LIMITS: ViewLimits = { steps: 5000, characters: 64 * 1024 * 1024 }

/** The part of a recording to view. */
interface ViewedPart {
  /** Its first step. */
  readonly from?: number
  readonly limits?: ViewLimits
}

/**
 * Makes the view of a recording for the console, as JSON lines: the state document at the beginning, and its changes by
 * each step. A damaged recording is shown as far as it can be read.
 * @throws {RecordingError} if nothing can be read
 */
export async function* viewRecording(
  recording: Recording,
  profile: Profile,
  part?: ViewedPart
): AsyncGenerator<string> {
  const playback = await Playback.begin(recording.manifest, profile)
  const { add, end, isFull, isBegun } = viewer(playback, recording.manifest, part)
  let problem: string | undefined
  try {
    try {
      for await (const line of recording.lines()) {
        for (const text of add(line)) if (text !== undefined) yield text
        if (isFull()) break
      }
    } catch (error) {
      if (!(error instanceof RecordingError) || !isBegun()) throw error
      problem = error.message
    }
    for (const text of end(problem)) if (text !== undefined) yield text
  } finally {
    playback.close()
  }
}

/** Makes the lines of a view from those of a recording. Yields undefined between two slices of work. */
export function viewer(playback: Playback, { options }: Manifest, { from = 1, limits = VIEW_LIMITS }: ViewedPart = {}) {
  /** The state after the last step. */
  let state: PreparedState | undefined
  let at = 0
  let last = 0
  let count = 0
  let characters = 0
  /** A gap whose state follows from the next line. */
  let gap: Extract<RecordedStep, { readonly kind: 'gap' }> | undefined
  let next: number | undefined
  return {
    /** Whether there is no room for another step. */
    isFull: () => next !== undefined,
    isBegun: () => state !== undefined,
    add,
    end
  }

  /** Adds a line of the recording. @yields lines of the view */
  function* add(line: Line): Generator<string | undefined> {
    const step = isStep(line) ? line : undefined
    if (step !== undefined && step.step >= from) {
      if (count >= limits.steps || characters > limits.characters) {
        next = step.step
        return
      }
      if (state === undefined) yield yield* begin()
    }
    playback.apply(line)
    if (step === undefined) {
      if (line.kind === 'checkpoint') yield* endGap()
      return
    }
    yield* endGap()
    last = step.step
    if (step.kind !== 'gap') at = step.at
    if (step.step < from) return
    count++
    if (step.kind === 'gap') gap = step
    else yield write({ ...view(step), ...(yield* advance()) })
  }

  /** @yields the last lines of the view */
  function* end(problem?: string): Generator<string | undefined> {
    if (state === undefined) {
      // The view may begin right after the last step.
      if (from > last + 1) throw new RecordingError(`has no step ${from}; the last one is ${last}`)
      yield yield* begin()
    }
    yield* endGap()
    const line: ViewedEnd = {
      end: true,
      ...(next !== undefined && { next }),
      ...(problem !== undefined && { problem })
    }
    yield JSON.stringify(line)
  }

  function* begin(): Slices<string> {
    const { plane, sandbox: played } = playback
    state = yield* playback.readState()
    if (state === undefined) throw new RecordingError('ends before its first checkpoint')
    const { basePath, workspaceHostTemplate } = { ...plane.options, ...options }
    const beginning: ViewedBeginning = {
      after: last,
      at: at === 0 ? played.clock.base : at,
      overview: { ...vocabularyOf(plane), base_path: basePath },
      host_template: workspaceHostTemplate,
      id_forms: plane.profile.document.replies?.ids ?? {},
      state
    }
    return counted(yield* jsonInSlices(beginning, WORKSPACE_LEVEL))
  }

  function view(step: Exclude<RecordedStep, { readonly kind: 'gap' }>): ViewedStep {
    const { step: number, kind, id, at } = step
    const viewed = { step: number, kind, id, at }
    if (step.kind === 'request') return { ...viewed, request: requestOf(step) }
    if (!('changes' in step)) return viewed
    return {
      ...viewed,
      ...(step.kind === 'event' ? { event: step.event } : {}),
      ...changesOf(step.changes)
    }
  }

  function changesOf(written: readonly WrittenChange[]): Pick<ViewedStep, 'changes' | 'omitted' | 'due' | 'touches'> {
    if (written.length === 0) return {}
    const { plane } = playback
    const raw = written.map((change) => playback.toRaw(change))
    const shown = raw.filter((change) => SHOWN_APART.every((table) => !plane.isChangeOf(change, table)))
    const due = raw.flatMap((change) => (plane.isChangeOf(change, 'due_events') ? [dueOf(change)] : []))
    const touches = new Set(shown.flatMap((change) => touchedBy(change)))
    const omitted = shown.length - NOTE_LIMIT
    return {
      ...(shown.length === 0 ? {} : { changes: showChanges(plane, shown.slice(0, NOTE_LIMIT)) }),
      ...(omitted > 0 ? { omitted } : {}),
      ...(due.length === 0 ? {} : { due }),
      ...(touches.size === 0 ? {} : { touches: [...touches] })
    }
  }

  function dueOf(raw: RawChange): ViewedDue {
    const { change, before, after } = playback.plane.describeChange(raw)
    const { sequence, kind, resource, due, request_id: id } = (after ?? before) as unknown as DueRow
    return {
      what: change === 'insert' ? 'scheduled' : change === 'update' ? 'moved' : 'ended',
      key: `${sequence} ${kind} ${resource}`,
      event: kind,
      resource_id: resource,
      due: due === null ? null : toTimestamp(due),
      request_id: id
    }
  }

  /** The resource, and its workspace. */
  function touchedBy(raw: RawChange): string[] {
    const { before, after } = playback.plane.describeChange(raw)
    const { id, workspace } = (after ?? before) as Row
    return [id, workspace].filter((each) => typeof each === 'string')
  }

  function requestOf(step: RequestStep): ViewedRequest {
    const { operation, control, status, error, body, reply = null, params = {}, fault } = step
    const { retry_after: retryAfter, body_omitted: isBodyOmitted } = step
    const condition = error?.condition as Condition | undefined
    const isInvalid = condition !== undefined && INVALID.has(condition)
    const entry: RequestEntry = {
      ...step,
      params,
      operation: operation ?? undefined,
      isControl: control === true,
      body,
      ...(isBodyOmitted === undefined ? {} : { isBodyOmitted }),
      // A recording does not know which fields were unread.
      bodySchema: {},
      outcome: {
        status: status ?? undefined,
        reply: undefined,
        error: error && { condition, message: error.message, details: error.details, guardId: undefined },
        retryAfter,
        fault
      }
    }
    const request = toRequestView(playback.plane, entry)
    return {
      ...request,
      unread: [...request.unread],
      params,
      reply,
      ...(control === undefined ? {} : { control }),
      ...(isInvalid
        ? { invalid: error!.details.map(({ FieldName, Reason }) => ({ field: FieldName, reason: Reason })) }
        : {})
    }
  }

  /** Changes of the state since the previous step. */
  function* advance(): Slices<Pick<ViewedStep, 'patch'>> {
    const before = state
    state = yield* playback.readState()
    const patch = patchOf(before, state)
    return patch === undefined ? {} : { patch }
  }

  function* endGap(): Generator<string | undefined> {
    if (gap === undefined) return
    const { step } = gap
    gap = undefined
    yield write({ step, kind: 'gap', ...(yield* advance()) })
  }

  function write(line: ViewedStep): string {
    return counted(JSON.stringify(line))
  }

  function counted(text: string): string {
    characters += text.length
    return text
  }
}

interface DueRow {
  readonly sequence: number
  readonly kind: string
  readonly resource: string
  readonly due: number | null
  readonly request_id: string
}

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
  const viewer = new Viewer(playback, recording.manifest, part)
  try {
    try {
      for await (const line of recording.lines()) {
        for (const text of viewer.add(line)) if (text !== undefined) yield text
        if (viewer.isFull) break
      }
    } catch (error) {
      if (!(error instanceof RecordingError) || !viewer.isBegun) throw error
      viewer.problem = error.message
    }
    for (const text of viewer.end()) if (text !== undefined) yield text
  } finally {
    playback.close()
  }
}

/** Makes the lines of a view from those of a recording. Yields undefined between two slices of work. */
export class Viewer {
  readonly #playback: Playback
  /** Options of the server, other than the defaults. */
  readonly #options: Manifest['options']
  readonly #from: number
  readonly #limits: ViewLimits
  /** The state after the last step. */
  #state: PreparedState | undefined
  #at = 0
  #last = 0
  #steps = 0
  #characters = 0
  /** A gap whose state follows from the next line. */
  #gap: Extract<RecordedStep, { readonly kind: 'gap' }> | undefined
  #next: number | undefined
  /** Set if the recording is damaged here. */
  problem: string | undefined

  constructor(playback: Playback, manifest: Manifest, { from = 1, limits = VIEW_LIMITS }: ViewedPart = {}) {
    this.#playback = playback
    this.#options = manifest.options
    this.#from = from
    this.#limits = limits
  }

  /** Whether there is no room for another step. */
  get isFull(): boolean {
    return this.#next !== undefined
  }

  get isBegun(): boolean {
    return this.#state !== undefined
  }

  /** Adds a line of the recording. @yields lines of the view */
  *add(line: Line): Generator<string | undefined> {
    const step = isStep(line) ? line : undefined
    if (step !== undefined && step.step >= this.#from) {
      if (this.#steps >= this.#limits.steps || this.#characters > this.#limits.characters) {
        this.#next = step.step
        return
      }
      if (this.#state === undefined) yield yield* this.#begin()
    }
    this.#playback.apply(line)
    if (step === undefined) {
      if (line.kind === 'checkpoint') yield* this.#endGap()
      return
    }
    yield* this.#endGap()
    this.#last = step.step
    if (step.kind !== 'gap') this.#at = step.at
    if (step.step < this.#from) return
    this.#steps++
    if (step.kind === 'gap') this.#gap = step
    else yield this.#write({ ...this.#view(step), ...(yield* this.#advance()) })
  }

  /** @yields the last lines of the view */
  *end(): Generator<string | undefined> {
    if (this.#state === undefined) {
      // The view may begin right after the last step.
      if (this.#from > this.#last + 1)
        throw new RecordingError(`has no step ${this.#from}; the last one is ${this.#last}`)
      yield yield* this.#begin()
    }
    yield* this.#endGap()
    const end: ViewedEnd = {
      end: true,
      ...(this.#next === undefined ? {} : { next: this.#next }),
      ...(this.problem === undefined ? {} : { problem: this.problem })
    }
    yield JSON.stringify(end)
  }

  *#begin(): Slices<string> {
    const { plane, sandbox: played } = this.#playback
    const state = yield* this.#playback.readState()
    if (state === undefined) throw new RecordingError('ends before its first checkpoint')
    this.#state = state
    const { basePath, workspaceHostTemplate } = { ...plane.options, ...this.#options }
    const beginning: ViewedBeginning = {
      after: this.#last,
      at: this.#at === 0 ? played.clock.base : this.#at,
      overview: { ...vocabularyOf(plane), base_path: basePath },
      host_template: workspaceHostTemplate,
      id_forms: plane.profile.document.replies?.ids ?? {},
      state
    }
    return this.#count(yield* jsonInSlices(beginning, WORKSPACE_LEVEL))
  }

  #view(step: Exclude<RecordedStep, { readonly kind: 'gap' }>): ViewedStep {
    const { step: number, kind, id, at } = step
    const viewed = { step: number, kind, id, at }
    if (step.kind === 'request') return { ...viewed, request: this.#request(step) }
    if (!('changes' in step)) return viewed
    return {
      ...viewed,
      ...(step.kind === 'event' ? { event: step.event } : {}),
      ...this.#changes(step.changes)
    }
  }

  #changes(written: readonly WrittenChange[]): Pick<ViewedStep, 'changes' | 'omitted' | 'due' | 'touches'> {
    if (written.length === 0) return {}
    const { plane } = this.#playback
    const raw = written.map((change) => this.#playback.toRaw(change))
    const shown = raw.filter((change) => SHOWN_APART.every((table) => !plane.isChangeOf(change, table)))
    const due = raw.flatMap((change) => (plane.isChangeOf(change, 'due_events') ? [this.#due(change)] : []))
    const touches = new Set(shown.flatMap((change) => this.#touchedBy(change)))
    const omitted = shown.length - NOTE_LIMIT
    return {
      ...(shown.length === 0 ? {} : { changes: showChanges(plane, shown.slice(0, NOTE_LIMIT)) }),
      ...(omitted > 0 ? { omitted } : {}),
      ...(due.length === 0 ? {} : { due }),
      ...(touches.size === 0 ? {} : { touches: [...touches] })
    }
  }

  #due(raw: RawChange): ViewedDue {
    const { change, before, after } = this.#playback.plane.describeChange(raw)
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
  #touchedBy(raw: RawChange): string[] {
    const { before, after } = this.#playback.plane.describeChange(raw)
    const { id, workspace } = (after ?? before) as Row
    return [id, workspace].filter((each) => typeof each === 'string')
  }

  #request(step: RequestStep): ViewedRequest {
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
    const request = toRequestView(this.#playback.plane, entry)
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
  *#advance(): Slices<Pick<ViewedStep, 'patch'>> {
    const state = (yield* this.#playback.readState())!
    const patch = patchOf(this.#state, state)
    this.#state = state
    return patch === undefined ? {} : { patch }
  }

  *#endGap(): Generator<string | undefined> {
    const gap = this.#gap
    this.#gap = undefined
    if (gap !== undefined) yield this.#write({ step: gap.step, kind: 'gap', ...(yield* this.#advance()) })
  }

  #write(line: ViewedStep): string {
    return this.#count(JSON.stringify(line))
  }

  #count(text: string): string {
    this.#characters += text.length
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

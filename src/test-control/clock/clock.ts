import { type FieldError, fieldNotAllowed, invalidBody, ServiceError } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import type { Slices } from '../../lib/scheduler.js'
import {
  addDuration,
  DURATION_FORMS,
  LAST_TIME,
  parseDuration,
  parseTimestamp,
  TIMESTAMP_FORM,
  toTimestamp,
  wallTime
} from '../../lib/time.js'
import type { StateWords } from '../../profile/states.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { STATES } from '../../resources/states.js'
import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { AdvanceSchema, ClockSchema, ClockSettingSchema, MovedSchema } from '../../sim/clock-schemas.js'
import { EVENT_LIMIT, type Run } from '../../sim/engine.js'
import { DELETED } from '../../sim/state-machine.js'
import { toFiredView } from '../../sim/views.js'
import { wholeResource } from '../cut-ids.js'
import { sleepersOf } from './sleepers.js'

type Clock = Shape<typeof ClockSchema>
type ClockSetting = Shape<typeof ClockSettingSchema>
type Advance = Shape<typeof AdvanceSchema>
export type Moved = Shape<typeof MovedSchema>

const DEFAULT_MAX = 'P1D'

/** Maximum number of transitions listed in the error about a sandbox that does not become idle. */
const NAMED_TRANSITIONS = 20

export function readClock(plane: ControlPlane, sandbox: Sandbox): Clock {
  const { clock, behind } = sandbox
  const { mode, rate } = clock
  return { mode, now: toTimestamp(plane.engine.now(sandbox)), rate, ...(behind === 0 ? {} : { behind_ms: behind }) }
}

/**
 * Sets the clock, and runs the events that are due by the new time.
 * @throws {ServiceError} if the time is before the newest change in the timeline
 */
export async function setClock(plane: ControlPlane, origin: Origin, setting: ClockSetting): Promise<Moved> {
  const { sandbox } = origin
  const patience = setting.patience === undefined ? undefined : duration('patience', setting.patience)
  const moved = unlessLimited(
    await plane.writeInSlices(origin, function* (tx) {
      const now = setting.now === undefined ? tx.now : timestamp('now', setting.now)
      if (now < sandbox.newestChange) {
        throw fieldNotAllowed(
          'now',
          `must not be before ${toTimestamp(sandbox.newestChange)}, the time of the newest change`
        )
      }
      const run = yield* plane.engine.moveClock(sandbox, now)
      const { mode, rate, base } = sandbox.clock
      plane.engine.setClock(sandbox, {
        mode: setting.mode ?? mode,
        rate: setting.rate ?? rate,
        base,
        anchor: wallTime()
      })
      return toView(plane, sandbox, run)
    })
  )
  if (patience !== undefined || sandbox.sleepers !== undefined)
    sleepersOf(plane, sandbox).setPatience(patience && addDuration(0, patience))
  return moved
}

/**
 * Advances the clock, and runs the events that are due on the way.
 * @throws {ServiceError} if the time is in the past or an `until` is not met (then nothing is changed), or if too many
 * events are due (then those that ran are kept, and the clock stands at the last one)
 */
export async function advanceClock(plane: ControlPlane, origin: Origin, advance: Advance): Promise<Moved> {
  const { sandbox } = origin
  const errors = untilErrors(advance.until, plane.profile.words.workspace)
  if (errors.length > 0) throw invalidBody(errors)
  const ways = [advance.by, advance.to, advance.until].filter((way) => way !== undefined)
  if (ways.length !== 1) throw invalidBody([{ field: '', reason: 'must have exactly one of by, to and until' }])
  const { until } = advance
  if (until === undefined) {
    return unlessLimited(
      await plane.writeInSlices(origin, function* ({ now }) {
        return toView(plane, sandbox, yield* plane.engine.moveClock(sandbox, target(now, advance)))
      })
    )
  }
  return unlessLimited(
    await plane.tryInSlices(origin, function* ({ now }) {
      const limit = addDuration(now, duration('max', advance.max ?? DEFAULT_MAX))
      const goal = until === 'idle' ? idleGoal(plane, sandbox, limit) : statusGoal(plane, sandbox, limit, until)
      return toView(plane, sandbox, yield* runUntil(plane, sandbox, limit, goal))
    })
  )
}

function target(now: number, { by, to }: Advance): number {
  if (by !== undefined) {
    const time = addDuration(now, duration('by', by))
    if (time >= LAST_TIME) throw fieldNotAllowed('by', `must not lead beyond ${toTimestamp(LAST_TIME)}`)
    return time
  }
  const time = timestamp('to', to!)
  if (time < now) throw fieldNotAllowed('to', `must not be in the past; it is ${toTimestamp(now)}`)
  return time
}

/** The condition of an `until`. */
interface Goal {
  isReached: () => boolean
  /** Why it is not met. */
  complaint: () => string
}

function statusGoal(
  plane: ControlPlane,
  sandbox: Sandbox,
  limit: number,
  { workspace_id: given, status: word }: { workspace_id: string; status: string }
): Goal {
  const id = wholeResource(plane, sandbox, given)
  const { toWire, fromWire } = plane.profile.words.workspace
  const status = fromWire(word)
  const { workspaces } = plane.storesOf(sandbox)
  const current = () => workspaces.find(id)?.status ?? DELETED
  if (current() === DELETED && !plane.timeline.has(sandbox.key, id, WORKSPACE_TRANSITIONS.delete.name)) {
    throw fieldNotAllowed('until.workspace_id', `${id} is not a workspace`)
  }
  return {
    isReached: () => current() === status,
    complaint: () =>
      `The workspace ${id} does not become ${word} by ${toTimestamp(limit)}: it is ${toWire(current())}, and ` +
      `${nextOf(plane, sandbox.key, id)}.`
  }
}

function idleGoal({ engine }: ControlPlane, sandbox: Sandbox, limit: number): Goal {
  return {
    // Events due when the last transition ends run first, because they may start another one.
    isReached: () => !engine.isAnyUnderWay(sandbox) && engine.dueEvents.earliest(sandbox.key) > engine.now(sandbox),
    complaint: () => {
      const named = engine
        .underWay(sandbox, NAMED_TRANSITIONS)
        .map(
          ({ kind, resource, due }) => `${kind} of ${resource} (${due === null ? 'held' : `due ${toTimestamp(due)}`})`
        )
      return `The sandbox does not become idle by ${toTimestamp(limit)}: ${named.join(', ')}.`
    }
  }
}

function* runUntil(plane: ControlPlane, sandbox: Sandbox, limit: number, { isReached, complaint }: Goal): Slices<Run> {
  if (isReached()) return { fired: [], count: 0, last: undefined, limited: false }
  const run = yield* plane.engine.moveClock(sandbox, limit, isReached)
  // Errors within the trial undo everything.
  if (run.limited) {
    throw new ServiceError(
      'notAllowed',
      `More than ${EVENT_LIMIT} events are due before that; move the clock in smaller steps, with by or to.`
    )
  }
  if (!isReached()) throw new ServiceError('notAllowed', complaint())
  return run
}

function nextOf({ engine }: ControlPlane, sandbox: number, resource: string): string {
  const next = engine.dueEvents.firstOfResource(sandbox, resource)
  if (next === undefined) return 'nothing is due for it'
  return next.due === null ? `its ${next.kind} is held` : `its ${next.kind} is due ${toTimestamp(next.due)}`
}

function toView(plane: ControlPlane, sandbox: Sandbox, { fired, count, limited }: Run): Moved & Pick<Run, 'limited'> {
  const omitted = count - fired.length
  return {
    clock: readClock(plane, sandbox),
    fired: fired.map(toFiredView),
    ...(omitted === 0 ? {} : { omitted }),
    limited
  }
}

/** Throws after the write, which keeps the events that ran. */
function unlessLimited({ limited, ...moved }: Moved & Pick<Run, 'limited'>): Moved {
  if (!limited) return moved
  throw new ServiceError(
    'notAllowed',
    `More than ${EVENT_LIMIT} events are due. Those that ran are kept, and the clock stands at ${moved.clock.now}: ` +
      'repeat the call to continue, or move in smaller steps.'
  )
}

/** A schema of alternatives would report each of them; one sentence is clearer. */
function untilErrors(until: unknown, { toWire, fromWire }: StateWords['workspace']): FieldError[] {
  if (until === undefined || until === 'idle') return []
  if (typeof until !== 'object' || until === null || Array.isArray(until)) {
    return [{ field: 'until', reason: 'must be "idle", or an object with workspace_id and status' }]
  }
  const { workspace_id: id, status } = until as Record<string, unknown>
  const { workspace: states } = STATES
  const errors = Object.keys(until)
    .filter((field) => field !== 'workspace_id' && field !== 'status')
    .map((field) => ({ field: `until.${field}`, reason: 'is not a field of this request' }))
  if (typeof id !== 'string') errors.push({ field: 'until.workspace_id', reason: 'must be the id of a workspace' })
  if (typeof status !== 'string' || !states.includes(fromWire(status)))
    errors.push({ field: 'until.status', reason: `must be one of ${states.map(toWire).join(', ')}` })
  return errors
}

function timestamp(field: string, text: string): number {
  const time = parseTimestamp(text)
  if (time === undefined) {
    throw invalidBody([{ field, reason: `must be a timestamp ${TIMESTAMP_FORM}, at most ${toTimestamp(LAST_TIME)}` }])
  }
  return time
}

function duration(field: string, text: string) {
  const parsed = parseDuration(text)
  if (parsed === undefined) throw invalidBody([{ field, reason: `must be a duration ${DURATION_FORMS}` }])
  return parsed
}

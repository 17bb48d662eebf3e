import { invalidBody } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
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
import { type ControlPlane, type Origin, originOf } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { ClockMode } from '../../sim/clock.js'
import type { SleepSchema } from '../../sim/clock-schemas.js'
import { Sleepers } from '../../sim/sleepers.js'

/** The participants that sleep by the clock of a sandbox. */
export function sleepersOf(plane: ControlPlane, sandbox: Sandbox): Sleepers {
  const { engine } = plane
  const setMode = (mode: ClockMode, now: number) =>
    engine.setClock(sandbox, { ...sandbox.clock, mode, base: now, anchor: wallTime() })
  return (sandbox.sleepers ??= new Sleepers({
    read: () => {
      // Reading the time may set a clock that was ahead of the machine's.
      const now = engine.now(sandbox)
      return { clock: sandbox.clock, now }
    },
    move: (to, id, stops) =>
      plane.writeInSlices({ sandbox, id }, function* ({ now }) {
        if (stops) setMode('frozen', now)
        if (to > now) yield* engine.moveClock(sandbox, to)
      }),
    run: () => plane.write(originOf(sandbox), ({ now }) => setMode('real', now))
  }))
}

/**
 * Waits until the sandbox's clock has reached a moment; see `Sleepers`.
 * @param connection aborted when the caller disconnects
 */
export async function sleepUntil(
  plane: ControlPlane,
  { sandbox, id }: Origin,
  { participant, until }: Shape<typeof SleepSchema>,
  connection: AbortSignal
): Promise<void> {
  const moment = until === undefined ? Infinity : momentOf(plane.engine.now(sandbox), until)
  await sleepersOf(plane, sandbox).sleep(participant, moment, connection, id)
}

function momentOf(now: number, until: string): number {
  const duration = parseDuration(until)
  const moment = duration === undefined ? parseTimestamp(until) : addDuration(now, duration)
  if (moment !== undefined) return moment
  const forms = `a timestamp ${TIMESTAMP_FORM}, at most ${toTimestamp(LAST_TIME)}, or a duration`
  throw invalidBody([{ field: 'until', reason: `must be ${forms} ${DURATION_FORMS}` }])
}

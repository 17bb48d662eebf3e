import { invalidBody } from '../../interface/errors.js'
import { addDuration, DURATION_FORMS, LAST_TIME, parseDuration, parseTimestamp, toTimestamp } from '../../lib/time.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { readClock } from './clock.js'
import { sleepersOf } from './sleepers.js'

/** How a participant sleeps. */
export interface SleepSetting {
  /** Names the participant. */
  readonly participant: string
  /** Timestamp or duration; absent: until it calls again. */
  readonly until?: string
}

/**
 * Waits until the sandbox's clock has reached a moment; see `Sleepers`.
 * @param connection aborted when the caller is gone
 * @returns the clock afterwards
 */
export async function sleepUntil(
  plane: ControlPlane,
  { sandbox, id }: Origin,
  setting: SleepSetting,
  connection: AbortSignal
): Promise<ReturnType<typeof readClock>> {
  const until = setting.until === undefined ? Infinity : momentOf(plane.engine.now(sandbox), setting.until)
  await sleepersOf(plane, sandbox).sleep(setting.participant, until, connection, id)
  return readClock(plane, sandbox)
}

function momentOf(now: number, until: string): number {
  const duration = parseDuration(until)
  const moment = duration === undefined ? parseTimestamp(until) : addDuration(now, duration)
  if (moment === undefined)
    throw invalidBody([
      {
        field: 'until',
        reason:
          `must be a timestamp such as 2026-01-02T03:04:05.678Z, at most ${toTimestamp(LAST_TIME)}, or a duration ` +
          DURATION_FORMS
      }
    ])
  return moment
}

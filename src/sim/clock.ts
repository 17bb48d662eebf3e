import { FIRST_TIME, LAST_TIME, wallTime } from '../lib/time.js'

/** How a sandbox's clock runs: in real time, frozen, or from event to event as its resources are read. */
export const CLOCK_MODES = ['real', 'frozen', 'poll'] as const
export type ClockMode = (typeof CLOCK_MODES)[number]

/** A sandbox's clock: it showed `base` when the wall clock showed `anchor`. Times are milliseconds since 1970. */
export interface ClockState {
  readonly mode: ClockMode
  readonly base: number
  readonly anchor: number
  /** Sandbox seconds per second of the wall clock; only used in mode `real`. */
  readonly rate: number
}

export const WALL_CLOCK: ClockState = { mode: 'real', base: 0, anchor: 0, rate: 1 }

/** The setting of the clock for a client in virtual time: it runs while the client works for long, or never sleeps. */
export const VIRTUAL_CLOCK = { mode: 'frozen', patience: '2s' } as const

/** The time a clock shows when the wall clock shows `wall`, clamped to the first and last time there is. */
export function timeOf(clock: ClockState, wall: number): number {
  return clock.mode === 'real' ? clamp(Math.floor(clock.base + (wall - clock.anchor) * clock.rate)) : clock.base
}

/** A sandbox's time, which is never before past changes. Reads its clock without moving it. */
export function presentOf({ clock, newestChange }: { clock: ClockState; newestChange: number }): number {
  return Math.max(timeOf(clock, wallTime()), newestChange)
}

const clamp = (time: number): number => Math.max(FIRST_TIME, Math.min(time, LAST_TIME))

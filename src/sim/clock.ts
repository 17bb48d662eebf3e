import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { FIRST_TIME, LAST_TIME } from '../lib/time.js'

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

/** A clock that follows the wall clock. */
export const WALL_CLOCK: ClockState = { mode: 'real', base: 0, anchor: 0, rate: 1 }

/** The wall clock, in milliseconds since 1970. */
export function wallTime(): number {
  return Date.now()
}

/** Milliseconds since the process started; unlike the wall clock, it never goes back. */
export function machineTime(): number {
  return performance.now()
}

/** Waits some milliseconds of machine time. Returns at once, without an error, if the signal is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}

/** Waits like {@link sleep}, about a connection: it is this that keeps the process alive, if anything does. */
export async function sleepBeside(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}

/**
 * Acts when a socket has been silent for some machine time, also while it connects.
 * @returns a function that ends this
 */
export function onSilence(socket: Socket, milliseconds: number, act: () => void): () => void {
  socket.setTimeout(milliseconds).on('timeout', act)
  return () => socket.setTimeout(0).off('timeout', act)
}

/** The time a clock shows when the wall clock shows `wall`, clamped to the first and last time there is. */
export function timeOf(clock: ClockState, wall: number): number {
  return clock.mode === 'real' ? clamp(Math.floor(clock.base + (wall - clock.anchor) * clock.rate)) : clock.base
}

const clamp = (time: number): number => Math.max(FIRST_TIME, Math.min(time, LAST_TIME))

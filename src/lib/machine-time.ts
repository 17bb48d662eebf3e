import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

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

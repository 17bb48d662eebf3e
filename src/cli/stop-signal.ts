import { once } from 'node:events'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Listens to SIGINT and SIGTERM: the first aborts `signal`, the second ends the process. */
export function listenToSignals(): { readonly signal: AbortSignal; readonly close: () => void } {
  const asked = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    asked.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    signal: asked.signal,
    close: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    }
  }
}

/** Waits for the first signal; the second ends the process at once. */
export async function stopSignal(): Promise<void> {
  await once(listenToSignals().signal, 'abort')
}

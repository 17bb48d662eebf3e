import { CallError, type Client } from './client'
import { eventsOf } from './sse'
import type { StreamEvent } from './types'

export type Link = 'connecting' | 'live' | 'lost'

interface Hooks {
  readonly onEvent: (event: StreamEvent) => void
  readonly onLink: (link: Link) => void
  /** The server refuses the key or the token, so trying again would not help. */
  readonly onRefused: (error: CallError) => void
}

/** How long the stream may be silent. The server sends a sign of life every 15 seconds. */
const SILENCE = 40_000
const SHORTEST_WAIT = 500
const LONGEST_WAIT = 10_000

/** Listens to a sandbox until the signal is aborted. Reconnects when needed, and continues after the last event. */
export async function listen(
  client: Client,
  { onEvent, onLink, onRefused }: Hooks,
  signal: AbortSignal
): Promise<void> {
  let last: string | undefined
  let wait = SHORTEST_WAIT
  while (!signal.aborted) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal.addEventListener('abort', stop)
    let watchdog = setTimeout(stop, SILENCE)
    try {
      const reply = await client.send(
        'GET',
        '/_mock/stream',
        last === undefined ? {} : { 'last-event-id': last },
        undefined,
        attempt.signal
      )
      if (!reply.ok || reply.body === null) throw await errorOf(reply)
      onLink('live')
      wait = SHORTEST_WAIT
      for await (const event of eventsOf(reply.body)) {
        clearTimeout(watchdog)
        watchdog = setTimeout(stop, SILENCE)
        if (event === 'alive') continue
        last = event.id
        onEvent({ event: event.event, data: JSON.parse(event.data) as object } as StreamEvent)
      }
    } catch (error) {
      if (error instanceof CallError && [401, 403].includes(error.status)) {
        onRefused(error)
        return
      }
    } finally {
      clearTimeout(watchdog)
      signal.removeEventListener('abort', stop)
    }
    if (isAborted(signal)) return
    onLink('lost')
    await new Promise((resolve) => {
      setTimeout(resolve, wait)
    })
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
}

const isAborted = (signal: AbortSignal) => signal.aborted

async function errorOf(reply: Response): Promise<CallError> {
  const text = await reply.text().catch(() => '')
  let message = `The server answered ${reply.status}.`
  try {
    message = (JSON.parse(text) as { Message?: string }).Message ?? message
  } catch {
    // The body is not an envelope.
  }
  return new CallError(reply.status, message)
}

import { answerOf, CallError, type Client } from './client'
import type { StreamEvent } from './types'

export type Link = 'connecting' | 'live' | 'lost'

interface Hooks {
  readonly onEvent: (event: StreamEvent) => void
  readonly onLink: (link: Link) => void
  readonly onRefused: (error: CallError) => void
}

/** Maximum silence, in milliseconds. The server sends a heartbeat every 15 seconds. */
const SILENCE = 40_000
const SHORTEST_WAIT = 500
const LONGEST_WAIT = 10_000

/** Listens to a sandbox until the signal is aborted. Reconnects, and continues after the last event. */
export async function listen(
  client: Client,
  { onEvent, onLink, onRefused }: Hooks,
  signal: AbortSignal
): Promise<void> {
  let last: string | undefined
  let wait = SHORTEST_WAIT
  const isOver = () => signal.aborted
  while (!isOver()) {
    const silence = new AbortController()
    const watch = () => setTimeout(() => silence.abort(), SILENCE)
    let watchdog = watch()
    try {
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const either = AbortSignal.any([signal, silence.signal])
      const reply = await client.send('GET', '/_mock/stream', headers, undefined, either)
      if (!reply.ok) await answerOf(reply)
      onLink('live')
      wait = SHORTEST_WAIT
      for await (const block of blocksOf(reply.body!)) {
        clearTimeout(watchdog)
        watchdog = watch()
        const [, id, event, data] = /^id: ([^\n]*)\nevent: ([^\n]*)\ndata: ([^\n]*)$/.exec(block) ?? []
        if (data === undefined) continue // a heartbeat
        last = id
        onEvent({ event, data: JSON.parse(data) as object } as StreamEvent)
      }
    } catch (error) {
      if (error instanceof CallError && error.isRefusal) {
        onRefused(error)
        return
      }
    } finally {
      clearTimeout(watchdog)
    }
    if (isOver()) return
    onLink('lost')
    await new Promise((resolve) => {
      setTimeout(resolve, wait)
    })
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
}

/** The blocks of a stream of server-sent events. (EventSource cannot send a key in a header.) */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop()!
      yield* blocks
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

import type { Exchange } from '../../src/fidelity/exchange.js'
import { parsed } from '../../src/lib/parsed.js'
import type { SandboxHandle } from '../../src/node/index.js'
import type { Chance } from './chance.js'

/** A request as it travels. */
export interface WireRequest {
  readonly method: string
  /** With the base path. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

export interface WireReply {
  /** null: the connection was closed without a reply. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** How the recorder's clock differs from that of the service. */
interface RecorderClock {
  /** Milliseconds that it is fast. */
  readonly offset: number
  /** Milliseconds gained in a million. */
  readonly drift: number
  /** Maximum error of a reading, in milliseconds. */
  readonly jitter: number
}

/** The masked credentials in the recording. */
export const TOKENS = { key: { 'x-api-key': 'key-1' }, session: { authorization: 'Bearer session-1' } } as const

/** What happens to a request on its way: a busy service or the network fails. */
export interface Mishap {
  readonly phase: 'before' | 'after-commit'
  readonly effect:
    { readonly status: number; readonly reason: string; readonly retry_after?: number } | { readonly reply: 'drop' }
}

/** A request to send. */
export interface Planned {
  readonly request: WireRequest
  /** Milliseconds after the last reply. */
  readonly after: number
  readonly mishap?: Mishap | undefined
}

interface RecorderOptions {
  readonly box: SandboxHandle
  /** When the recording begins, by the service's clock, in milliseconds since 1970. */
  readonly start: number
  readonly clock: RecorderClock
  readonly chance: Chance
  /** The address that the service sees. */
  readonly clientAddress: string
}

export type Recorder = ReturnType<typeof recorderOf>

/** Sends requests at chosen times of the sandbox's clock, and records them as a proxy would. */
export function recorderOf({ box, start, clock, chance, clientAddress }: RecorderOptions) {
  const kept: Omit<Exchange, 'number'>[] = []
  /** The service's time. */
  let now = start
  /** The recorder's last reading. Its clock does not go back. */
  let lastReading = -Infinity
  return {
    /** The service's time, in milliseconds since 1970. */
    now: () => now,
    /** All exchanges, in the order in which their requests were sent. */
    exchanges: (): Exchange[] =>
      kept
        .toSorted((one, other) => one.sent - other.sent)
        .map((exchange, index) => ({ number: index + 1, ...exchange })),
    pause: async (milliseconds: number) => {
      now += Math.round(milliseconds)
      await moveTo(now)
    },
    send
  }

  /** Sends concurrent requests. The service handles each at some instant before its reply, not always in order. */
  async function send(planned: readonly Planned[]): Promise<WireReply[]> {
    const trips = planned
      .map(({ request, after, mishap }, index) => {
        const sent = now + Math.round(after)
        const latency = Math.round(chance.magnitude(20, 3000) * chance.between(0.3, 1))
        const answered = sent + Math.max(20, latency)
        const handled = sent + Math.round((answered - sent) * chance.between(0.1, 0.9))
        return { request, mishap, index, sent, handled, answered }
      })
      .sort((one, other) => one.handled - other.handled)
    const replies: WireReply[] = []
    const exchanges: Omit<Exchange, 'number'>[] = []
    for (const { request, mishap, index, sent, handled, answered } of trips) {
      await moveTo(handled)
      const reply = await perform(request, mishap)
      replies[index] = reply
      const { body: requestBody, headers: requestHeaders, ...line } = request
      const own = requestBody === undefined ? {} : { requestBody }
      exchanges.push({ ...line, sent, answered, requestHeaders, ...own, ...reply })
      now = Math.max(now, answered)
    }
    for (const exchange of exchanges.sort((one, other) => one.sent - other.sent)) {
      lastReading = Math.max(reading(exchange.sent), lastReading)
      kept.push({ ...exchange, sent: lastReading, answered: Math.max(reading(exchange.answered), lastReading + 1) })
    }
    return replies
  }

  /** The time on the recorder's clock at a time of the service. */
  function reading(moment: number): number {
    const gained = ((moment - start) * clock.drift) / 1_000_000
    return Math.round(moment + clock.offset + gained + chance.between(-clock.jitter, clock.jitter))
  }

  async function moveTo(moment: number): Promise<void> {
    await box.clock.advance({ to: new Date(moment).toISOString() })
  }

  async function perform(request: WireRequest, mishap: Mishap | undefined): Promise<WireReply> {
    if (mishap === undefined) return sendOne(request)
    const { id } = await box.fault.add({ ...mishap, times: 1 })
    const reply = await sendOne(request)
    await box.fault.remove(id)
    return reply
  }

  async function sendOne({ method, path, query, headers, body }: WireRequest): Promise<WireReply> {
    const sent = {
      ...headers,
      ...(headers['x-api-key'] === TOKENS.key['x-api-key'] ? { 'x-api-key': box.key } : {}),
      ...(headers['authorization'] === TOKENS.session.authorization ? { authorization: `Bearer ${box.key}` } : {}),
      'x-forwarded-for': clientAddress
    }
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    try {
      const reply = await fetch(`${box.url}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: sent,
        body: text
      })
      const content = await reply.text()
      const received = content === '' ? {} : { body: parsed(content) }
      return { status: reply.status, headers: Object.fromEntries(reply.headers), ...received }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return { status: null, headers: {} }
    }
  }
}

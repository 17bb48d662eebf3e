import type { Exchange } from '../../src/fidelity/exchange.js'
import { parsed } from '../../src/lib/parsed.js'
import type { SandboxHandle } from '../../src/node/index.js'
import type { Chance } from './chance.js'

/** A request as it travels: a text is sent as it is, any other body as JSON. */
export type WireRequest = Pick<Exchange, 'method' | 'path' | 'query' | 'requestHeaders' | 'requestBody'>

export type WireReply = Pick<Exchange, 'status' | 'headers' | 'body'>

/** The masked credentials in the recording. */
export const TOKENS = { key: { 'x-api-key': 'key-1' }, session: { authorization: 'Bearer session-1' } } as const

/** What happens to a request on its way: a busy service or the network fails. */
export type Mishap = Pick<Parameters<SandboxHandle['fault']['add']>[0], 'phase' | 'effect'>

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
  /** How the recorder's clock differs: milliseconds that it is fast, that it gains in a million, and maximum error. */
  readonly clock: { readonly offset: number; readonly drift: number; readonly jitter: number }
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
      exchanges.push({ ...request, sent, answered, ...reply })
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

  async function sendOne({ method, path, query, requestHeaders, requestBody }: WireRequest): Promise<WireReply> {
    const url = `${box.url}${path}${query === '' ? '' : `?${query}`}`
    const headers = {
      ...requestHeaders,
      ...(requestHeaders['x-api-key'] === TOKENS.key['x-api-key'] ? { 'x-api-key': box.key } : {}),
      ...(requestHeaders['authorization'] === TOKENS.session.authorization && { authorization: `Bearer ${box.key}` }),
      'x-forwarded-for': clientAddress
    }
    const text = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody)
    const body = requestBody === undefined ? null : text
    try {
      const reply = await fetch(url, { method, headers, body })
      const content = await reply.text()
      const received = content === '' ? {} : { body: parsed(content) }
      return { status: reply.status, headers: Object.fromEntries(reply.headers), ...received }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return { status: null, headers: {} }
    }
  }
}

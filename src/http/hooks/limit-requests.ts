import type { FastifyReply } from 'fastify'
import { quantity } from '../../lib/quantity.js'
import { toDate } from '../../lib/time.js'
import { type Limit, TOO_MANY_REQUESTS } from '../../profile/limits.js'
import type { RequestWindow, Sandbox } from '../../sandboxes/sandbox.js'
import { GatewayError } from '../error-handler.js'
import type { OnRequest } from '../request-context.js'

/**
 * Refuses requests beyond the limits of a profile. A window begins with the first request after the last one, and is
 * kept in memory only.
 */
export function limitRequests(limits: readonly Limit[]): OnRequest {
  return ({ sandbox, arrival }, reply, done) => {
    const now = arrival!.at
    const windows = limits.map((limit) => ({ limit, window: windowOf(sandbox, limit, now) }))
    const full = windows.find(({ limit, window }) => window.count >= limit.requests)
    if (full === undefined) for (const { window } of windows) window.count++
    addHeaders(reply, windows, now)
    if (full === undefined) {
      done()
      return
    }
    const { requests, window, retryAfter } = full.limit
    const end = full.window.begun + window
    const seconds = secondsTo(end, now)
    const shown = retryAfter === 'date' ? toDate(secondsTo(end, 0) * 1000).toUTCString() : seconds
    if (retryAfter !== 'none') void reply.header('retry-after', shown)
    throw new GatewayError(
      'too_many_requests',
      'quotaExceeded',
      `At most ${quantity(requests, 'request')} in ${window / 1000} s may be sent; try again in ${seconds} s.`,
      TOO_MANY_REQUESTS
    )
  }

  function windowOf({ windows }: Sandbox, limit: Limit, now: number): RequestWindow {
    const current = windows.get(limit)
    // A clock can be set back.
    const isOpen = current !== undefined && now >= current.begun && now < current.begun + limit.window
    const window = isOpen ? current : { begun: now, count: 0 }
    windows.set(limit, window)
    return window
  }
}

/** Adds the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function addHeaders(
  reply: FastifyReply,
  windows: readonly { limit: Limit; window: RequestWindow }[],
  now: number
): void {
  const shown = windows.filter(({ limit }) => limit.hasFields)
  if (shown.length === 0) return
  const items = (item: (limit: Limit, window: RequestWindow) => string) =>
    shown.map(({ limit, window }, index) => `"limit-${index + 1}";${item(limit, window)}`).join(', ')
  void reply.headers({
    'ratelimit-policy': items(({ requests, window }) => `q=${requests};w=${Math.ceil(window / 1000)}`),
    ratelimit: items(
      ({ requests, window }, { begun, count }) => `r=${requests - count};t=${secondsTo(begun + window, now)}`
    )
  })
}

const secondsTo = (end: number, now: number) => Math.ceil((end - now) / 1000)

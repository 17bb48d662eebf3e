import type { FastifyReply } from 'fastify'
import { quantity } from '../../lib/quantity.js'
import { toDate } from '../../lib/time.js'
import type { Limit } from '../../profile/limits.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { GatewayError } from '../error-handler.js'
import type { OnRequest } from '../request-context.js'

interface Window {
  readonly begun: number
  /** Number of requests that were let through. */
  count: number
}

/**
 * Refuses requests beyond the limits of a profile. A window begins with the first request after the last one, and is
 * kept in memory only.
 */
export function limitRequests(limits: readonly Limit[]): OnRequest {
  const known = new WeakMap<Sandbox, Map<Limit, Window>>()

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
      429
    )
  }

  function windowOf(sandbox: Sandbox, limit: Limit, now: number): Window {
    const windows = known.get(sandbox) ?? new Map<Limit, Window>()
    known.set(sandbox, windows)
    const current = windows.get(limit)
    // A clock can be set back.
    const isOpen = current !== undefined && now >= current.begun && now < current.begun + limit.window
    const window = isOpen ? current : { begun: now, count: 0 }
    windows.set(limit, window)
    return window
  }
}

/** Adds the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function addHeaders(reply: FastifyReply, windows: readonly { limit: Limit; window: Window }[], now: number): void {
  const shown = windows.filter(({ limit }) => limit.hasFields)
  if (shown.length === 0) return
  const items = (item: (limit: Limit, window: Window) => string) =>
    shown.map(({ limit, window }, index) => `"limit-${index + 1}";${item(limit, window)}`).join(', ')
  void reply.headers({
    'ratelimit-policy': items(({ requests, window }) => `q=${requests};w=${Math.ceil(window / 1000)}`),
    ratelimit: items(
      ({ requests, window }, { begun, count }) => `r=${requests - count};t=${secondsTo(begun + window, now)}`
    )
  })
}

const secondsTo = (end: number, now: number) => Math.ceil((end - now) / 1000)

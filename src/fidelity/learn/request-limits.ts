import { isoLength } from '../../lib/time.js'
import type { Exchange } from '../exchange.js'
import { type Draft, times } from './draft.js'

/** The status of a request beyond a limit. */
const TOO_MANY = 429

/** A policy of `RateLimit-Policy`: the quota, and the window in seconds. */
const POLICY = /^"?[\w-]+"?;\s*q=(?<quota>\d+);\s*w=(?<window>\d+)$/

/** How many requests are answered in a window, where replies say so; that there is a limit, where they do not. */
export function learnLimits(exchanges: readonly Exchange[], draft: Draft): void {
  const refused = exchanges.filter(({ status }) => status === TOO_MANY)
  const told = exchanges.filter(({ headers }) => 'ratelimit-policy' in headers)
  const policies = [...new Set(told.map(({ headers }) => headers['ratelimit-policy']!))]
  const [items = []] = policies.map((policy) => policy.split(',').map((item) => POLICY.exec(item.trim())?.groups))
  if (policies.length === 1 && items.every((item) => item !== undefined)) {
    const [form = 'seconds'] = refused.map(({ headers }) => formOf(headers['retry-after']))
    draft.set(
      ['limits'],
      items.map(({ quota, window }) => ({
        requests: Number(quota),
        window: isoLength(Number(window) * 1000),
        ...(form === 'seconds' ? {} : { retry_after: form }),
        fields: true
      })),
      `From RateLimit-Policy in ${times(told.length, 'reply', 'replies')}; ${times(refused.length, 'request')} refused.`
    )
  } else if (refused.length > 0) {
    draft.doubt([], `${times(refused.length, 'request')} got a 429, and no reply says how many may come in which time.`)
  }
}

const formOf = (value: string | undefined) => (value === undefined ? 'none' : /^\d+$/.test(value) ? 'seconds' : 'date')

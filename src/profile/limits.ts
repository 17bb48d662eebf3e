import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { flag, positiveLength, readLength, whole } from './form.js'

/** The highest limit. */
export const MOST_REQUESTS = 1_000_000

/** The status of a request beyond a limit. */
export const TOO_MANY_REQUESTS = 429

export const LimitsSchema = Type.Array(
  strict({
    requests: whole(1, MOST_REQUESTS, 'How many requests of a key are answered per window.'),
    window: positiveLength('The length of the window, by the clock of the sandbox.'),
    retry_after: Type.Optional(
      enumeration(['seconds', 'date', 'none'], 'The form of `Retry-After` in a 429; seconds if absent.')
    ),
    fields: flag('Whether replies have `RateLimit` and `RateLimit-Policy`; false if absent.')
  }),
  { maxItems: 100, description: 'How many requests are answered; others get a 429.' }
)

export type Limit = ReturnType<typeof compileLimits>[number]

export const compileLimits = (document: Shape<typeof LimitsSchema>) =>
  document.map(({ requests, window, retry_after: retryAfter = 'seconds', fields = false }) => ({
    requests,
    /** Milliseconds. */
    window: readLength(window),
    retryAfter,
    hasFields: fields
  }))

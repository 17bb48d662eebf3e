import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { type Complain, flag, length, readPositiveLength, someOperations, whole } from './form.js'

export const LimitsSchema = Type.Array(
  closed({
    requests: whole(1, 1_000_000, 'How many requests of a key are answered per window.'),
    window: length('The length of the window, by the clock of the sandbox.'),
    operations: someOperations('The operations that it limits; all, and stubs, if absent.'),
    retry_after: Type.Optional(
      enumeration(['seconds', 'date', 'none'], 'The form of `Retry-After` in a 429; seconds if absent.')
    ),
    fields: flag('Whether replies have `RateLimit` and `RateLimit-Policy`; false if absent.')
  }),
  { maxItems: 100, description: 'How many requests are answered; others get a 429.' }
)
type LimitsDocument = Shape<typeof LimitsSchema>

export interface Limit {
  readonly requests: number
  /** Milliseconds. */
  readonly window: number
  /** undefined: all operations, and stubs. */
  readonly operations: ReadonlySet<string> | undefined
  readonly retryAfter: 'seconds' | 'date' | 'none'
  readonly hasFields: boolean
}

export function compileLimits(document: LimitsDocument, complain: Complain): Limit[] {
  return document.map(({ requests, window, operations, retry_after: retryAfter = 'seconds', fields }, index) => ({
    requests,
    window: readPositiveLength(window, `limits.${index}.window`, complain),
    operations: operations && new Set<string>(operations),
    retryAfter,
    hasFields: fields === true
  }))
}

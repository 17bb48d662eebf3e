import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { type Complain, flag, length, readPositiveLength, someOperations, whole } from './form.js'

/** The part `limits` of a profile. */
export const LimitsSchema = Type.Array(
  closed({
    requests: whole(1, 1_000_000, 'How many requests of a key are answered.'),
    window: length('In which time, by the clock of the sandbox.'),
    operations: someOperations('Of which operations; of all, and of stubs, if absent.'),
    retry_after: Type.Optional(
      enumeration(['seconds', 'date', 'none'], 'How a 429 says in `Retry-After` when to try again; seconds if absent.')
    ),
    fields: flag('Whether replies have `RateLimit` and `RateLimit-Policy`; false if absent.')
  }),
  { maxItems: 100, description: 'How many requests are answered; others are a 429.' }
)
type LimitsDocument = Shape<typeof LimitsSchema>

/** How many requests are answered in a window of time. */
export interface Limit {
  readonly requests: number
  /** Milliseconds. */
  readonly window: number
  /** undefined: of all operations, and of stubs. */
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

import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { type Complain, flag, length, readPositiveLength, someOperations } from './form.js'

/** The part `idempotency` of a profile. */
export const IdempotencySchema = closed(
  {
    keep: length('How long a reply is kept, by the clock of the sandbox.'),
    required: flag('Whether a request without a key is a 400; false if absent.'),
    operations: someOperations('Which operations take a key; all with POST or PATCH if absent.')
  },
  {
    description:
      'A request with the `Idempotency-Key` of an earlier one gets its reply again, and does nothing; with another ' +
      'path or body it is a 422, and while the first is under way a 409.'
  }
)

/** How requests with an `Idempotency-Key` are answered. */
export interface Idempotency {
  /** Milliseconds. */
  readonly keep: number
  readonly isRequired: boolean
  /** undefined: all with POST or PATCH. */
  readonly operations: ReadonlySet<string> | undefined
}

export function compileIdempotency(
  { keep, required = false, operations }: Shape<typeof IdempotencySchema>,
  complain: Complain
): Idempotency {
  return {
    keep: readPositiveLength(keep, 'idempotency.keep', complain),
    isRequired: required,
    operations: operations && new Set<string>(operations)
  }
}

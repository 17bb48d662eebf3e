import { Type } from '@sinclair/typebox'
import { OPERATION_IDS } from '../interface/operation-ids.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import type { Complain } from './complain.js'
import { readPositiveLength } from './read-length.js'

/** The part `idempotency` of a profile. */
export const IdempotencySchema = closed(
  {
    keep: Type.String({ maxLength: 256, description: 'How long a reply is kept, by the clock of the sandbox.' }),
    required: Type.Optional(
      Type.Boolean({ description: 'Whether a request without a key is a 400; false if absent.' })
    ),
    operations: Type.Optional(
      Type.Array(enumeration(OPERATION_IDS, 'An operation.'), {
        minItems: 1,
        uniqueItems: true,
        description: 'Which operations take a key; all with POST or PATCH if absent.'
      })
    )
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
  { keep: text, required = false, operations }: Shape<typeof IdempotencySchema>,
  complain: Complain
): Idempotency {
  const keep = readPositiveLength(text, 'idempotency.keep', complain)
  return { keep: keep ?? 0, isRequired: required, operations: operations && new Set<string>(operations) }
}

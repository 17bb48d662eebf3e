import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { flag, positiveLength, readLength } from './form.js'

export const IdempotencySchema = strict(
  {
    keep: positiveLength('How long replies are kept, by the clock of the sandbox.'),
    required: flag('Whether a POST or PATCH without a key gets a 400; false if absent.')
  },
  {
    description:
      'A POST or PATCH that repeats an `Idempotency-Key` gets the first reply again, and has no effect. With another ' +
      'path or body it gets a 422, and while the first is under way a 409.'
  }
)

export type Idempotency = ReturnType<typeof compileIdempotency>

export const compileIdempotency = ({ keep, required = false }: Shape<typeof IdempotencySchema>) => ({
  /** Milliseconds. */
  keep: readLength(keep),
  isRequired: required
})

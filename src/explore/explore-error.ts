import { BareError } from '../lib/call-site.js'

/** A client cannot be judged. The message says why. */
export class ExploreError extends BareError {
  override readonly name = 'ExploreError'
}

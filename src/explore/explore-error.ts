import { BareError } from '../lib/call-site.js'

/** The client cannot be judged, for the reason in the message. */
export class ExploreError extends BareError {
  override readonly name = 'ExploreError'
}

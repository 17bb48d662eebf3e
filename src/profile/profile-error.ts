import { BareError } from '../lib/call-site.js'

/** A profile cannot be used. The message is one line for the user. */
export class ProfileError extends BareError {
  override readonly name = 'ProfileError'
}

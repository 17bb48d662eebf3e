import { BareError } from '../lib/call-site.js'

/** A seed file cannot be used. The message is one line for the user. */
export class SeedFileError extends BareError {
  override readonly name = 'SeedFileError'
}

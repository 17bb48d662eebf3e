import { BareError } from '../lib/call-site.js'

/** The database cannot be used. The message is one line for the user. */
export class DatabaseError extends BareError {
  override readonly name = 'DatabaseError'
}

import { BareError } from './call-site.js'

/** The server cannot listen on its address. The message is one line for the user. */
export class ListenError extends BareError {
  override readonly name = 'ListenError'
}

import { BareError } from './call-site.js'

/** The server cannot listen on its address. The message is one line for the user. */
export class ListenError extends BareError {
  override readonly name = 'ListenError'
}

/** Explains why a server cannot listen. @returns the error itself, if it has another reason */
export function listenError(error: unknown, { host, port }: { readonly host: string; readonly port: number }): Error {
  const unusable = (message: string) => new ListenError(message, { cause: error })
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return unusable(`port ${port} of ${host} is in use; stop what listens there, or choose another --port`)
    case 'EACCES':
      return unusable(`port ${port} of ${host} needs more rights; choose a --port above 1023`)
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
      return unusable(`${host} is not an address of this machine; choose another --host`)
    default:
      return error as Error
  }
}

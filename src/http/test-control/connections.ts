import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'

/** Tells when the connections of requests are closed, by the client or because the server stops. */
export class Connections {
  readonly #closing = new AbortController()
  readonly #signals = new WeakMap<Socket, AbortSignal>()

  /** One signal per connection, aborted when it is closed. */
  signalOf(socket: Socket): AbortSignal {
    let signal = this.#signals.get(socket)
    if (signal === undefined) {
      const gone = new AbortController()
      const leave = () => {
        gone.abort()
      }
      // A client that half-closes its connection has left.
      socket.once('close', leave).once('end', leave)
      if (socket.destroyed) leave()
      signal = AbortSignal.any([gone.signal, this.#closing.signal])
      setMaxListeners(0, signal)
      this.#signals.set(socket, signal)
    }
    return signal
  }

  /** The server stops. */
  end(): void {
    this.#closing.abort()
  }
}

import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Tells when the connections of requests are closed, by the client or because the server stops. */
export class Connections {
  readonly #open = new Map<Socket, AbortController>()
  #isOver = false

  /** A server waits for its requests when it closes, and these may take for ever. */
  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#isOver = true
      for (const gone of this.#open.values()) gone.abort()
      done()
    })
  }

  /** One signal per connection, aborted when it is closed. */
  signalOf(socket: Socket): AbortSignal {
    const known = this.#open.get(socket)
    if (known !== undefined) return known.signal
    const gone = new AbortController()
    setMaxListeners(0, gone.signal)
    const leave = () => {
      this.#open.delete(socket)
      gone.abort()
    }
    if (this.#isOver || socket.destroyed) leave()
    else {
      this.#open.set(socket, gone)
      // A client that half-closes its connection has left.
      socket.once('close', leave).once('end', leave)
    }
    return gone.signal
  }
}

import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sleep } from '../lib/time.js'

/** Running delays. Each ends early when its client leaves, and all end when the server closes. */
export class Waits {
  readonly #closing = new AbortController()
  /** One signal per connection, however many of its requests wait at once. */
  readonly #ends = new WeakMap<Socket, AbortSignal>()

  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#closing.abort()
      done()
    })
  }

  /** @param milliseconds by the machine's clock */
  async wait({ raw: { socket } }: FastifyRequest, milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || socket.destroyed) return
    // Clients also give up by half-closing. A client with nothing more to send must keep the connection open during a
    // delay.
    const leave = () => {
      socket.end()
    }
    socket.once('end', leave)
    await sleep(milliseconds, this.#endOf(socket))
    socket.off('end', leave)
  }

  get areOver(): boolean {
    return this.#closing.signal.aborted
  }

  #endOf(socket: Socket): AbortSignal {
    let end = this.#ends.get(socket)
    if (end === undefined) {
      const gone = new AbortController()
      socket.once('close', () => gone.abort())
      end = AbortSignal.any([gone.signal, this.#closing.signal])
      // Each waiting request adds a listener, and there may be many pipelined ones.
      setMaxListeners(0, end)
      this.#ends.set(socket, end)
    }
    return end
  }
}

import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sleep } from '../lib/time.js'
import type { Slow } from '../profile/replies.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** Requests that wait, perhaps for ever. Each wait ends when its client leaves, and all end when the server closes. */
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

  /** Has a request wait for something. @param wait gets the signal of its connection, aborted when the wait must end */
  async during<T>({ raw: { socket } }: FastifyRequest, wait: (end: AbortSignal) => Promise<T>): Promise<T> {
    // Clients also give up by half-closing. A client with nothing more to send must keep the connection open.
    const leave = () => {
      socket.end()
    }
    socket.once('end', leave)
    try {
      return await wait(this.#endOf(socket))
    } finally {
      socket.off('end', leave)
    }
  }

  /** @param milliseconds by the machine's clock */
  async wait(request: FastifyRequest, milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.during(request, (end) => sleep(milliseconds, end))
  }

  get areOver(): boolean {
    return this.#closing.signal.aborted
  }

  #endOf(socket: Socket): AbortSignal {
    let end = this.#ends.get(socket)
    if (end === undefined) {
      const gone = new AbortController()
      if (socket.destroyed) gone.abort()
      else socket.once('close', () => gone.abort())
      end = AbortSignal.any([gone.signal, this.#closing.signal])
      // Each waiting request adds a listener, and there may be many pipelined ones.
      setMaxListeners(0, end)
      this.#ends.set(socket, end)
    }
    return end
  }
}

/** Lets the first request of a sandbox wait, and each after a pause, on all routes that are added from now on. */
export function delayFirst(api: FastifyInstance, { by, after }: Slow): void {
  const waits = new Waits(api)
  const latest = new WeakMap<Sandbox, number>()
  api.addHook('onRequest', (request, _reply, done) => {
    const { sandbox, arrival } = request
    const before = latest.get(sandbox)
    latest.set(sandbox, arrival!.at)
    if (before !== undefined && Math.abs(arrival!.at - before) < after) done()
    else waits.wait(request, by).then(() => done(), done)
  })
}

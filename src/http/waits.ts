import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sleep } from '../lib/time.js'
import type { Slow } from '../profile/replies.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** Requests that wait, perhaps for ever. Each wait ends when its client leaves, and all end when the server closes. */
export class Waits {
  readonly #closing = new AbortController()
  /** One end per connection, however many of its requests wait at once. */
  readonly #ends = new WeakMap<Socket, End>()

  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#closing.abort()
      done()
    })
  }

  /**
   * Has a request wait for something. Whatever becomes of it, it is answered: also clients that have half-closed their
   * connection, which have left, too.
   * @param wait gets the signal of the connection, aborted when the wait must end
   */
  async during<T>({ raw: { socket } }: FastifyRequest, wait: (end: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, leave } = this.#endOf(socket)
    socket.once('end', leave)
    try {
      return await wait(signal)
    } finally {
      socket.off('end', leave)
    }
  }

  /** @param milliseconds by the machine's clock */
  async wait({ raw: { socket } }: FastifyRequest, milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    // Clients also give up by half-closing. A client with nothing more to send must keep the connection open during a
    // delay.
    const leave = () => {
      socket.end()
    }
    socket.once('end', leave)
    await sleep(milliseconds, this.#endOf(socket).signal)
    socket.off('end', leave)
  }

  get areOver(): boolean {
    return this.#closing.signal.aborted
  }

  #endOf(socket: Socket): End {
    let end = this.#ends.get(socket)
    if (end === undefined) {
      const gone = new AbortController()
      const leave = () => gone.abort()
      if (socket.destroyed) leave()
      else socket.once('close', leave)
      end = { signal: AbortSignal.any([gone.signal, this.#closing.signal]), leave }
      // Each waiting request adds a listener, and there may be many pipelined ones.
      setMaxListeners(0, end.signal)
      this.#ends.set(socket, end)
    }
    return end
  }
}

/** Ends the waits of a connection. */
interface End {
  /** Aborted when its client has left, or the server closes. */
  readonly signal: AbortSignal
  readonly leave: () => void
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

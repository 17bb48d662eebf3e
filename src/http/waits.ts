import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sleep } from '../lib/time.js'
import type { Replies } from '../profile/replies.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** Requests that wait. Each wait ends when its client leaves, and all end when the server closes. */
export class Waits {
  readonly #closing = new AbortController()
  /** By connection: many of its requests can wait at once. */
  readonly #ends = new WeakMap<Socket, End>()

  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#closing.abort()
      done()
    })
  }

  /**
   * Lets a request wait for something. A client that half-closes its connection counts as gone, but is answered.
   * @param wait gets the signal of the connection, aborted when the wait must end
   */
  async during<T>({ raw: { socket } }: FastifyRequest, wait: (end: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, leave } = this.#endOf(socket)
    onceEnded(socket, leave)
    try {
      return await wait(signal)
    } finally {
      socket.off('end', leave)
    }
  }

  /** @param milliseconds by the machine's clock */
  async wait({ raw: { socket } }: FastifyRequest, milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    // A client also gives up by half-closing. If it has nothing more to send, it must keep the connection open.
    const leave = () => void socket.end()
    onceEnded(socket, leave)
    await sleep(milliseconds, this.#endOf(socket).signal)
    socket.off('end', leave)
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

/** Acts when a client has half-closed its connection, which it may have done already. */
function onceEnded(socket: Socket, act: () => void): void {
  if (socket.readableEnded) act()
  else socket.once('end', act)
}

/** Ends the waits of a connection. */
interface End {
  /** Aborted when its client has left, or the server closes. */
  readonly signal: AbortSignal
  readonly leave: () => void
}

/** Delays the first request of a sandbox, and the first after each pause, on all routes added after this call. */
export function delayFirst(api: FastifyInstance, { by, after }: NonNullable<Replies['slow']>): void {
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

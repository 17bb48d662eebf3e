import { Readable } from 'node:stream'
import type { EventHub, Listener, Present } from '../../journal/event-hub.js'
import { sleepBeside, wallTime } from '../../lib/time.js'

/** Maximum number of bytes queued for a slow listener; beyond that, it must read everything again. */
export const WAITING_LIMIT = 256 * 1024

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 15_000

/** A comment line, which shows each side that the other is still there. */
const SIGN_OF_LIFE = ': still here\n\n'

/** The events of a sandbox as a reply body. Ends when the sandbox is gone, or by {@link Readable.destroy}. */
export class EventStream extends Readable implements Listener {
  readonly #closed = new AbortController()
  #isBehind = false

  /** @param after id of the last event that the listener has seen @param expires when the sandbox does */
  constructor(
    private readonly eventHub: EventHub,
    toView: Present,
    after: string | undefined,
    expires: number | null,
    heartbeat = HEARTBEAT
  ) {
    super()
    this.push(SIGN_OF_LIFE)
    eventHub.listen(this, toView, after)
    void this.#live(heartbeat, expires ?? Infinity)
  }

  send(text: string): void {
    if (this.#isBehind || this.readableEnded) return
    this.#isBehind = this.readableLength > WAITING_LIMIT
    if (!this.#isBehind) this.push(text)
  }

  end(): void {
    this.#closed.abort()
    this.eventHub.leave(this)
    if (this.destroyed) return
    // Unread data must not keep the server from closing.
    if (this.readableLength > 0) this.destroy()
    else this.push(null)
  }

  /** The reader has caught up. */
  override _read(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    this.push(this.eventHub.resync)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#closed.abort()
    this.eventHub.leave(this)
    done(error)
  }

  async #live(heartbeat: number, expires: number): Promise<void> {
    const { signal } = this.#closed
    let wasBehind = false
    for (;;) {
      await sleepBeside(Math.min(heartbeat, expires - wallTime()), signal)
      if (wallTime() >= expires) this.end()
      if (signal.aborted) return
      // A listener that has read nothing for this long is gone.
      if (this.#isBehind && wasBehind) this.destroy()
      wasBehind = this.#isBehind
      this.send(SIGN_OF_LIFE)
    }
  }
}

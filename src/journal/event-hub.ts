import type { RawChange } from '../db/row-watcher.js'
import { wallTime } from '../lib/time.js'
import { Keeper, textSize } from './budget.js'
import type { AnsweredRequest } from './journal.js'

/** Something that has happened in a sandbox. */
export type SandboxEvent =
  /** A write was committed; `changes` is undefined if they are not watched. */
  | { readonly kind: 'state'; readonly changes: readonly RawChange[] | undefined }
  | { readonly kind: 'request'; readonly request: AnsweredRequest }
  | { readonly kind: 'clock' }
  /** The sandbox was replaced as a whole, or its journal or coverage was cleared. */
  | { readonly kind: 'reset' }

export interface Listener {
  send: (text: string) => void
  /** The sandbox is gone, and with it the stream. */
  end: () => void
}

/** Converts an event to the data that listeners receive. */
export type Present = (event: SandboxEvent) => object

/** Maximum number and memory, in bytes, of the events kept for a listener that reconnects. */
export const KEPT_EVENTS = 500
const KEPT_BYTES = 1024 * 1024

/** How long they are kept after the last listener has left, in milliseconds. */
export const LINGER = 60_000

/**
 * Streams the events of one sandbox to its listeners as server-sent events. It is off until somebody listens, so
 * senders can check {@link isOn} first.
 */
export class EventHub extends Keeper {
  readonly #listeners = new Set<Listener>()
  /** undefined: it is off. */
  #present: Present | undefined
  /** Part of each id, so that an id from before a pause or a restart is not mistaken for a current one. */
  #run = 0
  #count = 0
  #kept: string[] = []
  #lastLeft = 0

  get isOn(): boolean {
    return this.#present !== undefined
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size
  }

  tell(event: SandboxEvent): void {
    this.#rest()
    if (this.#present === undefined) return
    this.#count++
    const text = eventText(this.#id, event.kind, this.#present(event))
    this.#kept.push(text)
    this.count(textSize(text))
    while (this.#kept.length > KEPT_EVENTS || this.bytes > KEPT_BYTES) this.giveUp()
    this.use()
    for (const listener of this.#listeners) listener.send(text)
  }

  /**
   * Adds a listener. It first gets the events that it has missed, or `resync` if those are unknown.
   * @param after id of the last event that it has seen
   */
  listen(listener: Listener, toView: Present, after: string | undefined): void {
    this.#rest()
    if (this.#present === undefined) {
      this.#present = toView
      this.#run = wallTime()
    }
    const missed = this.#since(after)
    if (missed === undefined) listener.send(this.resync)
    else missed.forEach((text) => listener.send(text))
    this.#listeners.add(listener)
  }

  leave(listener: Listener): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#lastLeft = wallTime()
  }

  /** The text that makes a listener read everything again, because it has missed events. */
  get resync(): string {
    return eventText(this.#id, 'resync', {})
  }

  override giveUp(): void {
    this.count(-textSize(this.#kept.shift()!))
  }

  /** Disconnects all listeners. */
  end(): void {
    for (const listener of [...this.#listeners]) listener.end()
    this.#listeners.clear()
    this.#stop()
  }

  get #id(): string {
    return `${this.#run}-${this.#count}`
  }

  #since(after: string | undefined): string[] | undefined {
    const [, run, count] = /^(\d+)-(\d+)$/.exec(after ?? '') ?? []
    if (run === undefined || Number(run) !== this.#run) return undefined
    const missed = this.#count - Number(count)
    return missed < 0 || missed > this.#kept.length ? undefined : this.#kept.slice(this.#kept.length - missed)
  }

  /** Turns itself off if nobody has reconnected in time. */
  #rest(): void {
    if (this.#present !== undefined && this.#listeners.size === 0 && wallTime() - this.#lastLeft > LINGER) this.#stop()
  }

  #stop(): void {
    this.countNothing()
    this.#present = undefined
    this.#count = 0
    this.#kept = []
  }
}

function eventText(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

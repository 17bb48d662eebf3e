import type { RawChange } from '../db/row-watcher.js'
import { wallTime } from '../sim/clock.js'
import { Budget, type Keeper } from './budget.js'
import type { AnsweredRequest } from './journal.js'
import { textSize } from './size.js'

/** Something that has happened in a sandbox. */
export type SandboxEvent =
  /** A write holds; undefined: what it changed is not watched. */
  | { readonly kind: 'state'; readonly changes: readonly RawChange[] | undefined }
  | { readonly kind: 'request'; readonly request: AnsweredRequest }
  | { readonly kind: 'clock' }
  /** It is something else as a whole, or its journal is empty. */
  | { readonly kind: 'reset' }

/** Whoever listens. */
export interface Listener {
  send: (text: string) => void
  /** There is nothing more to tell: the sandbox is gone. */
  end: () => void
}

/** Turns a event into what is told of it. */
export type Present = (event: SandboxEvent) => object

/** How many events are kept for a listener that comes back, and how many characters of them. */
export const KEPT_EVENTS = 500
const KEPT_CHARACTERS = 1024 * 1024

/** How long they are kept when nobody listens any more, in milliseconds. */
export const LINGER = 60_000

/**
 * Tells what happens in one sandbox, as server-sent events, to those who listen. While nobody does it is off, and
 * whoever has something to tell finds that out by one look at {@link isOn}.
 */
export class EventHub implements Keeper {
  readonly #listeners = new Set<Listener>()
  readonly #budget: Budget
  /** undefined: it is off. */
  #present: Present | undefined
  /** Part of each id, so that one from before a pause or a restart is not taken for one of now. */
  #run = 0
  #count = 0
  #kept: string[] = []
  #characters = 0
  #bytes = 0
  #lastLeft = 0

  /** @param budget what it shares with all that is kept of this and other sandboxes */
  constructor(budget = new Budget()) {
    this.#budget = budget
  }

  get isOn(): boolean {
    return this.#present !== undefined
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size
  }

  tell(event: SandboxEvent): void {
    this.#rest()
    if (this.#present === undefined) return
    this.#count++
    const text = eventText(this.#id, event.kind, this.#present(event))
    this.#kept.push(text)
    this.#characters += text.length
    this.#grow(textSize(text))
    while (this.#kept.length > KEPT_EVENTS || this.#characters > KEPT_CHARACTERS) this.giveUp()
    this.#budget.use(this)
    for (const listener of this.#listeners) listener.send(text)
  }

  /**
   * Tells a listener from now on, beginning with what it has missed, or with `resync` if that is not known.
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
    else
      missed.forEach((text) => {
        listener.send(text)
      })
    this.#listeners.add(listener)
  }

  leave(listener: Listener): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#lastLeft = wallTime()
  }

  /** What tells a listener that it has missed something, and must read everything again. */
  get resync(): string {
    return eventText(this.#id, 'resync', {})
  }

  /** Gives up the oldest event; a listener that has missed it must read everything again. */
  giveUp(): void {
    const text = this.#kept.shift()!
    this.#characters -= text.length
    this.#grow(-textSize(text))
  }

  /** Sends all listeners away. */
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

  /** Nobody has come back in time. */
  #rest(): void {
    if (this.#present !== undefined && this.#listeners.size === 0 && wallTime() - this.#lastLeft > LINGER) this.#stop()
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.#budget.count(bytes)
  }

  #stop(): void {
    this.#grow(-this.#bytes)
    this.#budget.leave(this)
    this.#present = undefined
    this.#count = 0
    this.#kept = []
    this.#characters = 0
  }
}

function eventText(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

import { toTimestamp } from '../lib/time.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { DueEvent } from '../sim/due-events.js'
import type { Engine } from '../sim/engine.js'
import type { Transition } from '../sim/state-machine.js'
import type { Timeline, TimelineEntry } from '../sim/timeline.js'
import type { SimTx } from '../sim/tx.js'
import { SandboxStores, type StoreBinders } from './stores.js'

/** What every transaction shares. */
export interface TxParts {
  readonly stores: StoreBinders
  readonly engine: Engine<Tx>
  readonly timeline: Timeline
}

/** A write's transaction: the stores of one sandbox at one moment, and the request behind it. */
export class Tx extends SandboxStores implements SimTx<Sandbox> {
  readonly sandbox: Sandbox
  readonly now: number
  readonly requestId: string
  readonly #parts: TxParts
  #timestamp: string | undefined

  constructor(parts: TxParts, sandbox: Sandbox, now: number, requestId: string) {
    super(parts.stores, sandbox)
    this.sandbox = sandbox
    this.now = now
    this.requestId = requestId
    this.#parts = parts
  }

  /** `now` as a timestamp. */
  get timestamp(): string {
    return (this.#timestamp ??= toTimestamp(this.now))
  }

  /** A new id out of the sandbox's stream. */
  newId(): string {
    return this.sandbox.ids.uuid()
  }

  /** Lets a transition of a resource run. @returns when it ends; `Infinity` while it is held. See {@link Engine.begin}. */
  begin(transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    return this.#parts.engine.begin(this, transition, resource, payload)
  }

  /** Lets something happen to a resource later. */
  schedule(kind: string, resource: string, due: number, payload: DueEvent['payload'] = {}): void {
    this.#parts.engine.schedule(this, { kind, resource, due, payload, requestId: this.requestId })
  }

  /** Takes back what is due for a resource: events of some kinds, or all. */
  cancel(resource: string, kinds?: readonly string[]): void {
    this.#parts.engine.cancel(this, resource, kinds)
  }

  /** Takes back the events of one kind of a resource whose payload says so. */
  cancelWhere(resource: string, kind: string, isMeant: (payload: DueEvent['payload']) => boolean): void {
    const { dueEvents } = this.#parts.engine
    for (const { sequence, payload } of dueEvents.listOfResource(this.sandbox.key, resource, kind)) {
      if (isMeant(payload)) dueEvents.remove(this.sandbox.key, sequence)
    }
  }

  /** Adds a change that happens now to the timeline. */
  note(entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.#parts.timeline.add(this, entry)
  }
}

import type { Static, TObject } from '@sinclair/typebox'
import { toTimestamp } from '../lib/time.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { DueEvent } from '../sim/due-events.js'
import type { Engine } from '../sim/engine.js'
import type { EventKind } from '../sim/events.js'
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

  /** Lets a transition of a resource run. @returns when it ends; `Infinity` while it is held */
  begin(transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    return this.#parts.engine.begin(this, transition, resource, payload)
  }

  /** Lets something happen to a resource later. */
  schedule<Payload extends TObject>(
    kind: EventKind<Payload>,
    resource: string,
    due: number,
    payload: Static<Payload>
  ): void {
    const { requestId } = this
    const noted = payload as DueEvent['payload']
    this.#parts.engine.schedule(this, { kind: kind.name, resource, due, payload: noted, requestId })
  }

  /** Takes back what is due for a resource: events of some kinds, or all. */
  cancel(resource: string, kinds?: readonly EventKind[]): void {
    this.#parts.engine.cancel(
      this,
      resource,
      kinds?.map(({ name }) => name)
    )
  }

  /** Takes back the events of one kind of a resource whose payload says so. */
  cancelWhere<Payload extends TObject>(
    resource: string,
    kind: EventKind<Payload>,
    isMeant: (payload: Static<Payload>) => boolean
  ): void {
    const { dueEvents } = this.#parts.engine
    for (const { sequence, payload } of dueEvents.listOfResource(this.sandbox.key, resource, kind.name)) {
      if (isMeant(payload)) dueEvents.remove(this.sandbox.key, sequence)
    }
  }

  /** Adds a change that happens now to the timeline. */
  note(entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.#parts.timeline.add(this, entry)
  }
}

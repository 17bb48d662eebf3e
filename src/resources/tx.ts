import type { Static, TObject } from '@sinclair/typebox'
import { toTimestamp } from '../lib/time.js'
import type { Catalogue } from '../profile/catalogue.js'
import type { Profile } from '../profile/profile.js'
import type { StateWords } from '../profile/states.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { DueEvent } from '../sim/due-events.js'
import type { Engine } from '../sim/engine.js'
import type { EventKind } from '../sim/events.js'
import type { Transition } from '../sim/state-machine.js'
import type { Timeline, TimelineEntry } from '../sim/timeline.js'
import type { SimTx } from '../sim/tx.js'
import { SandboxStores, type StoreBinders } from './stores.js'

/** The parts that all transactions share. */
export interface TxParts {
  readonly stores: StoreBinders
  readonly engine: Engine<Tx>
  readonly timeline: Timeline
  readonly profile: Profile
}

/** A write's transaction: the stores of one sandbox at a point in time, and the request behind it. */
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

  /** What can be created, and the defaults. */
  get catalogue(): Catalogue {
    return this.#parts.profile.catalogue
  }

  /** How long a deleted workspace stays readable, in milliseconds; undefined: not at all. */
  get readableFor(): number | undefined {
    return this.#parts.profile.readableFor
  }

  /** The words for states, for messages. */
  get words(): StateWords {
    return this.#parts.profile.words
  }

  /** A new id from the sandbox's stream. */
  newId(): string {
    return this.sandbox.ids.uuid()
  }

  /** Starts a transition of a resource. @returns when it ends; `Infinity` while it is held */
  begin(transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    return this.#parts.engine.begin(this, transition, resource, payload)
  }

  /** When the first of these transitions of a resource ends; undefined if none is under way, or all are held. */
  endOf(resource: string, transitions: readonly Transition[]): number | undefined {
    const kinds = transitions.map(({ name }) => name)
    return this.#parts.engine.dueEvents.nextOfResource(this.sandbox.key, resource, kinds)?.due ?? undefined
  }

  /** Schedules an event of a resource. */
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

  /** Cancels the events of a resource: those of some kinds, or all. */
  cancel(resource: string, kinds?: readonly EventKind[]): void {
    this.#parts.engine.cancel(
      this,
      resource,
      kinds?.map(({ name }) => name)
    )
  }

  /** Cancels the events of one kind of a resource whose payload matches. */
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

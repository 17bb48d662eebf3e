import type { Static, TObject } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { binder, compiled } from '../db/table.js'
import { found, notFound } from '../interface/errors.js'
import { toTimestamp } from '../lib/time.js'
import type { Catalogue } from '../profile/catalogue.js'
import type { Profile } from '../profile/profile.js'
import type { ResourceLimit } from '../sandboxes/resources.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { DueEvent } from '../sim/due-events.js'
import type { Engine } from '../sim/engine.js'
import type { EventKind } from '../sim/events.js'
import type { SimTx } from '../sim/sandbox.js'
import type { Transition } from '../sim/state-machine.js'
import type { Timeline, TimelineEntry } from '../sim/timeline.js'
import { allowListStore } from './allow-list/fields.js'
import { backupStore, restoreJobStore } from './backups/store.js'
import { databaseUserStore } from './database-users/fields.js'
import { databaseStore } from './databases/fields.js'
import { idempotentReplyStore } from './idempotent-replies/store.js'
import { orgUserStore } from './org-users/fields.js'
import { quotaStore } from './quotas.js'
import { backupScheduleStore, scheduleStore } from './schedules/fields.js'
import { stubItemStore } from './stub-items/fields.js'
import { type WorkgroupRecord, workgroupStore } from './workgroups/fields.js'
import type { FoundWorkspace } from './workspaces/fields.js'
import { deletedWorkspaceStore, workspaceStore } from './workspaces/store.js'

/** The stores of all resources, each to be created once per database. */
const STORES = {
  workgroups: workgroupStore,
  allowList: allowListStore,
  databases: databaseStore,
  workspaces: workspaceStore,
  deletedWorkspaces: deletedWorkspaceStore,
  backups: backupStore,
  restoreJobs: restoreJobStore,
  backupSchedules: backupScheduleStore,
  schedules: scheduleStore,
  databaseUsers: databaseUserStore,
  orgUsers: orgUserStore,
  stubItems: stubItemStore,
  idempotentReplies: idempotentReplyStore,
  quotas: quotaStore
}

export type StoreName = keyof typeof STORES

type Stores = { readonly [Name in keyof typeof STORES]: ReturnType<(typeof STORES)[Name]> } & {
  /** Room for resources. Reserve it before creating one. */
  readonly resources: Pick<ResourceLimit, 'count' | 'take'>
}
type StoreBinders = { readonly [Name in keyof Stores]: ReturnType<typeof binder<Stores[Name]>> }
type BoundStores = { readonly [Name in keyof Stores]: ReturnType<StoreBinders[Name]> }

/** Creates the stores, each to be bound to a sandbox. */
export function bindStores(db: Database, resources: ResourceLimit, quotas: Profile['quotas']): StoreBinders {
  const binders = Object.entries(STORES).map(([name, create]) => [name, binder<object>(create(db, quotas))] as const)
  return { ...Object.fromEntries(binders), resources: binder(resources) } as unknown as StoreBinders
}

/** Binds a store on every access, because a request needs only a few. */
class Binding {
  static {
    for (const name of [...Object.keys(STORES), 'resources']) {
      // Compiled, because a getter that looks the store up by its name takes three times as long.
      const get = compiled([], `return this.binders.${name}(this.owner.key)`) as () => unknown
      Object.defineProperty(this.prototype, name, { configurable: true, get })
    }
  }

  /** @param owner its key may change, so read it on every access */
  constructor(
    readonly binders: StoreBinders,
    readonly owner: { readonly key: number }
  ) {}
}
const Bound = Binding as unknown as new (...given: ConstructorParameters<typeof Binding>) => BoundStores

/** The stores of one sandbox. */
export class SandboxStores extends Bound {
  /** @throws {ServiceError} `notFound` */
  findWorkgroup({ workgroupID }: { workgroupID: string }): WorkgroupRecord {
    return found(this.workgroups.find(workgroupID), 'workgroup', workgroupID)
  }

  /** @throws {ServiceError} `notFound`, naming the workgroup if that does not exist, otherwise the workspace */
  findWorkspace({ workgroupID, workspaceID }: { workgroupID: string; workspaceID: string }): FoundWorkspace {
    const workspace = this.workspaces.findIn(workgroupID, workspaceID)
    if (workspace === undefined && !this.workgroups.has(workgroupID)) throw notFound('workgroup', workgroupID)
    return found(workspace, 'workspace', workspaceID)
  }
}

/** The parts that all transactions share. */
export interface TxParts {
  readonly stores: StoreBinders
  readonly engine: Engine<Tx>
  readonly timeline: Timeline
  readonly profile: Profile
}

/** A write's transaction: the stores of one sandbox at a point in time, and the request behind it. */
export class Tx extends SandboxStores implements SimTx<Sandbox> {
  #timestamp: string | undefined

  constructor(
    private readonly parts: TxParts,
    readonly sandbox: Sandbox,
    readonly now: number,
    readonly requestId: string
  ) {
    super(parts.stores, sandbox)
  }

  /** `now` as a timestamp. */
  get timestamp(): string {
    return (this.#timestamp ??= toTimestamp(this.now))
  }

  get profile(): Profile {
    return this.parts.profile
  }

  get catalogue(): Catalogue {
    return this.profile.catalogue
  }

  /** A new id from the sandbox's stream. */
  newId(): string {
    return this.sandbox.ids.uuid()
  }

  /** Starts a transition of a resource. @returns when it ends; `Infinity` while it is held */
  begin(transition: Transition, resource: string, payload: DueEvent['payload'] = {}): number {
    return this.parts.engine.begin(this, transition, resource, payload)
  }

  /** When the first of these transitions of a resource ends; undefined if none is under way, or all are held. */
  endOf(resource: string, transitions: readonly Transition[]): number | undefined {
    const kinds = transitions.map(({ name }) => name)
    return this.parts.engine.dueEvents.nextOfResource(this.sandbox.key, resource, kinds)?.due ?? undefined
  }

  /** Schedules an event of a resource. */
  schedule<Payload extends TObject>(
    kind: EventKind<Payload>,
    resource: string,
    due: number,
    payload: Static<Payload>
  ): void {
    this.parts.engine.schedule(this, { kind: kind.name, resource, due, payload, requestId: this.requestId })
  }

  /** Cancels the events of a resource: those of some kinds, or all. */
  cancel(resource: string, kinds?: readonly EventKind[]): void {
    this.parts.engine.cancel(
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
    const { dueEvents } = this.parts.engine
    for (const { sequence, payload } of dueEvents.listOfResource(this.sandbox.key, resource, kind.name)) {
      if (isMeant(payload)) dueEvents.remove(this.sandbox.key, sequence)
    }
  }

  /** Adds a change that happens now to the timeline. */
  note(entry: Omit<TimelineEntry, 'at' | 'requestId'>): void {
    this.parts.timeline.add(this, entry)
  }
}

import type { Static, TObject } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { binder } from '../db/table.js'
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
import { backupStore } from './backups/store.js'
import { databaseUserStore } from './database-users/fields.js'
import { databaseStore } from './databases/fields.js'
import { idempotentReplyStore } from './idempotent-replies/store.js'
import { orgUserStore } from './org-users/fields.js'
import { quotaStore } from './quotas.js'
import { scheduleStore } from './schedules/fields.js'
import { stubItemStore } from './stub-items/fields.js'
import { type WorkgroupRecord, workgroupStore } from './workgroups/fields.js'
import type { FoundWorkspace } from './workspaces/fields.js'
import { deletedWorkspaceStore, workspaceStore } from './workspaces/store.js'

/** Creates the stores of all resources, once per database, each to be bound to a sandbox. */
export function bindStores(db: Database, resources: ResourceLimit, quotas: Profile['quotas']) {
  return {
    workgroups: binder(workgroupStore(db)),
    allowList: binder(allowListStore(db)),
    databases: binder(databaseStore(db)),
    workspaces: binder(workspaceStore(db)),
    deletedWorkspaces: binder(deletedWorkspaceStore(db)),
    backups: binder(backupStore(db)),
    schedules: binder(scheduleStore(db)),
    databaseUsers: binder(databaseUserStore(db)),
    orgUsers: binder(orgUserStore(db)),
    stubItems: binder(stubItemStore(db)),
    idempotentReplies: binder(idempotentReplyStore(db)),
    quotas: binder(quotaStore(db, quotas)),
    resources: binder<Pick<ResourceLimit, 'count' | 'take'>>(resources)
  }
}
type StoreBinders = ReturnType<typeof bindStores>

/** The stores of one sandbox. Each is bound on every access, because a request needs only a few. */
export class SandboxStores {
  readonly #bind: StoreBinders
  readonly #sandbox: { readonly key: number }

  /** @param sandbox its key may change, so read it on every access */
  constructor(bind: StoreBinders, sandbox: { readonly key: number }) {
    this.#bind = bind
    this.#sandbox = sandbox
  }

  get workgroups() {
    return this.#bind.workgroups(this.#sandbox.key)
  }
  get allowList() {
    return this.#bind.allowList(this.#sandbox.key)
  }
  get databases() {
    return this.#bind.databases(this.#sandbox.key)
  }
  get workspaces() {
    return this.#bind.workspaces(this.#sandbox.key)
  }
  get deletedWorkspaces() {
    return this.#bind.deletedWorkspaces(this.#sandbox.key)
  }
  get backups() {
    return this.#bind.backups(this.#sandbox.key)
  }
  get schedules() {
    return this.#bind.schedules(this.#sandbox.key)
  }
  get databaseUsers() {
    return this.#bind.databaseUsers(this.#sandbox.key)
  }
  get orgUsers() {
    return this.#bind.orgUsers(this.#sandbox.key)
  }
  get stubItems() {
    return this.#bind.stubItems(this.#sandbox.key)
  }
  get idempotentReplies() {
    return this.#bind.idempotentReplies(this.#sandbox.key)
  }
  get quotas() {
    return this.#bind.quotas(this.#sandbox.key)
  }
  /** Room for resources. Reserve it before creating one. */
  get resources() {
    return this.#bind.resources(this.#sandbox.key)
  }

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

  get profile(): Profile {
    return this.#parts.profile
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
    this.#parts.engine.schedule(this, { kind: kind.name, resource, due, payload, requestId: this.requestId })
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

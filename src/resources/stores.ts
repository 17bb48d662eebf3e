import { binder, type Bound } from '../db/bound.js'
import { found, notFound } from '../interface/errors.js'
import type { ResourceLimit } from '../sandboxes/resources.js'
import type { AllowListStore } from './allow-list/store.js'
import type { BackupStore } from './backups/store.js'
import type { DatabaseUserStore } from './database-users/store.js'
import type { DatabaseStore } from './databases/store.js'
import type { IdempotentReplyStore } from './idempotent-replies/store.js'
import type { OrgUserStore } from './org-users/store.js'
import type { QuotaStore } from './quotas.js'
import type { ScheduleStore } from './schedules/store.js'
import type { StubItemStore } from './stub-items/store.js'
import type { WorkgroupStore } from './workgroups/store.js'
import type { DeletedWorkspaceStore } from './workspaces/deleted-store.js'
import type { FoundWorkspace } from './workspaces/fields.js'
import type { WorkspaceStore } from './workspaces/store.js'

/** The stores of all resources. Every method takes the sandbox key first. */
export interface ResourceStores {
  readonly workgroups: WorkgroupStore
  readonly allowList: AllowListStore
  readonly databases: DatabaseStore
  readonly workspaces: WorkspaceStore
  readonly deletedWorkspaces: DeletedWorkspaceStore
  readonly backups: BackupStore
  readonly schedules: ScheduleStore
  readonly databaseUsers: DatabaseUserStore
  readonly orgUsers: OrgUserStore
  readonly stubItems: StubItemStore
  readonly idempotentReplies: IdempotentReplyStore
  readonly quotas: QuotaStore
  readonly resources: Pick<ResourceLimit, 'count' | 'take'>
}

/** Binds each store to a sandbox. */
export type StoreBinders = { readonly [Name in keyof ResourceStores]: (sandbox: number) => Bound<ResourceStores[Name]> }

/** @param stores created once per database */
export function bindersOf(stores: ResourceStores): StoreBinders {
  return {
    workgroups: binder(stores.workgroups),
    allowList: binder(stores.allowList),
    databases: binder(stores.databases),
    workspaces: binder(stores.workspaces),
    deletedWorkspaces: binder(stores.deletedWorkspaces),
    backups: binder(stores.backups),
    schedules: binder(stores.schedules),
    databaseUsers: binder(stores.databaseUsers),
    orgUsers: binder(stores.orgUsers),
    stubItems: binder(stores.stubItems),
    idempotentReplies: binder(stores.idempotentReplies),
    quotas: binder(stores.quotas),
    resources: binder(stores.resources)
  }
}

/** The stores of one sandbox. Each is bound on every access, because a request rarely needs more than a few. */
export class SandboxStores {
  readonly #bind: StoreBinders
  readonly #sandbox: { readonly key: number }

  /** @param sandbox its key may change, so it is read on every access */
  constructor(bind: StoreBinders, sandbox: { readonly key: number }) {
    this.#bind = bind
    this.#sandbox = sandbox
  }

  get workgroups(): Bound<WorkgroupStore> {
    return this.#bind.workgroups(this.#sandbox.key)
  }
  get allowList(): Bound<AllowListStore> {
    return this.#bind.allowList(this.#sandbox.key)
  }
  get databases(): Bound<DatabaseStore> {
    return this.#bind.databases(this.#sandbox.key)
  }
  get workspaces(): Bound<WorkspaceStore> {
    return this.#bind.workspaces(this.#sandbox.key)
  }
  get deletedWorkspaces(): Bound<DeletedWorkspaceStore> {
    return this.#bind.deletedWorkspaces(this.#sandbox.key)
  }
  get backups(): Bound<BackupStore> {
    return this.#bind.backups(this.#sandbox.key)
  }
  get schedules(): Bound<ScheduleStore> {
    return this.#bind.schedules(this.#sandbox.key)
  }
  get databaseUsers(): Bound<DatabaseUserStore> {
    return this.#bind.databaseUsers(this.#sandbox.key)
  }
  get orgUsers(): Bound<OrgUserStore> {
    return this.#bind.orgUsers(this.#sandbox.key)
  }
  get stubItems(): Bound<StubItemStore> {
    return this.#bind.stubItems(this.#sandbox.key)
  }
  get idempotentReplies(): Bound<IdempotentReplyStore> {
    return this.#bind.idempotentReplies(this.#sandbox.key)
  }
  get quotas(): Bound<QuotaStore> {
    return this.#bind.quotas(this.#sandbox.key)
  }
  /** Room for resources. Reserve it before creating one. */
  get resources(): Bound<Pick<ResourceLimit, 'count' | 'take'>> {
    return this.#bind.resources(this.#sandbox.key)
  }

  /** Finds a workspace in a workgroup. @throws {ServiceError} `notFound`, naming the one that does not exist */
  findWorkspace({ workgroupID, workspaceID }: { workgroupID: string; workspaceID: string }): FoundWorkspace {
    const workspace = this.workspaces.findIn(workgroupID, workspaceID)
    if (workspace === undefined && !this.workgroups.has(workgroupID)) throw notFound('workgroup', workgroupID)
    return found(workspace, 'workspace', workspaceID)
  }
}

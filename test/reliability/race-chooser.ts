import { OPERATION_ROUTES, type OperationRoute } from '../../src/interface/operation-routes.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { TRANSITION_NAMES } from '../../src/profile/durations.js'
import type { Random } from '../../src/sim/random.js'
import { CALLS } from '../../src/test-control/calls.js'
import type { Body, BuiltMock } from '../helper.js'
import { NONE } from '../sandbox.js'

/** A chosen request. `id` is its RequestID. */
export interface Ask {
  readonly id: string
  /** The name of an operation, or of a call of test control. */
  readonly kind: string
  /** The ids in its path. */
  readonly ids?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** How often each kind of request is chosen. Hashing a password costs more than all the rest. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  pauseWorkspace: 10,
  resumeWorkspace: 10,
  refreshWorkspace: 8,
  updateWorkspace: 16,
  deleteWorkspace: 3,
  restoreBackup: 8,
  runBackup: 9,
  deleteBackup: 3,
  noteActivity: 4,
  createWorkspace: 7,
  deleteDatabase: 4,
  createWorkgroup: 1,
  deleteWorkgroup: 3,
  setBackupSchedule: 3,
  updateWorkspaceSchedule: 4,
  deleteWorkspaceSchedule: 2,
  createDatabaseUser: 0.4,
  updateDatabaseUserPassword: 0.2,
  deleteDatabaseUser: 2,
  updateOrgUserRoles: 2,
  advanceClock: 6,
  replaceTransitionRules: 2,
  releaseTransitions: 2,
  getWorkspace: 8,
  listBackups: 2,
  getWorkgroup: 2,
  getWorkspaceSchedules: 1
}

/** Requests that change a workgroup but none of its workspaces. */
export const GROUP_WRITES: Readonly<Record<string, number>> = {
  addAllowedIP: 5,
  deleteAllowedIP: 3,
  updateWorkgroup: 3
}

const ROUTES: Readonly<Record<string, OperationRoute>> = {
  ...OPERATION_ROUTES,
  ...Object.fromEntries(CALLS.map(({ name, method, path }) => [name, { method, path: `/_mock${path}` }]))
}

export const isRead = (kind: string): boolean => ROUTES[kind]!.method === 'GET'

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

/** The resources in a sandbox of a server in this process. */
export function worldOf({ plane }: Pick<BuiltMock, 'plane'>, key: string) {
  const stores = () => plane.storesOf(plane.sandboxes.find(sandboxIdOf(key))!)
  return {
    get groups() {
      return new Set(idsOf(stores().workgroups.list()))
    },
    get databases() {
      const all = stores().databases.listAll()
      return new Map(all.map(({ id, workgroup }) => [id, workgroup]))
    },
    get workspaces() {
      const all = [...stores().workspaces.pages()].flat()
      return new Map(all.map(({ id, workgroup: group, database }) => [id, { group, database }]))
    },
    get backups() {
      return stores().backups.listAll()
    },
    get orgUsers() {
      return idsOf(stores().orgUsers.list())
    },
    get allowed() {
      return [...stores().allowList.listAll().values()].flat()
    }
  }
}

export type World = ReturnType<typeof worldOf>

/** Number of workspaces at first, and about how many to keep. */
const FEW = 8

/** Chooses conflicting requests: most of a round are about the same few workspaces. */
export class Chooser {
  #count = 0
  #focus: readonly string[] = []

  constructor(
    private readonly random: Random,
    private readonly world: World,
    private readonly weights = WEIGHTS
  ) {}

  /** A RequestID. */
  id(): string {
    return `r-${++this.#count}`
  }

  beginning(): Ask[] {
    return [1, 2].map(() => ({ id: this.id(), kind: 'createWorkgroup', body: { cloud_provider_id: 'account' } }))
  }

  population(): Ask[] {
    return Array.from({ length: FEW }, () => this.#creation())
  }

  #creation(): Ask {
    const workgroupID = this.#pick([...this.world.groups, NONE])
    return { id: this.id(), kind: 'createWorkspace', ids: { workgroupID }, body: this.#workspace([]) }
  }

  advance(ms = this.#pick([0, 300, 1000, 1000, 2000, 3000, 40_000, 120_000])): Ask {
    return { id: this.id(), kind: 'advanceClock', body: { by: `PT${ms / 1000}S` } }
  }

  /** Requests to send at once. */
  next(count: number): Ask[] {
    const { workspaces } = this.world
    this.#focus = Array.from({ length: 1 + Math.floor(this.#fraction() * 3) }, () =>
      this.#fraction() < 0.02 ? NONE : this.#pick([...workspaces.keys(), NONE])
    )
    return Array.from({ length: count }, () => this.#choose())
  }

  #choose(): Ask {
    let at = this.#fraction() * Object.values(this.weights).reduce((sum, weight) => sum + weight)
    const [kind] = Object.entries(this.weights).find(([, weight]) => (at -= weight) < 0)!
    // With few workspaces, there are few conflicts.
    if (this.world.workspaces.size < FEW && this.#fraction() < 0.1) return this.#creation()
    if (kind === 'advanceClock') return this.advance()
    const ids = this.#place(kind)
    return { id: this.id(), kind, ids, ...this.#details(kind, ids) }
  }

  /** The ids: mostly of the few workspaces of the round, otherwise of any, or of none. */
  #place(kind: string): Readonly<Record<string, string>> {
    const { workspaces, groups, databases, allowed, orgUsers } = this.world
    const id = this.#fraction() < 0.85 ? this.#pick(this.#focus) : this.#pick([...workspaces.keys(), NONE])
    const workspace = workspaces.get(id)
    const anyGroup = () => this.#pick([...groups, NONE])
    const workgroupID = this.#fraction() < 0.02 ? anyGroup() : (workspace?.group ?? anyGroup())
    switch (kind) {
      case 'deleteWorkgroup':
        return { workgroupID: anyGroup() }
      case 'createWorkspace':
        return { workgroupID: workspaces.size < 3 ? anyGroup() : workgroupID }
      case 'deleteDatabase': {
        const own = workspace?.database ?? NONE
        const databaseID = this.#fraction() < 0.5 ? own : this.#pick([...databases.keys(), NONE])
        return { workgroupID: databases.get(databaseID) ?? workgroupID, databaseID }
      }
      case 'deleteAllowedIP': {
        const entry = this.#pick([...allowed, { id: NONE, workgroup: NONE }])
        return { workgroupID: entry.workgroup, id: entry.id }
      }
      case 'updateOrgUserRoles':
        return { userId: this.#pick(orgUsers) }
      default:
        return { workgroupID, workspaceID: id }
    }
  }

  #details(kind: string, { workspaceID }: Readonly<Record<string, string>>): Pick<Ask, 'body'> {
    const { backups, databases } = this.world
    switch (kind) {
      case 'replaceTransitionRules':
        return { body: { rules: Array.from({ length: Math.floor(this.#fraction() * 5) }, () => this.#rule()) } }
      case 'releaseTransitions':
        return {
          body: this.#pick([{}, { transition: this.#pick(TRANSITION_NAMES) }, { resource_id: this.#pick(this.#focus) }])
        }
      case 'createWorkgroup':
        return { body: { cloud_provider_id: 'account' } }
      case 'createWorkspace':
        return { body: this.#workspace([...databases.keys()]) }
      case 'updateWorkspace':
        return { body: this.#changes() }
      case 'updateWorkgroup':
        return { body: { workgroup_name: `group ${this.#pick([1, 2, 3])}` } }
      case 'addAllowedIP':
        return { body: { cidr: `10.0.${Math.floor(this.#fraction() * 200)}.0/24`, note: 'net' } }
      case 'runBackup':
        return { body: {} }
      case 'restoreBackup':
      case 'deleteBackup':
        return { body: { backup_id: this.#backup(backups) } }
      case 'setBackupSchedule':
        return {
          body: {
            schedule: `*/${this.#pick([1, 2, 5])} * * * *`,
            pause: this.#fraction() < 0.2,
            max_backup_files: this.#pick([1, 3, 7]),
            max_retry: this.#pick([0, 1, 2])
          }
        }
      case 'updateWorkspaceSchedule':
        return { body: { ...this.#schedule(), workspace_id: workspaceID } }
      case 'deleteWorkspaceSchedule':
        return { body: { id: this.#pick(['s1', 's2', 's3']) } }
      case 'createDatabaseUser':
      case 'updateDatabaseUserPassword':
        return { body: { username: this.#pick(['ann', 'bob']), password: 'secret' } }
      case 'deleteDatabaseUser':
        return { body: { username: this.#pick(['ann', 'bob']) } }
      case 'updateOrgUserRoles':
        return { body: { roles: this.#pick([['org-admin'], ['workspace-admin'], ['org-admin', 'billing-viewer']]) } }
      default:
        return {}
    }
  }

  #rule(): Body {
    const times = this.#pick([1, 2, 3])
    const ending = this.#pick([
      { outcome: 'fail', times, reason: 'No capacity.' },
      { outcome: 'fail', times },
      { outcome: 'hold', times },
      { after: this.#pick(['PT0S', 'PT7S', 'PT60S']) }
    ])
    return {
      transition: this.#pick(TRANSITION_NAMES),
      ...(this.#fraction() < 0.3 ? { resource_id: this.#pick(this.#focus) } : {}),
      ...ending
    }
  }

  #workspace(databases: readonly string[]): Body {
    const settings = { auto_stop_minutes: this.#pick([0, 0, 1, 2]), enable_auto_start: this.#fraction() < 0.5 }
    const chance = this.#fraction()
    // Half of them name an existing database, mostly for a read-write workspace, of which one can succeed.
    if (chance < 0.5 || databases.length === 0) return chance < 0.05 ? { is_rw: false } : settings
    return { ...settings, svc_database_id: this.#pick(databases), is_rw: this.#fraction() < 0.7 }
  }

  #changes(): Body {
    return {
      ...(this.#fraction() < 0.4 ? { workspace_type_name: this.#pick(['SVC-00', 'SVC-1', 'SVC-2']) } : {}),
      ...(this.#fraction() < 0.2 ? { enable_ha: this.#fraction() < 0.5 } : {}),
      ...(this.#fraction() < 0.3 ? { pause: this.#fraction() < 0.5 } : {}),
      ...(this.#fraction() < 0.2 ? { auto_stop_minutes: this.#pick([0, 1, 2, 3]) } : {}),
      ...(this.#fraction() < 0.2 ? { enable_auto_start: this.#fraction() < 0.5 } : {})
    }
  }

  #backup(backups: readonly { id: string; workspace: string }[]): string {
    const near = backups.filter(({ workspace }) => this.#focus.includes(workspace))
    const chosen = this.#fraction() < 0.9 && near.length > 0 ? near : backups
    return this.#fraction() < 0.05 || chosen.length === 0 ? NONE : this.#pick(chosen).id
  }

  #schedule(): Body {
    const time = `00:${String(Math.floor(this.#fraction() * 60)).padStart(2, '0')}`
    return {
      ...(this.#fraction() < 0.7 ? { id: this.#pick(['s1', 's2', 's3']) } : {}),
      time,
      timezone: 'UTC',
      ...(this.#fraction() < 0.4 ? { repeat: 'none', date: '2026-01-01' } : { repeat: 'daily' }),
      ...(this.#fraction() < 0.6 ? { workspace_type_name: this.#pick(['SVC-00', 'SVC-1']) } : {})
    }
  }

  #fraction(): number {
    return this.random.fraction()
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random.fraction() * items.length)]!
  }
}

/** The HTTP request for an ask, of whose path all is in the URL. */
export function callOf({ kind, ids = {}, body, id }: Ask, key: string): Parameters<BuiltMock['call']> {
  const { method, path, needsSession = false } = ROUTES[kind]!
  return [
    method,
    path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one?: string, other?: string) => ids[one ?? other!]!),
    {
      key: needsSession ? null : key,
      headers: { 'x-request-id': id, ...(needsSession ? { authorization: `Bearer ${key}` } : {}) },
      prefix: '',
      body
    }
  ]
}

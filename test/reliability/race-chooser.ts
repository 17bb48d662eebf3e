import { fillPath } from '../../src/lib/fill-path.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { TRANSITION_NAMES } from '../../src/profile/durations.js'
import type { Random } from '../../src/sim/random.js'
import { type Body, type BuiltMock, CONTROLLER } from '../helper.js'
import { NONE } from '../sandbox.js'

/** A chosen request. `id` is its RequestID. */
export interface Ask {
  readonly id: string
  readonly kind: string
  readonly group?: string
  readonly workspace?: string
  readonly database?: string
  /** Of an allow list. */
  readonly entry?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** How often each kind of request is chosen. Hashing a password costs more than all the rest. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  pause: 10,
  resume: 10,
  refresh: 8,
  update: 16,
  delete: 3,
  restore: 8,
  backup: 9,
  deleteBackup: 3,
  activity: 4,
  create: 7,
  deleteDatabase: 4,
  createGroup: 1,
  deleteGroup: 3,
  setBackupSchedule: 3,
  setSchedule: 4,
  deleteSchedule: 2,
  createUser: 0.4,
  setPassword: 0.2,
  deleteUser: 2,
  setRoles: 2,
  advance: 6,
  rules: 2,
  release: 2,
  getWorkspace: 8,
  listBackups: 2,
  getGroup: 2,
  getSchedules: 1
}

/** Requests that change a workgroup but none of its workspaces. */
export const GROUP_WRITES: Readonly<Record<string, number>> = { addAllowedIP: 5, deleteAllowedIP: 3, updateGroup: 3 }

export const READS: ReadonlySet<string> = new Set(['getWorkspace', 'listBackups', 'getGroup', 'getSchedules'])

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
    return [1, 2].map(() => ({ id: this.id(), kind: 'createGroup', body: { cloud_provider_id: 'account' } }))
  }

  population(): Ask[] {
    return Array.from({ length: FEW }, () => this.#creation())
  }

  #creation(): Ask {
    const group = this.#pick([...this.world.groups, NONE])
    return { id: this.id(), kind: 'create', group, body: this.#workspace([]) }
  }

  advance(ms = this.#pick([0, 300, 1000, 1000, 2000, 3000, 40_000, 120_000])): Ask {
    return { id: this.id(), kind: 'advance', body: { ms } }
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
    if (this.world.workspaces.size < FEW && this.#fraction() < 0.1) {
      return this.#creation()
    }
    if (kind === 'advance') return this.advance()
    if (kind === 'deleteAllowedIP') {
      const { id, workgroup } = this.#pick([...this.world.allowed, { id: NONE, workgroup: NONE }])
      return { id: this.id(), kind, group: workgroup, entry: id }
    }
    return { id: this.id(), kind, ...this.#place(kind), ...this.#details(kind) }
  }

  /** The ids: mostly of the few workspaces of the round, otherwise of any, or of none. */
  #place(kind: string): Partial<Ask> {
    const { workspaces, groups, databases } = this.world
    const id = this.#fraction() < 0.85 ? this.#pick(this.#focus) : this.#pick([...workspaces.keys(), NONE])
    const workspace = workspaces.get(id)
    const group =
      this.#fraction() < 0.02 ? this.#pick([...groups, NONE]) : (workspace?.group ?? this.#pick([...groups, NONE]))
    const database = this.#fraction() < 0.5 ? (workspace?.database ?? NONE) : this.#pick([...databases.keys(), NONE])
    const isOfGroup =
      kind in GROUP_WRITES ||
      ['createGroup', 'create', 'deleteGroup', 'getGroup', 'setRoles', 'rules', 'release'].includes(kind)
    if (kind === 'deleteGroup' || (kind === 'create' && workspaces.size < 3))
      return { group: this.#pick([...groups, NONE]) }
    if (kind === 'deleteDatabase') return { group: databases.get(database) ?? group, database }
    return isOfGroup ? { group } : { group, workspace: id }
  }

  #details(kind: string): Pick<Ask, 'body'> {
    const { backups, databases } = this.world
    switch (kind) {
      case 'rules':
        return { body: { rules: Array.from({ length: Math.floor(this.#fraction() * 5) }, () => this.#rule()) } }
      case 'release':
        return {
          body: this.#pick([{}, { transition: this.#pick(TRANSITION_NAMES) }, { resource_id: this.#pick(this.#focus) }])
        }
      case 'createGroup':
        return { body: { cloud_provider_id: 'account' } }
      case 'create':
        return { body: this.#workspace([...databases.keys()]) }
      case 'update':
        return { body: this.#changes() }
      case 'updateGroup':
        return { body: { workgroup_name: `group ${this.#pick([1, 2, 3])}` } }
      case 'addAllowedIP':
        return { body: { cidr: `10.0.${Math.floor(this.#fraction() * 200)}.0/24`, note: 'net' } }
      case 'backup':
        return { body: {} }
      case 'restore':
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
      case 'setSchedule':
        return { body: this.#schedule() }
      case 'deleteSchedule':
        return { body: { id: this.#pick(['s1', 's2', 's3']) } }
      case 'createUser':
      case 'setPassword':
        return { body: { username: this.#pick(['ann', 'bob']), password: 'secret' } }
      case 'deleteUser':
        return { body: { username: this.#pick(['ann', 'bob']) } }
      case 'setRoles':
        return {
          body: {
            user: this.#pick(this.world.orgUsers),
            roles: this.#pick([['org-admin'], ['workspace-admin'], ['org-admin', 'billing-viewer']])
          }
        }
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

/** The HTTP request of each kind, with the names of an ask's fields in its path. */
const CALLS: Readonly<Record<string, string>> = {
  freeze: 'PUT /_mock/clock',
  replace: 'PUT /_mock/state',
  advance: 'POST /_mock/clock/advance',
  settle: 'POST /_mock/clock/advance',
  rules: 'PUT /_mock/transitions',
  release: 'POST /_mock/transitions/release',
  backup: 'POST /_mock/workspaces/:workspace/backups',
  activity: 'POST /_mock/workspaces/:workspace/activity',
  createGroup: 'POST /workgroups',
  updateGroup: 'PUT /workgroups/:group',
  addAllowedIP: 'POST /workgroups/:group/allow_list',
  deleteAllowedIP: 'DELETE /workgroups/:group/allow_list/:entry',
  getGroup: 'GET /workgroups/:group',
  deleteGroup: 'DELETE /workgroups/:group',
  deleteDatabase: 'DELETE /workgroups/:group/databases/:database',
  create: 'POST /workgroups/:group/workspaces',
  getWorkspace: 'GET /workgroups/:group/workspaces/:workspace',
  update: 'PUT /workgroups/:group/workspaces/:workspace',
  delete: 'DELETE /workgroups/:group/workspaces/:workspace',
  pause: 'POST /workgroups/:group/workspaces/:workspace/pause',
  resume: 'POST /workgroups/:group/workspaces/:workspace/resume',
  refresh: 'POST /workgroups/:group/workspaces/:workspace/refresh',
  listBackups: 'GET /workspaces/:workspace/backups',
  restore: 'POST /workgroups/:group/workspaces/:workspace/backups/restore',
  deleteBackup: 'DELETE /workgroups/:group/workspaces/:workspace/backups',
  getSchedules: 'GET /workgroups/:group/workspaces/:workspace/schedules',
  setSchedule: 'POST /workgroups/:group/workspaces/:workspace/backups/schedule',
  setBackupSchedule: 'POST /workgroups/:group/workspaces/:workspace/backups/schedule',
  deleteSchedule: 'POST /workgroups/:group/workspaces/:workspace/backups/schedule',
  createUser: 'POST /workgroups/:group/workspaces/:workspace/dbuser',
  setPassword: 'PUT /workgroups/:group/workspaces/:workspace/dbuser',
  deleteUser: 'DELETE /workgroups/:group/workspaces/:workspace/dbuser',
  setRoles: 'PUT /users/:user/roles'
}

/** The HTTP request for an ask. */
export function callOf(
  { kind, group, workspace, database, entry, body, id }: Ask,
  key: string
): Parameters<BuiltMock['call']> {
  const [method, template] = CALLS[kind]!.split(' ') as [string, string]
  const { user, ...rest } = body ?? {}
  const path = fillPath(template, { group, workspace, database, entry, user })
  const bodies: Readonly<Record<string, object>> = {
    advance: { by: `PT${(rest['ms'] as number) / 1000}S` },
    settle: { until: 'idle' },
    setSchedule: { ...rest, workspace_id: workspace }
  }
  const isSession = kind === 'setRoles'
  return [
    method,
    path,
    {
      key: isSession ? null : key,
      headers: { 'x-request-id': id, ...(isSession ? { authorization: `Bearer ${key}` } : {}) },
      prefix: isSession || path.startsWith('/_mock') ? '' : CONTROLLER,
      body: bodies[kind] ?? (body && rest)
    }
  ]
}

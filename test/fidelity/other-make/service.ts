import type { Json } from '../../../src/lib/json.js'

// A control plane of another make, which shares only the paths with the mock. `other-make.test.ts` lists the
// differences, with the profile that expresses them.

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Request {
  /** Milliseconds since 1970, as are all times. */
  readonly now: number
  readonly method: string
  readonly path: string
  readonly token: string | undefined
  readonly body: unknown
}

interface Workgroup {
  readonly id: string
  name: string
  readonly region: string
  readonly account: string
  readonly made: number
}

interface Workspace {
  readonly id: string
  readonly workgroup: string
  readonly database: string
  name: string
  type: string
  readonly made: number
  changed: number
  state: string
  /** The transition that is running. */
  change?: { readonly to: string; readonly at: number; readonly type?: string }
  /** When it was deleted. */
  gone?: number
}

class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly field: string

  constructor(status: number, type: string, message: string, field = '') {
    super(message)
    this.status = status
    this.type = type
    this.field = field
  }
}

const TYPES: Readonly<Record<string, { cpu: string; memory: string }>> = {
  W1: { cpu: '2', memory: '8Gi' },
  W2: { cpu: '4', memory: '16Gi' },
  W3: { cpu: '8', memory: '32Gi' }
}
const REGIONS = ['eu-west-3', 'eu-north-1'] as const
const ORG = '5f2d6a57-8f3e-4a27-9d38-2f0d3d3c0001'
const CREATE_MS = [95_000, 104_000, 110_000] as const
const PAUSE_MS = 8000
const RESUME_MS = 20_000
const RESIZE_MS = 40_000
const DELETE_MS = 5000
const MOST_WRITERS = 3
const READABLE_MS = 60_000
const LAG_MS = 3000
const WINDOW_MS = 10_000
const MOST_REQUESTS = 20
const LONGEST_NAME = 40

export class OtherService {
  readonly #workgroups = new Map<string, Workgroup>()
  readonly #workspaces = new Map<string, Workspace>()
  readonly #addresses = new Map<string, { id: string; cidr: string; note: string }[]>()
  readonly #users = new Map<string, { id: string; username: string; created: number }[]>()
  readonly #databases = new Map<string, { readonly workgroup: string; readonly made: number; name: string }>()
  readonly #guarded = new Set<string>()
  #recent: number[] = []
  #count = 0
  /** Replies to lists, and gets all requests a little later. */
  readonly #replica: OtherService | undefined
  #unheard: Request[] = []
  readonly #isIndexed: boolean

  /** @param isIndexed whether only new workgroups are late in lists */
  constructor(isIndexed = false, isReplica = false) {
    this.#isIndexed = isIndexed
    this.#replica = isReplica || isIndexed ? undefined : new OtherService(false, true)
  }

  answer(request: Request): Reply {
    this.#unheard.push(request)
    const id = this.#id()
    if (request.token === undefined)
      return this.#refused(id, new Refusal(401, 'Unauthorized', 'A bearer token is needed.'))
    this.#recent = this.#recent.filter((at) => at > request.now - WINDOW_MS)
    if (this.#recent.length >= MOST_REQUESTS) {
      const reply = this.#refused(id, new Refusal(429, 'Too-Many-Requests', 'Slow down, please.'))
      return { ...reply, headers: { 'retry-after': '4' } }
    }
    this.#recent.push(request.now)
    this.#settle(request.now)
    try {
      const { status = 200, result } = this.#route(request)
      const body = { Error: false, RequestID: id, Message: 'OK', ErrorDetails: [] }
      return { status, body: result === undefined ? body : { ...body, Result: result } }
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(id, error)
      throw error
    }
  }

  #refused(id: string, { status, type, field, message }: Refusal): Reply {
    const details = [{ FieldName: field, Reason: message, Type: type }]
    return { status, body: { Error: true, RequestID: id, Message: message, ErrorDetails: details } }
  }

  /** Reproducible ids that differ in their first digits. */
  #id(): string {
    const digits = (BigInt(++this.#count) * 0x9e3779b97f4a7c15f39cc0605cedc835n) & ((1n << 128n) - 1n)
    const hex = digits.toString(16).padStart(32, '0')
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-'
    )
  }

  #settle(now: number): void {
    for (const one of this.#workspaces.values()) {
      if (one.change === undefined || one.change.at > now) continue
      one.state = one.change.to
      one.changed = one.change.at
      one.type = one.change.type ?? one.type
      if (one.state === 'Deleted') one.gone = one.change.at
      delete one.change
    }
    for (const one of this.#workspaces.values())
      if (one.gone !== undefined && one.gone + READABLE_MS <= now) this.#workspaces.delete(one.id)
  }

  #route(request: Request): { status?: number; result?: unknown } {
    const { method, path } = request
    const parts = path.replace('/controller/v4/v2', '').split('/').slice(1)
    const [root, group, kind, inner, ...rest] = parts
    if (root === 'usage' && method === 'GET') return { result: { hours: 12, currency: 'EUR' } }
    if (root === 'workspaces' && group === 'meta') return { result: metadata() }
    if (root === 'workspaces') {
      this.#found(this.#workspaces.get(group!), 'workspace', group!)
      return { result: [] }
    }
    if (root !== 'workgroups') throw new Refusal(404, 'NotFound', 'There is nothing here.')
    if (group === undefined) return this.#allWorkgroups(request)
    const workgroup = this.#found(this.#workgroups.get(group), 'workgroup', group)
    if (kind === undefined) return this.#oneWorkgroup(request, workgroup)
    if (kind === 'allow_list') return this.#allowList(request, workgroup, inner)
    if (kind === 'databases') return { result: this.#database(this.#databaseOf(workgroup, inner!), request.body) }
    if (inner === undefined) return this.#create(request, workgroup)
    const workspace = this.#workspaces.get(inner)
    const found = this.#found(workspace?.workgroup === group ? workspace : undefined, 'workspace', inner)
    return rest.length === 0 ? this.#oneWorkspace(request, found) : this.#act(request, found, rest)
  }

  #found<T>(value: T | undefined, what: string, id: string): T {
    if (value === undefined) throw new Refusal(404, 'NotFound', `${what} not found: ${id}`)
    return value
  }

  #allWorkgroups({ method, body, now }: Request) {
    if (method === 'GET') return { result: this.#replica === undefined ? this.#list(now) : this.#later(now) }
    const { name, region = REGIONS[0], cloud_provider_id: account } = checked(body, ['name', 'region'])
    if (typeof account !== 'string')
      throw new Refusal(422, 'Invalid', 'cloud_provider_id is missing', 'cloud_provider_id')
    if (!(REGIONS as readonly unknown[]).includes(region)) throw new Refusal(422, 'Invalid', 'no such region', 'region')
    const id = this.#id()
    const made: Workgroup = {
      id,
      name: text(name, `group-${this.#workgroups.size + 1}`),
      region: String(region),
      account,
      made: now
    }
    this.#workgroups.set(id, made)
    return { status: 201, result: this.#workgroup(made) }
  }

  #list(now: number): Json[] {
    const isShown = ({ made }: Workgroup) => !this.#isIndexed || made + LAG_MS <= now
    return [...this.#workgroups.values()].filter(isShown).map((one) => this.#workgroup(one))
  }

  /** The list as it was a little earlier. */
  #later(now: number): Json[] {
    const replica = this.#replica!
    const heard = this.#unheard.filter((request) => request.now <= now - LAG_MS)
    this.#unheard = this.#unheard.slice(heard.length)
    for (const request of heard) replica.answer(request)
    replica.#settle(now - LAG_MS)
    return replica.#list(now - LAG_MS)
  }

  #oneWorkgroup({ method, body }: Request, workgroup: Workgroup) {
    if (method === 'PUT') workgroup.name = text(checked(body, ['workgroup_name'])['workgroup_name'], workgroup.name)
    if (method !== 'DELETE') return { result: this.#workgroup(workgroup) }
    for (const one of this.#inside(workgroup)) this.#workspaces.delete(one.id)
    this.#workgroups.delete(workgroup.id)
    return { result: workgroup.id }
  }

  #allowList({ method, body }: Request, { id }: Workgroup, entry: string | undefined) {
    const list = this.#addresses.get(id) ?? []
    this.#addresses.set(id, list)
    if (entry === 'enable' || entry === 'disable') {
      if (entry === 'enable') this.#guarded.add(id)
      else this.#guarded.delete(id)
      return { result: 'OK' }
    }
    if (method === 'GET') return { result: list }
    if (method === 'POST') {
      const { cidr, note = '' } = checked(body, ['cidr', 'note'])
      if (typeof cidr !== 'string' || !cidr.includes('/')) throw new Refusal(422, 'Invalid', 'no CIDR block', 'cidr')
      list.push({ id: this.#id(), cidr, note: String(note) })
      return { result: list.at(-1) }
    }
    const found = this.#found(
      list.find((one) => one.id === entry),
      'address',
      entry!
    )
    list.splice(list.indexOf(found), 1)
    return { result: 'OK' }
  }

  #create({ body, now }: Request, workgroup: Workgroup) {
    const { name, workspace_type_name: type = 'W2' } = checked(body, ['name', 'workspace_type_name'])
    if (TYPES[String(type)] === undefined) throw new Refusal(422, 'Invalid', 'no such type', 'workspace_type_name')
    const writers = [...this.#workspaces.values()].filter((one) => one.gone === undefined)
    if (writers.length >= MOST_WRITERS) throw new Refusal(402, 'Quota', `no more than ${MOST_WRITERS} writers`)
    const id = this.#id()
    const made: Workspace = {
      id,
      workgroup: workgroup.id,
      database: this.#id(),
      name: text(name, `space-${this.#workspaces.size + 1}`),
      type: String(type),
      made: now,
      changed: now,
      state: 'Provisioning',
      change: { to: 'Running', at: now + CREATE_MS[this.#workspaces.size % CREATE_MS.length]! }
    }
    this.#workspaces.set(id, made)
    const { database } = made
    this.#databases.set(database, { workgroup: workgroup.id, made: now, name: `base-${database.slice(0, 8)}` })
    return { status: 201, result: this.#workspace(made) }
  }

  #oneWorkspace({ method, body, now }: Request, workspace: Workspace) {
    if (method === 'GET') return { result: this.#workspace(workspace) }
    if (workspace.gone !== undefined) throw new Refusal(404, 'NotFound', `workspace not found: ${workspace.id}`)
    if (method === 'DELETE') {
      if (workspace.state === 'Terminating') throw busy(workspace)
      this.#begin(workspace, 'Terminating', { to: 'Deleted', at: now + DELETE_MS }, now)
      return {}
    }
    const { workspace_type_name: type, workspace_name: name } = checked(body, ['workspace_name', 'workspace_type_name'])
    if (typeof type === 'string' && TYPES[type] === undefined)
      throw new Refusal(422, 'Invalid', 'no such type', 'workspace_type_name')
    if (typeof type === 'string' && type !== workspace.type) {
      if (workspace.state !== 'Running') throw busy(workspace)
      this.#begin(workspace, 'Resizing', { to: 'Running', at: now + RESIZE_MS, type }, now)
    }
    workspace.name = text(name, workspace.name)
    return { result: this.#workspace(workspace) }
  }

  #begin(workspace: Workspace, state: string, change: NonNullable<Workspace['change']>, now: number): void {
    workspace.state = state
    workspace.change = change
    workspace.changed = now
  }

  #act({ method, body, now }: Request, workspace: Workspace, [what]: readonly string[]) {
    const { state, id } = workspace
    if (workspace.gone !== undefined) throw new Refusal(404, 'NotFound', `workspace not found: ${id}`)
    if (what === 'pause' || what === 'resume') {
      if (state !== (what === 'pause' ? 'Running' : 'Paused')) throw busy(workspace)
      if (what === 'pause') this.#begin(workspace, 'Pausing', { to: 'Paused', at: now + PAUSE_MS }, now)
      else this.#begin(workspace, 'Resuming', { to: 'Running', at: now + RESUME_MS }, now)
      return { status: 202 }
    }
    if (what === 'schedules') return { result: [] }
    if (what === 'dbuser') return this.#databaseUsers(method, body, workspace, now)
    throw new Refusal(404, 'NotFound', 'There is nothing here.')
  }

  #databaseUsers(method: string, body: unknown, { id, state }: Workspace, now: number) {
    if (state !== 'Running') throw new Refusal(409, 'Conflict', 'workspace is not running')
    const users = this.#users.get(id) ?? []
    this.#users.set(id, users)
    const shown = ({ id: user, username, created }: (typeof users)[number]) => ({
      id: user,
      username,
      created: iso(created),
      updated: iso(created)
    })
    if (method === 'GET') return { result: users.map(shown) }
    const { username } = checked(body, ['username', 'password'])
    if (typeof username !== 'string') throw new Refusal(422, 'Invalid', 'username is missing', 'username')
    const found = users.find((one) => one.username === username)
    if (method !== 'POST') {
      this.#found(found, 'user', username)
      if (method === 'DELETE') users.splice(users.indexOf(found!), 1)
      return {}
    }
    if (found !== undefined) throw new Refusal(409, 'Conflict', `user exists: ${username}`, 'username')
    users.push({ id: this.#id(), username, created: now })
    return { result: shown(users.at(-1)!) }
  }

  #inside({ id }: Workgroup): Workspace[] {
    return [...this.#workspaces.values()].filter((one) => one.workgroup === id && one.gone === undefined)
  }

  #databaseOf(workgroup: Workgroup, id: string): string {
    this.#found(this.#databases.get(id)?.workgroup === workgroup.id ? id : undefined, 'database', id)
    return id
  }

  #database(id: string, body?: unknown): Json {
    const database = this.#databases.get(id)!
    const workgroup = this.#workgroups.get(database.workgroup)!
    if (body !== undefined) database.name = text((body as Json)['svc_database_name'], database.name)
    return {
      database_id: id,
      name: database.name,
      org_id: ORG,
      org_name: 'Rivals',
      workgroup_id: workgroup.id,
      region: workgroup.region,
      svc_version: '5.0.1',
      create_time: iso(database.made),
      workspaces: this.#inside(workgroup)
        .filter(({ database: own }) => own === id)
        .map((one) => this.#workspace(one))
    }
  }

  #workgroup(workgroup: Workgroup): Json {
    const inside = this.#inside(workgroup)
    return {
      workgroup_id: workgroup.id,
      name: workgroup.name,
      org_id: ORG,
      org_name: 'Rivals',
      created_by: 'boss@rival.test',
      cloud_provider_id: workgroup.account,
      platform: 'aws',
      region: workgroup.region,
      enable_allow_list: this.#guarded.has(workgroup.id),
      svc_databases: [...this.#databases]
        .filter(([, { workgroup: own }]) => own === workgroup.id)
        .map(([id]) => {
          const { workspaces: _, ...database } = this.#database(id)
          return database
        }),
      workspaces: inside.map((one) => this.#workspace(one))
    }
  }

  #workspace(one: Workspace): Json {
    const workgroup = this.#workgroups.get(one.workgroup)
    return {
      workspace_id: one.id,
      workgroup_id: one.workgroup,
      workgroup_name: workgroup?.name ?? '',
      database_id: one.database,
      database_name: this.#databases.get(one.database)?.name ?? '',
      org_id: ORG,
      org_name: 'Rivals',
      region: workgroup?.region ?? '',
      name: one.name,
      status: one.state,
      display_status: one.state,
      edition: 'enterprise',
      condition_type: one.state === 'Running' ? 'Normal' : one.state === 'Paused' ? 'Paused' : '',
      svc_version: '5.0.1',
      created_at: iso(one.made),
      workspace_type: { typeName: one.type, ...TYPES[one.type], partition: 1, ha: 3 },
      is_rw: true,
      nginx_host: `${one.id}.rival.test`,
      version_number: 0,
      created_by: 'boss@rival.test',
      last_modified_time: iso(one.changed),
      cloud_provider_id: workgroup?.account ?? '',
      auto_stop_minutes: 0,
      enable_auto_start: false,
      refresh_status: '',
      refresh_message: '',
      addons: null,
      enable_copilot: false,
      enable_ha: false,
      solution_catalog_id: '',
      ...(one.gone === undefined ? {} : { deleted_at: iso(one.gone) })
    }
  }
}

const busy = ({ id, state }: Workspace) => new Refusal(409, 'Conflict', `workspace ${id} is ${state.toLowerCase()}`)

const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

const text = (value: unknown, otherwise: string) => (typeof value === 'string' && value !== '' ? value : otherwise)

/** The fields of a body. @throws {Refusal} if one of the texts is too long, or not a text */
function checked(body: unknown, texts: readonly string[]): Json {
  const fields = (body ?? {}) as Json
  for (const name of texts) {
    const value = fields[name]
    if (value === undefined) continue
    if (typeof value !== 'string') throw new Refusal(422, 'Invalid', `${name} is no text`, name)
    if (value.length > LONGEST_NAME) throw new Refusal(422, 'Invalid', `${name} is too long`, name)
  }
  return fields
}

function metadata(): Json {
  return {
    platforms: ['aws'],
    regions: REGIONS.map((name) => ({ name, description: name })),
    svcVersions: [{ name: '5.0.1', image: 'rival/database:5.0.1' }],
    workspace_types: Object.entries(TYPES).map(([typeName, type]) => ({ typeName, ...type, partition: 1, ha: 3 }))
  }
}

import { placed } from '../../lib/fill-path'
import { groupBy } from '../../lib/group-by'
import { type Answer, CallError, type Client } from '../api/client'
import { type Link, listen } from '../api/stream'
import type {
  Action,
  Clock,
  Database,
  Due,
  Overview,
  RequestSummary,
  StateChange,
  StreamEvent,
  TimelineItem,
  Workgroup,
  Workspace
} from '../api/types'
import { Coalesced } from './coalesce'

/** Number of requests to load, unless a view needs all. */
const REQUEST_LIMIT = 1000

type Resources = Pick<Overview, 'workgroups' | 'databases' | 'workspaces'>

export interface Group {
  readonly workgroup: Workgroup
  readonly workspaces: readonly Workspace[]
}

/** The console's copy of a sandbox: read once, then updated by the events of the stream. */
export class SandboxModel {
  readonly client: Client
  /** Whether it shows the past, which nothing can change. */
  readonly isPast: boolean = false
  link: Link = 'connecting'
  /** Set if the server denies access. */
  refusal: CallError | undefined
  /** Paths and names of the interface; undefined until they are loaded. */
  about: Pick<Overview, 'base_path' | 'prefix' | 'names' | 'states' | 'routes' | 'possible_in'> | undefined
  orgName = ''
  /** Whether it is older than the server's seed, and so does not contain it. */
  predatesSeed = false
  workgroups = new Map<string, Workgroup>()
  databases = new Map<string, Database>()
  workspaces = new Map<string, Workspace>()
  events: readonly Due[] = []
  timeline: TimelineItem[] = []
  requests: RequestSummary[] = []
  clock: Clock | undefined
  /** Counts changes to the overview, and all changes. */
  version = 0
  changes = 0

  #clockRead = 0
  /** When the connection was lost, which stops the clock, as the server's may have changed. */
  #stoppedAt: number | undefined
  #requestLimit = REQUEST_LIMIT
  #olderRequests = 0
  /** Number of requests that events have added since the last full read. */
  #addedRequests = 0
  /** How many of the newest items of a list events may repeat after a full read. */
  #overlap = 0
  /** Events that arrive during a full read, to be applied again afterwards. */
  #waiting: StreamEvent[] | undefined
  #isDrawPlanned = false
  #dueTimer: ReturnType<typeof setTimeout> | undefined
  readonly #closed = new AbortController()
  readonly #listeners = new Set<() => void>()
  /** Calls under way, by path, and what they may not know yet. */
  readonly #reads = new Map<string, { readonly changes: number; readonly value: Promise<unknown> }>()
  readonly #reading = {
    all: new Coalesced(() => this.#load()),
    events: new Coalesced(() => this.#loadEvents())
  }

  constructor(client: Client) {
    this.client = client
  }

  open(): void {
    void listen(
      this.client,
      {
        onEvent: (event) => this.#hear(event),
        onLink: (link) => {
          this.link = link
          this.#stoppedAt = link === 'lost' ? (this.#stoppedAt ?? performance.now()) : undefined
          this.changed()
        },
        onRefused: (error) => {
          this.refusal = error
          this.changed()
        }
      },
      this.#closed.signal
    )
  }

  close(): void {
    this.#closed.abort()
    clearTimeout(this.#dueTimer)
    for (const job of Object.values(this.#reading)) job.stop()
  }

  /** Reads from the control API, for this moment. Parts of a view that need the same share the call. */
  read<T>(path: string): Promise<T> {
    const known = this.#reads.get(path)
    if (known?.changes === this.changes) return known.value as Promise<T>
    const value = this.client.read<T>(path)
    const own = { changes: this.changes, value }
    this.#reads.set(path, own)
    const forget = () => this.#reads.get(path) === own && this.#reads.delete(path)
    value.then(forget, forget)
    return value
  }

  /** Reads scheduled events, which the stream does not contain. */
  async #loadEvents(): Promise<void> {
    this.events = await this.client.read<Due[]>('/events')
    this.#planDue()
    this.changed()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The time of the sandbox, in milliseconds since 1970. */
  now(): number {
    if (this.clock === undefined) return Date.now()
    const base = Date.parse(this.clock.now)
    const passed = (this.#stoppedAt ?? performance.now()) - this.#clockRead
    return this.clock.mode === 'real' ? base + passed * this.clock.rate : base
  }

  /** The event that is due first. */
  get next(): (Due & { readonly due: string }) | undefined {
    return this.events.find((event): event is Due & { readonly due: string } => !event.held)
  }

  /** The workgroups with their workspaces, in the order of creation. */
  groups(): Group[] {
    const byGroup = groupBy([...this.workspaces.values()], ({ workgroup_id: id }) => id)
    return [...this.workgroups.values()].map((workgroup) => ({
      workgroup,
      workspaces: byGroup.get(workgroup.workgroup_id) ?? []
    }))
  }

  /** Name of a workspace, workgroup or database, if it exists. */
  nameOf(id: string): string | undefined {
    return (this.workspaces.get(id) ?? this.workgroups.get(id) ?? this.databases.get(id))?.name
  }

  canBe(action: Action, { status, is_rw: isRw }: Workspace): boolean {
    return !this.isPast && this.about!.possible_in[action].includes(status) && (action !== 'backup' || isRw)
  }

  /** Performs an action on a workspace, through the interface if it has an operation for it. */
  act(action: Exclude<Action, 'restore'>, workspace: Workspace): Promise<Answer<unknown>> {
    const { workgroup_id: workgroupID, workspace_id: workspaceID } = workspace
    const controls: Partial<Record<Action, string>> = { backup: 'backups', activity: 'activity' }
    const control = controls[action]
    return control === undefined
      ? this.call(`${action}Workspace`, { workgroupID, workspaceID })
      : this.client.control('POST', `/workspaces/${encodeURIComponent(workspaceID)}/${control}`)
  }

  /** Calls an operation of the interface. @param input its ids, and its body by the names of the interface */
  async call(operation: string, input: Readonly<Record<string, unknown>>): Promise<Answer<unknown>> {
    const route = this.about!.routes[operation]
    if (route === undefined) throw new CallError(0, `The profile switches ${operation} off.`)
    const { path, body } = placed({ ...route, moves: { from: Object.entries(route.from) } }, input)
    return this.client.call(route.method, this.#base + path, body, this.names.fields)
  }

  get controller(): string {
    return this.#base + this.about!.prefix
  }

  get #base(): string {
    return this.about!.base_path.replace(/^\/$/, '')
  }

  /** Names that a profile changes. */
  get names(): Overview['names'] {
    return this.about!.names
  }

  /** Loads all requests, until there are many more. */
  loadAll(): void {
    if (this.#requestLimit === Infinity) return
    this.#requestLimit = Infinity
    this.#reading.all.request(0)
  }

  #hear(event: StreamEvent): void {
    this.#waiting?.push(event)
    switch (event.event) {
      case 'resync':
      case 'reset':
        this.#reading.all.request(0)
        return
      case 'clock':
        this.#setClock(event.data)
        this.#planDue()
        break
      case 'request':
        this.#addRequest(event.data)
        break
      case 'state':
        this.#apply(event.data)
    }
    this.changed()
  }

  async #load(): Promise<void> {
    this.#waiting = []
    try {
      const limit = this.#requestLimit === Infinity ? '' : `?limit=${this.#requestLimit}`
      const [overview, clock, timeline, { requests, total }, events] = await Promise.all([
        this.client.read<Overview>('/overview'),
        this.client.read<Clock>('/clock'),
        this.client.read<TimelineItem[]>('/timeline'),
        this.client.read<{ requests: RequestSummary[]; total: number }>(`/requests${limit}`),
        this.client.read<Due[]>('/events')
      ])
      this.about = overview
      this.orgName = overview.org_name
      this.predatesSeed = overview.predates_seed
      this.keep(overview)
      this.#setClock(clock)
      this.timeline = timeline
      this.#olderRequests = total - requests.length
      this.requests = requests
      this.#addedRequests = 0
      this.events = events
    } catch (error) {
      if (error instanceof CallError && error.isRefusal) this.refusal = error
      else if (error instanceof CallError && error.status === 503) this.#reading.all.request()
      // Otherwise, the connection was lost, and the next one begins with a resync.
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    // And a few more, which were under way.
    this.#overlap = waiting.reduce((sum, { event, data }) => sum + (event === 'state' ? data.timeline.length : 1), 100)
    for (const event of waiting) if (event.event !== 'resync' && event.event !== 'reset') this.#hear(event)
    this.#planDue()
    this.changed()
  }

  protected keep({ workgroups, databases, workspaces }: Resources): void {
    this.workgroups = new Map(workgroups.map((workgroup) => [workgroup.workgroup_id, workgroup]))
    this.databases = new Map(databases.map((database) => [database.database_id, database]))
    this.workspaces = new Map(workspaces.map((workspace) => [workspace.workspace_id, workspace]))
    this.version++
  }

  #apply({ complete, tables, changed, removed, timeline }: StateChange): void {
    if (!complete) {
      this.#reading.all.request(0)
      return
    }
    for (const workgroup of changed.workgroups) this.workgroups.set(workgroup.workgroup_id, workgroup)
    for (const database of changed.databases) this.databases.set(database.database_id, database)
    for (const workspace of changed.workspaces) this.workspaces.set(workspace.workspace_id, workspace)
    for (const id of removed.workgroups) this.workgroups.delete(id)
    for (const id of removed.databases) this.databases.delete(id)
    for (const id of removed.workspaces) this.workspaces.delete(id)
    if (tables.some((table) => ['workgroups', 'databases', 'workspaces'].includes(table))) this.version++
    if (timeline.length > 0) this.timeline = mergeTail(this.timeline, timeline, nameOfEntry, this.#overlap)
    if (tables.includes('due_events')) this.#reading.events.request()
  }

  #addRequest(request: RequestSummary): void {
    const nameOf = ({ request_id: id, received }: RequestSummary) => `${id} ${received}`
    const all = mergeTail(this.requests, [request], nameOf, this.#overlap)
    if (++this.#addedRequests === REQUEST_LIMIT) {
      // The journal may have dropped as many, and perhaps no view needs all any longer.
      this.#addedRequests = 0
      this.#requestLimit = REQUEST_LIMIT
      this.#reading.all.request()
    }
    this.requests = all.slice(-this.#requestLimit)
    this.#olderRequests += all.length - this.requests.length
  }

  get areRequestsCut(): boolean {
    return this.#olderRequests > 0
  }

  /** Number of requests, including those that are not loaded. */
  get requestTotal(): number {
    return this.#olderRequests + this.requests.length
  }

  #setClock(clock: Clock): void {
    this.clock = clock
    this.#clockRead = performance.now()
  }

  /** Calls the server when the next event is due, because only a request runs due events. */
  #planDue(): void {
    clearTimeout(this.#dueTimer)
    if (this.clock?.mode !== 'real') return
    if (this.next === undefined) return
    const wait = (Date.parse(this.next.due) - this.now()) / this.clock.rate + 20
    const use = async () => {
      this.#setClock(await this.client.read<Clock>('/clock'))
      this.#reading.events.request()
    }
    // The maximum delay of a timer.
    if (wait < 2 ** 31 - 1) this.#dueTimer = setTimeout(() => void use().catch(() => undefined), Math.max(100, wait))
  }

  /** Redraws the views soon, once for many changes. */
  changed(): void {
    this.changes++
    if (this.#isDrawPlanned) return
    this.#isDrawPlanned = true
    setTimeout(() => {
      this.#isDrawPlanned = false
      for (const listener of this.#listeners) listener()
    }, 30)
  }
}

const nameOfEntry = ({ at, resource_id: resource, transition, attribute, to, request_id: id }: TimelineItem) =>
  `${at} ${resource} ${transition} ${attribute} ${to} ${id}`

/** Appends new items, unless they are among the newest of the list. @param overlap number of those */
function mergeTail<T>(list: readonly T[], added: readonly T[], nameOf: (item: T) => string, overlap: number): T[] {
  const known = new Set(list.slice(-added.length - overlap).map(nameOf))
  return [...list, ...added.filter((item) => !known.has(nameOf(item)))]
}

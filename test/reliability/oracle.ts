import { isDeepStrictEqual } from 'node:util'
import { BACKUP } from '../../src/resources/backups/lifecycle.js'
import { REFRESH, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from '../../src/resources/workspaces/lifecycle.js'
import { DELETED, type Transition } from '../../src/sim/state-machine.js'
import { messageOf, type Problem, type Values } from '../messages.js'

/**
 * A sequential model of the interface: requests go in one after the other, and out come the reply that each must get
 * and the timeline that follows. It knows the tables of transitions and what docs/assumptions.md says, and shares no
 * code with the server.
 */

type Fields = Readonly<Record<string, unknown>>

/** A request, as the driver chose it. `id` is its RequestID. */
export interface Ask {
  readonly id: string
  readonly kind: string
  readonly group?: string
  readonly workspace?: string
  readonly database?: string
  /** Of an allow list. */
  readonly entry?: string
  readonly body?: Fields
}

/** What a request must be answered. */
interface Answer {
  readonly status: number
  readonly message: string
}

/** A row of the timeline, as the control API shows it. */
export interface Row {
  readonly at: string
  readonly resource_id: string
  readonly transition: string
  readonly attribute: string
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  readonly request_id: string
}

interface Workspace {
  readonly id: string
  readonly group: string
  readonly database: string
  readonly isRw: boolean
  status: string
  /** When its status last changed. */
  changed: number
  refresh: string
  type: string
  ha: boolean
  autoStart: boolean
  autoStop: number
  lastActive: number
  readonly users: Set<string>
  backups: Backup[]
  readonly jobs: Job[]
  backupSchedule: BackupSchedule | undefined
  readonly schedules: Map<string, Schedule>
}
interface Backup {
  readonly id: string
  readonly isAutomatic: boolean
  status: string
}
interface Job {
  readonly id: string
  status: string
}
interface BackupSchedule {
  readonly everyMinutes: number
  readonly files: number
  readonly retries: number
}
interface Schedule {
  readonly oneOff: boolean
  readonly time: string
  readonly type: string | undefined
}
interface Rule {
  readonly transition: string
  readonly resource_id?: string
  readonly after?: string
  readonly outcome?: string
  readonly reason?: string
  times?: number
}
interface Event {
  due: number
  readonly kind: string
  readonly resource: string
  readonly cause: string
  readonly payload: Payload
}
interface Payload {
  /** Why the transition fails. */
  readonly reason?: string
  readonly job?: string
  readonly size?: Pick<Workspace, 'type' | 'ha'>
  /** The type that a workspace is to get once it is Active. */
  readonly thenType?: string
  readonly backup?: string
  readonly retries?: number
  readonly schedule?: string
  /** Whether a firing of a schedule has waited for the end of a transition. */
  readonly waited?: boolean
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}
const refuse = (problem: Problem<'notAllowed'>, values?: Values): never => {
  throw new Refusal(400, messageOf('notAllowed', problem, values))
}
const missing = (what: string, id: string | undefined): never => {
  throw new Refusal(404, messageOf('notFound', 'resource', { what, id: String(id) }))
}

const T = WORKSPACE_TRANSITIONS
const BY_NAME = new Map<string, Transition>(
  [...Object.values(T), REFRESH, BACKUP].map((transition) => [transition.name, transition])
)
/** What ends when another transition of the workspace begins. */
const ENDED_BY_OTHERS = [...Object.values(T), REFRESH].map(({ name }) => name)
/** What schedules begin. */
const BY_SCHEDULES: readonly string[] = [T.pause, T.resume, T.resize].map(({ name }) => name)
/** All states but that of a workspace that is being deleted. */
const STAYING = Object.keys(WORKSPACE_STATES).filter((state) => state !== T.delete.during)
const minute = 60_000
const iso = (time: number) => new Date(time).toISOString()
/**
 * A resource that the server names by an id of its own, which nobody is told: it is known by its place in the timeline.
 */
export const isNameless = (id: string) => id.startsWith('nameless-')

export class Oracle {
  now: number
  groups = new Set<string>()
  databases = new Map<string, string>()
  workspaces = new Map<string, Workspace>()
  admins: Set<string>
  events: Event[] = []
  rules: Rule[] = []
  readonly orgUsers: readonly string[]
  readonly timeline: Row[] = []
  #nameless = 0
  /** Ids that the server gave, by the RequestID that they were drawn for. */
  readonly #given: (request: string) => string

  constructor(
    now: number,
    orgUsers: readonly { readonly id: string; readonly roles: readonly string[] }[],
    given: (request: string) => string
  ) {
    this.now = now
    this.orgUsers = orgUsers.map(({ id }) => id)
    this.admins = new Set(orgUsers.filter(({ roles }) => roles.includes('org-admin')).map(({ id }) => id))
    this.#given = given
  }

  get backups(): { id: string; workspace: string }[] {
    return [...this.workspaces.values()].flatMap(({ id: workspace, backups }) =>
      backups.map(({ id }) => ({ id, workspace }))
    )
  }

  /** Carries out one request. One that is refused changes nothing. */
  ask(ask: Ask): Answer {
    const { now, groups, databases, workspaces, admins, events, rules } = this
    const before = structuredClone({ now, groups, databases, workspaces, admins, events, rules })
    const rows = this.timeline.length
    try {
      return { status: ask.kind === 'setRoles' ? 204 : 200, message: this.#carryOut(ask) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      Object.assign(this, before)
      this.timeline.length = rows
      return { status: error.status, message: error.message }
    }
  }

  #carryOut({ id, kind, group, workspace: workspaceId, database, body = {} }: Ask): string {
    switch (kind) {
      case 'advance':
        return this.#advance(body['ms'] as number)
      case 'settle':
        return this.#settle()
      case 'rules':
        this.rules = structuredClone(body['rules'] as Rule[])
        return ''
      case 'release':
        return this.#release(body)
      case 'createGroup':
        this.groups.add(this.#given(id))
        return 'Successfully created the workgroup.'
      case 'setRoles':
        return this.#setRoles(body['user'] as string, body['roles'] as string[])
    }
    const workspace = this.workspaces.get(workspaceId!)
    if (kind === 'backup' || kind === 'activity') {
      if (workspace === undefined) return missing('workspace', workspaceId)
      return kind === 'backup' ? this.#runBackup(id, workspace, this.#given(id)) : this.#activity(id, workspace)
    }
    if (!this.groups.has(group!)) missing('workgroup', group)
    switch (kind) {
      case 'deleteGroup':
        return this.#deleteGroup(group!)
      case 'deleteDatabase':
        return this.#deleteDatabase(group!, database!)
      case 'create':
        return this.#create(id, group!, body)
    }
    if (workspace?.group !== group) return missing('workspace', workspaceId)
    return this.#carryOutOn(workspace!, id, kind, body)
  }

  #carryOutOn(workspace: Workspace, cause: string, kind: string, body: Fields): string {
    switch (kind) {
      case 'pause':
      case 'resume':
      case 'delete':
        this.#askFor(T[kind], workspace, cause)
        return `Successfully ${kind}d the workspace.`
      case 'refresh':
        return this.#refresh(workspace, cause)
      case 'update':
        return this.#update(workspace, cause, body)
      case 'restore':
        return this.#restore(workspace, cause, body['backup_id'] as string)
      case 'deleteBackup':
        return this.#deleteBackup(workspace, body['backup_id'] as string)
      case 'setBackupSchedule':
        return this.#setBackupSchedule(workspace, cause, body)
      case 'setSchedule':
        return this.#setSchedule(workspace, cause, body)
      case 'deleteSchedule':
        return this.#deleteSchedule(workspace, body['id'] as string)
      default:
        return this.#user(workspace, kind, body['username'] as string)
    }
  }

  // Time

  #advance(milliseconds: number): string {
    const target = this.now + milliseconds
    while (this.#fireNext(target));
    this.now = target
    return ''
  }

  /** Until no transition runs any more, a day at most. */
  #settle(): string {
    const limit = this.now + 24 * 60 * minute
    const isBusy = () => this.events.some(({ kind, due }) => BY_NAME.has(kind) || due <= this.now)
    while (isBusy()) {
      if (this.#fireNext(limit)) continue
      // What it is stuck on is left open.
      throw new Refusal(400, messageOf('notAllowed', 'notIdle', { time: iso(limit), events: '' }).slice(0, -1))
    }
    return ''
  }

  #release(which: Fields): string {
    for (const event of this.events) {
      const { due, kind, resource } = event
      if (due === Infinity && (which['transition'] ?? kind) === kind && (which['resource_id'] ?? resource) === resource)
        event.due = this.now
    }
    while (this.#fireNext(this.now));
    return ''
  }

  /** Lets the first event happen that is due by a time, at its own time. */
  #fireNext(until: number): boolean {
    const [next] = this.events.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)
    if (next === undefined) return false
    const { due, kind, resource, cause, payload } = next
    this.events = this.events.filter((event) => event !== next)
    this.now = due
    const workspace = this.workspaces.get(resource)!
    if (kind === 'workspace.auto-stop') this.#askFor(T.pause, workspace, cause)
    else if (kind === 'restore.step') this.#work(workspace, payload, cause)
    else if (kind === 'backup.schedule') this.#fireBackupSchedule(workspace, cause)
    else if (kind === 'backup.retry') this.#attemptBackup(workspace, 'backup.run', cause, payload.retries!)
    else if (kind === 'workspace.schedule') this.#fireSchedule(workspace, payload, cause)
    else this.#end(BY_NAME.get(kind)!, workspace, cause, payload)
    return true
  }

  #note(
    resource: string,
    transition: string,
    attribute: string,
    from: string | null,
    to: string,
    cause: string,
    reason: string | null = null
  ): void {
    const at = iso(this.now)
    this.timeline.push({ at, resource_id: resource, transition, attribute, from, to, reason, request_id: cause })
  }

  #cancel(workspace: Workspace, ...kinds: readonly string[]): void {
    this.events = this.events.filter(({ resource, kind }) => resource !== workspace.id || !kinds.includes(kind))
  }

  #plan(due: number, kind: string, { id: resource }: Workspace, cause: string, payload: Payload = {}): void {
    this.events.push({ due, kind, resource, cause, payload })
  }

  // Transitions

  /** @returns when it ends; one that takes no time has ended then */
  #begin(transition: Transition, workspace: Workspace, cause: string, payload: Payload = {}): number {
    const matching = this.rules.filter(
      (rule) => rule.transition === transition.name && (rule.resource_id ?? workspace.id) === workspace.id
    )
    const rule = matching.find(({ resource_id: id }) => id !== undefined) ?? matching[0]
    if (rule?.times !== undefined && --rule.times === 0) this.rules = this.rules.filter((other) => other !== rule)
    const ending = rule?.outcome === 'fail' ? { ...payload, reason: rule.reason ?? 'Simulated failure.' } : payload
    const takes = () =>
      rule?.after === undefined ? transition.duration.fast : Number(/^PT(\d+)S$/.exec(rule.after)![1]) * 1000
    const due = rule?.outcome === 'hold' ? Infinity : this.now + takes()
    if (due <= this.now) this.#end(transition, workspace, cause, ending)
    else this.#plan(due, transition.name, workspace, cause, ending)
    return due
  }

  #guard(action: string, allowed: readonly string[], { id, status }: Workspace): void {
    if (!allowed.includes(status)) refuse('state', { id, state: status, name: action, states: allowed.join(', ') })
  }

  #needsReadWrite({ isRw }: Workspace, verb: string): void {
    if (!isRw) refuse('readOnly', { verb })
  }

  /** Begins a transition, unless what it leads to is there or on its way. */
  #askFor(transition: Transition, workspace: Workspace, cause: string): void {
    if (transition.noopFrom.includes(workspace.status)) return
    this.#guard(transition.name, transition.from, workspace)
    this.#enter(transition, workspace, cause)
  }

  #enter(transition: Transition, workspace: Workspace, cause: string, payload: Payload = {}): number {
    const interruption = `Interrupted by ${transition.name}.`
    if (workspace.refresh === REFRESH.during) this.#setRefresh(workspace, REFRESH.failsTo, cause, interruption)
    this.#cancel(workspace, ...ENDED_BY_OTHERS, 'workspace.auto-stop')
    if (transition !== T.restore) {
      this.#cancel(workspace, 'restore.step')
      const job = workspace.jobs.at(-1)
      if (job !== undefined && ['Pending', 'Running'].includes(job.status))
        this.#setJob(job, 'Failed', cause, interruption)
    }
    this.#setStatus(transition, workspace, transition.during, cause)
    return this.#begin(transition, workspace, cause, payload)
  }

  #setStatus(transition: Transition, workspace: Workspace, status: string, cause: string, reason?: string): void {
    this.#note(workspace.id, transition.name, 'status', workspace.status, status, cause, reason)
    workspace.status = status
    workspace.changed = this.now
    if (status !== 'Active') return
    workspace.lastActive = this.now
    this.#planAutoStop(workspace, cause)
  }

  #setRefresh(workspace: Workspace, to: string, cause: string, reason?: string): void {
    this.#note(workspace.id, REFRESH.name, 'refresh_status', workspace.refresh, to, cause, reason)
    workspace.refresh = to
  }

  #planAutoStop(workspace: Workspace, cause: string): void {
    const { status, autoStop, lastActive } = workspace
    this.#cancel(workspace, 'workspace.auto-stop')
    if (status !== 'Active' || autoStop === 0) return
    const due = lastActive + autoStop * minute
    if (due <= this.now) this.#askFor(T.pause, workspace, cause)
    else this.#plan(due, 'workspace.auto-stop', workspace, cause)
  }

  #end(transition: Transition, workspace: Workspace, cause: string, payload: Payload): void {
    const { reason } = payload
    const [to] = reason === undefined ? transition.to : [transition.failsTo]
    if (transition === BACKUP) this.#endBackup(workspace, to!, payload, cause)
    else if (transition === REFRESH) this.#setRefresh(workspace, to!, cause, reason)
    else this.#endOfWorkspace(transition, workspace, to, payload, cause)
  }

  #endOfWorkspace(
    transition: Transition,
    workspace: Workspace,
    to: string | undefined,
    { reason, job, size, thenType }: Payload,
    cause: string
  ): void {
    const { id, status, autoStart } = workspace
    if (to === undefined) {
      this.events = this.events.filter(({ resource }) => resource !== id)
      this.workspaces.delete(id)
      this.#note(id, transition.name, 'status', status, DELETED, cause)
      return
    }
    if (reason === undefined) Object.assign(workspace, size)
    const paused = autoStart ? 'Idle' : 'Stopped'
    const state = reason === undefined && transition === T.pause ? paused : to
    this.#setStatus(transition, workspace, state, cause, reason)
    if (transition === T.restore) {
      // A held one may be released before its first third has passed.
      this.#cancel(workspace, 'restore.step')
      const own = this.#work(workspace, { job: job! }, cause)
      this.#setJob(own, reason === undefined ? 'Succeeded' : 'Failed', cause, reason)
    }
    if (reason === undefined && thenType !== undefined) this.#bringTo(workspace, thenType, cause)
  }

  // Workgroups, databases, workspaces

  #deleteGroup(group: string): string {
    const databases = [...this.databases.values()].filter((other) => other === group).length
    const workspaces = [...this.workspaces.values()].filter((other) => other.group === group).length
    if (databases + workspaces > 0) refuse('workgroupInUse', { id: group, databases, workspaces })
    this.groups.delete(group)
    return 'Successfully deleted the workgroup.'
  }

  #deleteDatabase(group: string, id: string): string {
    if (this.databases.get(id) !== group) missing('database', id)
    const workspaces = [...this.workspaces.values()].filter(({ database }) => database === id).length
    if (workspaces > 0) refuse('databaseInUse', { id, workspaces })
    this.databases.delete(id)
    return 'Successfully deleted the database.'
  }

  #create(cause: string, group: string, body: Fields): string {
    const isRw = body['is_rw'] !== false
    const named = body['svc_database_id'] as string | undefined
    if (named === undefined && !isRw) refuse({ is_rw: 'newDatabase' })
    if (named !== undefined) {
      if (this.databases.get(named) !== group) refuse({ svc_database_id: 'notDatabase' }, { id: named })
      const other = [...this.workspaces.values()].find((workspace) => workspace.database === named && workspace.isRw)
      if (isRw && other !== undefined) refuse({ is_rw: 'secondWriter' }, { other: other.id })
    }
    const workspace: Workspace = {
      id: this.#given(cause),
      group,
      database: named ?? this.#given(`${cause} database`),
      isRw,
      status: T.create.during,
      changed: this.now,
      refresh: '',
      type: 'SVC-00',
      ha: false,
      autoStart: body['enable_auto_start'] === true,
      autoStop: (body['auto_stop_minutes'] ?? 0) as number,
      lastActive: this.now,
      users: new Set(),
      backups: [],
      jobs: [],
      backupSchedule: undefined,
      schedules: new Map()
    }
    this.databases.set(workspace.database, group)
    this.workspaces.set(workspace.id, workspace)
    this.#note(workspace.id, T.create.name, 'status', null, T.create.during, cause)
    this.#begin(T.create, workspace, cause)
    return 'Successfully created the workspace.'
  }

  #update(workspace: Workspace, cause: string, body: Fields): string {
    this.#guard('an update', STAYING, workspace)
    const { status, type, ha, autoStop } = workspace
    workspace.autoStart = (body['enable_auto_start'] ?? workspace.autoStart) as boolean
    workspace.autoStop = (body['auto_stop_minutes'] ?? autoStop) as number
    const size = { type: (body['workspace_type_name'] ?? type) as string, ha: (body['enable_ha'] ?? ha) as boolean }
    if (size.type !== type || size.ha !== ha) this.#resize(workspace, size, cause)
    if (workspace.autoStop !== autoStop) this.#planAutoStop(workspace, cause)
    const pause = body['pause'] as boolean | undefined
    const transition: Transition = pause === true ? T.pause : T.resume
    if (pause !== undefined && !transition.noopFrom.includes(status)) {
      const isResized = workspace.status === T.resize.during && workspace.status !== status
      if (isResized) refuse({ pause: 'pauseAndResize' })
      this.#askFor(transition, workspace, cause)
    }
    return 'Successfully updated the workspace.'
  }

  #resize(workspace: Workspace, size: Pick<Workspace, 'type' | 'ha'>, cause: string): void {
    this.#needsReadWrite(workspace, 'resized')
    const atOnce = ['Stopped', 'Idle']
    if (atOnce.includes(workspace.status)) Object.assign(workspace, size)
    else {
      this.#guard(T.resize.name, [...T.resize.from, ...atOnce], workspace)
      this.#enter(T.resize, workspace, cause, { size })
    }
  }

  #bringTo(workspace: Workspace, type: string, cause: string): void {
    if (workspace.status === 'Active') {
      if (workspace.type !== type) this.#resize(workspace, { type, ha: workspace.ha }, cause)
      return
    }
    if (workspace.type !== type) this.#needsReadWrite(workspace, 'resized')
    this.#guard(T.resume.name, [...T.resume.from, 'Active'], workspace)
    this.#enter(T.resume, workspace, cause, { thenType: type })
  }

  #refresh(workspace: Workspace, cause: string): string {
    if (workspace.refresh !== REFRESH.during) {
      this.#guard(REFRESH.name, ['Active'], workspace)
      this.#setRefresh(workspace, REFRESH.during, cause)
      this.#begin(REFRESH, workspace, cause)
    }
    return 'Successfully refreshed the workspace.'
  }

  #activity(cause: string, workspace: Workspace): string {
    this.#guard('data-plane activity', ['Active', 'Idle'], workspace)
    if (workspace.status === 'Idle') this.#askFor(T.resume, workspace, cause)
    else {
      workspace.lastActive = this.now
      this.#planAutoStop(workspace, cause)
    }
    return `The workspace is ${workspace.status}.`
  }

  // Backups and restores

  /** @param retries of an automatic one */
  #runBackup(cause: string, workspace: Workspace, id: string, retries?: number): string {
    this.#needsReadWrite(workspace, 'backed up')
    this.#guard(BACKUP.name, ['Active'], workspace)
    const backup = { id, isAutomatic: retries !== undefined, status: BACKUP.during as string }
    workspace.backups.push(backup)
    this.#note(id, BACKUP.name, 'status', null, BACKUP.during, cause)
    this.#begin(BACKUP, workspace, cause, { backup: id, ...(retries === undefined ? {} : { retries }) })
    return `The backup is ${backup.status}.`
  }

  #endBackup(workspace: Workspace, status: string, { backup: id, reason, retries }: Payload, cause: string): void {
    const backup = workspace.backups.find((one) => one.id === id)!
    backup.status = status
    this.#note(backup.id, BACKUP.name, 'status', BACKUP.during, status, cause, reason)
    if (retries === undefined) return
    if (reason !== undefined) {
      if (retries > 0) this.#plan(this.now + minute, 'backup.retry', workspace, cause, { retries: retries - 1 })
      return
    }
    const succeeded = workspace.backups.filter((one) => one.isAutomatic && one.status === status)
    const old = succeeded.slice(0, -workspace.backupSchedule!.files)
    workspace.backups = workspace.backups.filter((one) => !old.includes(one))
  }

  #ownBackup({ backups }: Workspace, id: string): Backup {
    return backups.find((backup) => backup.id === id) ?? refuse({ backup_id: 'notBackup' }, { id })
  }

  #deleteBackup(workspace: Workspace, id: string): string {
    const backup = this.#ownBackup(workspace, id)
    if (backup.status === BACKUP.during) refuse({ backup_id: 'running' }, { id })
    workspace.backups = workspace.backups.filter((other) => other !== backup)
    return 'Successfully deleted the backup.'
  }

  #restore(workspace: Workspace, cause: string, backupId: string): string {
    this.#needsReadWrite(workspace, 'restored')
    this.#guard(T.restore.name, T.restore.from, workspace)
    const { status } = this.#ownBackup(workspace, backupId)
    if (status !== 'Succeeded') refuse({ backup_id: 'notSucceeded' }, { id: backupId, state: status })
    const job = this.#given(cause)
    workspace.jobs.push({ id: job, status: 'Pending' })
    this.#note(job, T.restore.name, 'status', null, 'Pending', cause)
    const ends = this.#enter(T.restore, workspace, cause, { job })
    if (ends > this.now) {
      const whole = ends === Infinity ? T.restore.duration.fast : ends - this.now
      this.#plan(this.now + Math.floor(whole / 3), 'restore.step', workspace, cause, { job })
    }
    return 'Successfully restored the backup.'
  }

  /** @returns the job, which runs then */
  #work({ jobs }: Workspace, { job: id }: Payload, cause: string): Job {
    const job = jobs.find((one) => one.id === id)!
    if (job.status === 'Pending') this.#setJob(job, 'Running', cause)
    return job
  }

  #setJob(job: Job, status: string, cause: string, reason?: string): void {
    this.#note(job.id, T.restore.name, 'status', job.status, status, cause, reason)
    job.status = status
  }

  // Schedules

  #setBackupSchedule(workspace: Workspace, cause: string, body: Fields): string {
    this.#needsReadWrite(workspace, 'backed up')
    this.#guard('a schedule', STAYING, workspace)
    workspace.backupSchedule = {
      everyMinutes: Number(/^\*\/(\d+) /.exec(body['schedule'] as string)![1]),
      files: body['max_backup_files'] as number,
      retries: body['max_retry'] as number
    }
    this.#cancel(workspace, 'backup.schedule', 'backup.retry')
    if (body['pause'] !== true) this.#planBackupSchedule(workspace, cause)
    return 'Successfully set the backup schedule.'
  }

  /** Minutes that divide an hour, so that the next firing is a multiple of them since 1970, too. */
  #planBackupSchedule(workspace: Workspace, cause: string): void {
    const step = workspace.backupSchedule!.everyMinutes * minute
    this.#plan((Math.floor(this.now / step) + 1) * step, 'backup.schedule', workspace, cause)
  }

  #fireBackupSchedule(workspace: Workspace, cause: string): void {
    this.#planBackupSchedule(workspace, cause)
    this.#attemptBackup(workspace, BACKUP.name, cause, workspace.backupSchedule!.retries)
  }

  #attemptBackup(workspace: Workspace, transition: string, cause: string, retries: number): void {
    this.#attempt(workspace, transition, cause, () => {
      this.#runBackup(cause, workspace, `nameless-${this.#nameless++}`, retries)
    })
  }

  #setSchedule(workspace: Workspace, cause: string, body: Fields): string {
    const id = (body['id'] ?? this.#given(cause)) as string
    const schedule = {
      oneOff: body['repeat'] === 'none',
      time: body['time'] as string,
      type: body['workspace_type_name'] as string | undefined
    }
    const { schedules, type } = workspace
    if (isDeepStrictEqual(schedules.get(id), schedule)) refuse({ operation: 'unclearSchedule' })
    this.#guard('a schedule', STAYING, workspace)
    if (schedule.type !== undefined && schedule.type !== type) this.#needsReadWrite(workspace, 'resized')
    const next = this.#nextOf(schedule)
    if (next === undefined) {
      const values = { date: body['date'] as string, time: schedule.time, timezone: 'UTC', now: iso(this.now) }
      return refuse({ date: 'pastDate' }, values)
    }
    const isElsewhere = [...this.workspaces.values()].some((other) => other !== workspace && other.schedules.has(id))
    if (isElsewhere && !schedules.has(id)) refuse({ id: 'otherSchedule' }, { id })
    this.#cancelSchedule(workspace, id)
    schedules.set(id, schedule)
    this.#plan(next, 'workspace.schedule', workspace, cause, { schedule: id })
    return 'Successfully updated the workspace schedule.'
  }

  #cancelSchedule(workspace: Workspace, id: string): void {
    this.events = this.events.filter(({ resource, payload }) => resource !== workspace.id || payload.schedule !== id)
  }

  /** In UTC; one-off ones are of the day on which everything begins. */
  #nextOf({ oneOff, time }: Schedule): number | undefined {
    const today = Date.parse(`${iso(this.now).slice(0, 10)}T${time}:00.000Z`)
    if (oneOff) {
      const only = Date.parse(`2026-01-01T${time}:00.000Z`)
      return only > this.now ? only : undefined
    }
    return today > this.now ? today : today + 24 * 60 * minute
  }

  #fireSchedule(workspace: Workspace, { schedule: id, waited = false }: Payload, cause: string): void {
    const schedule = workspace.schedules.get(id!)!
    const ends = this.events.filter(({ kind, resource }) => resource === workspace.id && BY_SCHEDULES.includes(kind))
    if (!schedule.oneOff && !waited)
      this.#plan(this.#nextOf(schedule)!, 'workspace.schedule', workspace, cause, { schedule: id! })
    const due = Math.min(...ends.map((end) => end.due))
    if (workspace.changed === this.now && due < Infinity) {
      this.#plan(due, 'workspace.schedule', workspace, cause, { schedule: id!, waited: true })
      return
    }
    this.#attempt(workspace, 'workspace.schedule', cause, () => {
      if (schedule.type === undefined) this.#askFor(T.pause, workspace, cause)
      else this.#bringTo(workspace, schedule.type, cause)
    })
  }

  #deleteSchedule(workspace: Workspace, id: string): string {
    if (!workspace.schedules.delete(id)) refuse({ id: 'notSchedule' }, { id })
    this.#cancelSchedule(workspace, id)
    return 'Successfully deleted the workspace schedule.'
  }

  /** A firing that a rule forbids is left out, and the timeline says why. */
  #attempt(workspace: Workspace, transition: string, cause: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#note(workspace.id, transition, 'firing', null, 'skipped', cause, error.message)
    }
  }

  // Users

  #user(workspace: Workspace, kind: string, name: string): string {
    this.#guard('a call about its users', ['Active', 'Resizing', 'Restoring'], workspace)
    const { users } = workspace
    if (kind === 'createUser') {
      if (users.has(name)) refuse({ username: 'usernameTaken' }, { name })
      users.add(name)
      return 'Successfully created the user.'
    }
    if (!users.has(name)) refuse({ username: 'notUser' }, { name })
    if (kind === 'setPassword') return 'Successfully updated the password.'
    users.delete(name)
    return 'Successfully deleted the user.'
  }

  #setRoles(user: string, roles: readonly string[]): string {
    const isAdmin = roles.includes('org-admin')
    if (!isAdmin && [...this.admins].every((admin) => admin === user)) refuse({ roles: 'lastAdmin' })
    if (isAdmin) this.admins.add(user)
    else this.admins.delete(user)
    return ''
  }
}

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
  readonly body?: Fields
}

/** What a request must be answered. */
export interface Answer {
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

export interface ModelWorkspace {
  readonly id: string
  readonly group: string
  readonly database: string
  readonly isRw: boolean
  readonly status: string
  readonly refresh: string
  readonly type: string
  readonly ha: boolean
  readonly autoStart: boolean
  readonly autoStop: number
  readonly lastActive: number
}
interface Backup {
  readonly id: string
  readonly workspace: string
  readonly isAutomatic: boolean
  readonly status: string
}
interface Job {
  readonly id: string
  readonly workspace: string
  readonly status: string
}
interface BackupSchedule {
  readonly everyMinutes: number
  readonly pause: boolean
  readonly files: number
  readonly retries: number
}
interface Schedule {
  readonly id: string
  readonly workspace: string
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
  readonly times?: number
}
export interface Event {
  readonly due: number
  readonly kind: string
  readonly resource: string
  readonly cause: string
  readonly payload: Fields
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
const ALL_STATES = Object.keys(WORKSPACE_STATES)
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
  workspaces = new Map<string, ModelWorkspace>()
  backups = new Map<string, Backup>()
  jobs = new Map<string, Job>()
  users = new Set<string>()
  admins: Set<string>
  readonly orgUsers: readonly string[]
  timeline: Row[] = []
  events: Event[] = []
  #backupSchedules = new Map<string, BackupSchedule>()
  #schedules = new Map<string, Schedule>()
  /** When the state of a workspace last changed. */
  #changed = new Map<string, number>()
  #rules: Rule[] = []
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

  /** Carries out one request. One that is refused changes nothing. */
  ask(ask: Ask): Answer {
    const { now, groups, databases, workspaces, backups, jobs, users, admins, events } = this
    const before = {
      now,
      events,
      groups: new Set(groups),
      databases: new Map(databases),
      workspaces: new Map(workspaces),
      backups: new Map(backups),
      jobs: new Map(jobs),
      users: new Set(users),
      admins: new Set(admins)
    }
    this.events = [...events]
    const rules = [...this.#rules]
    const rows = this.timeline.length
    try {
      return { status: ask.kind === 'setRoles' ? 204 : 200, message: this.#carryOut(ask) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      Object.assign(this, before)
      this.#rules = rules
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
        this.#rules = [...(body['rules'] as Rule[])]
        return ''
      case 'release':
        return this.#release(body)
      case 'createGroup':
        this.groups.add(this.#given(id))
        return 'Successfully created the workgroup.'
      case 'deleteGroup':
        return this.#deleteGroup(group!)
      case 'deleteDatabase':
        return this.#deleteDatabase(group!, database!)
      case 'create':
        return this.#create(id, group!, body)
      case 'setRoles':
        return this.#setRoles(body['user'] as string, body['roles'] as string[])
    }
    const workspace = this.workspaces.get(workspaceId!)
    if (kind === 'backup' || kind === 'activity') {
      if (workspace === undefined) return missing('workspace', workspaceId)
      return kind === 'backup' ? this.#runBackup(id, workspace, false, {}) : this.#activity(id, workspace)
    }
    if (!this.groups.has(group!)) missing('workgroup', group)
    if (workspace?.group !== group) return missing('workspace', workspaceId)
    return this.#carryOutOn(workspace!, id, kind, body)
  }

  #carryOutOn(workspace: ModelWorkspace, cause: string, kind: string, body: Fields): string {
    switch (kind) {
      case 'pause':
      case 'resume': {
        this.#askFor(T[kind], workspace, cause)
        return `Successfully ${kind}d the workspace.`
      }
      case 'refresh':
        return this.#refresh(workspace, cause)
      case 'delete':
        this.#askFor(T.delete, workspace, cause)
        return 'Successfully deleted the workspace.'
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
    const isMeant = ({ due, kind, resource }: Event) =>
      due === Infinity && (which['transition'] ?? kind) === kind && (which['resource_id'] ?? resource) === resource
    this.events = this.events.map((event) => (isMeant(event) ? { ...event, due: this.now } : event))
    while (this.#fireNext(this.now));
    return ''
  }

  /** Lets the first event happen that is due by a time, at its own time. */
  #fireNext(until: number): boolean {
    let next: Event | undefined
    for (const event of this.events)
      if (event.due <= until && (next === undefined || event.due < next.due)) next = event
    if (next === undefined) return false
    const { due, kind, resource, cause, payload } = next
    this.events = this.events.filter((event) => event !== next)
    this.now = due
    const workspace = this.workspaces.get(resource)!
    if (kind === 'workspace.auto-stop') this.#askFor(T.pause, workspace, cause)
    else if (kind === 'restore.step') this.#work(payload['job'] as string, cause)
    else if (kind === 'backup.schedule') this.#fireBackupSchedule(workspace, cause)
    else if (kind === 'backup.retry')
      this.#attempt(resource, 'backup.run', cause, () => {
        this.#runBackup(cause, this.#at(resource), true, payload)
      })
    else if (kind === 'workspace.schedule') this.#fireSchedule(workspace, payload, cause)
    else this.#end(BY_NAME.get(kind)!, resource, cause, payload)
    return true
  }

  #at(workspace: string): ModelWorkspace {
    return this.workspaces.get(workspace)!
  }

  #save(workspace: ModelWorkspace, changes: Partial<ModelWorkspace>): ModelWorkspace {
    const next = { ...workspace, ...changes }
    this.workspaces.set(workspace.id, next)
    return next
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
    if (attribute === 'status') this.#changed.set(resource, this.now)
    this.timeline.push({
      at: iso(this.now),
      resource_id: resource,
      transition,
      attribute,
      from,
      to,
      reason,
      request_id: cause
    })
  }

  #cancel(workspace: string, kinds?: readonly string[]): void {
    this.events = this.events.filter(({ resource, kind }) => resource !== workspace || !(kinds?.includes(kind) ?? true))
  }

  #plan(event: Omit<Event, 'payload'>, payload: Fields = {}): void {
    this.events.push({ ...event, payload })
  }

  // Transitions

  /** @returns when it ends; one that takes no time has ended then */
  #begin(transition: Transition, resource: string, cause: string, payload: Fields = {}): number {
    const matching = this.#rules.filter(
      (rule) => rule.transition === transition.name && (rule.resource_id ?? resource) === resource
    )
    const rule = matching.find(({ resource_id: id }) => id !== undefined) ?? matching[0]
    if (rule?.times !== undefined) {
      this.#rules = this.#rules.flatMap((other) =>
        other !== rule ? [other] : rule.times === 1 ? [] : [{ ...rule, times: rule.times! - 1 }]
      )
    }
    const ending = rule?.outcome === 'fail' ? { ...payload, reason: rule.reason ?? 'Simulated failure.' } : payload
    if (rule?.outcome === 'hold') {
      this.#plan({ due: Infinity, kind: transition.name, resource, cause }, ending)
      return Infinity
    }
    const due =
      this.now +
      (rule?.after === undefined ? transition.duration.fast : Number(/^PT(\d+)S$/.exec(rule.after)![1]) * 1000)
    if (due <= this.now) this.#end(transition, resource, cause, ending)
    else this.#plan({ due, kind: transition.name, resource, cause }, ending)
    return due
  }

  #guard(action: string, allowed: readonly string[], { id, status }: ModelWorkspace): void {
    if (allowed.includes(status)) return
    refuse('state', { id, state: status, name: action, states: allowed.join(', ') })
  }

  #needsReadWrite({ isRw }: ModelWorkspace, verb: string): void {
    if (!isRw) refuse('readOnly', { verb })
  }

  /** Begins a transition, unless what it leads to is there or on its way. */
  #askFor(transition: Transition, workspace: ModelWorkspace, cause: string): void {
    if (transition.noopFrom.includes(workspace.status)) return
    this.#guard(transition.name, transition.from, workspace)
    this.#enter(transition, workspace, cause)
  }

  #enter(transition: Transition, workspace: ModelWorkspace, cause: string, payload: Fields = {}): number {
    const { id } = workspace
    const interruption = `Interrupted by ${transition.name}.`
    let current = workspace
    if (current.refresh === REFRESH.during) {
      current = this.#save(current, { refresh: REFRESH.failsTo })
      this.#note(id, REFRESH.name, 'refresh_status', REFRESH.during, REFRESH.failsTo, cause, interruption)
    }
    this.#cancel(id, [...ENDED_BY_OTHERS, 'workspace.auto-stop'])
    if (transition.name !== T.restore.name) {
      this.#cancel(id, ['restore.step'])
      const job = [...this.jobs.values()].findLast((one) => one.workspace === id)
      if (job !== undefined && ['Pending', 'Running'].includes(job.status))
        this.#setJob(job, 'Failed', cause, interruption)
    }
    this.#setStatus(transition, current, transition.during, cause)
    return this.#begin(transition, id, cause, payload)
  }

  #setStatus(
    transition: Transition,
    workspace: ModelWorkspace,
    status: string,
    cause: string,
    reason: string | null = null
  ): void {
    const next = this.#save(workspace, { status, ...(status === 'Active' ? { lastActive: this.now } : {}) })
    this.#note(workspace.id, transition.name, 'status', workspace.status, status, cause, reason)
    if (status === 'Active') this.#planAutoStop(next, cause)
  }

  #planAutoStop({ id, status, autoStop, lastActive }: ModelWorkspace, cause: string): void {
    this.#cancel(id, ['workspace.auto-stop'])
    if (status !== 'Active' || autoStop === 0) return
    const due = lastActive + autoStop * minute
    if (due <= this.now) this.#askFor(T.pause, this.#at(id), cause)
    else this.#plan({ due, kind: 'workspace.auto-stop', resource: id, cause })
  }

  #end(transition: Transition, resource: string, cause: string, payload: Fields): void {
    const reason = payload['reason'] as string | undefined
    if (transition.name === BACKUP.name) this.#endBackup(payload, cause)
    else if (transition.name === REFRESH.name) {
      const to = reason === undefined ? REFRESH.to[0]! : REFRESH.failsTo
      this.#save(this.#at(resource), { refresh: to })
      this.#note(resource, REFRESH.name, 'refresh_status', REFRESH.during, to, cause, reason ?? null)
    } else this.#endOfWorkspace(transition, this.#at(resource), cause, payload)
  }

  #endOfWorkspace(transition: Transition, workspace: ModelWorkspace, cause: string, payload: Fields): void {
    const { id } = workspace
    const reason = payload['reason'] as string | undefined
    if (reason !== undefined) this.#setStatus(transition, workspace, transition.failsTo, cause, reason)
    else if (transition.to.length === 0) {
      this.#cancel(id)
      this.#removeWorkspace(id)
      this.#note(id, transition.name, 'status', workspace.status, DELETED, cause)
    } else if (transition.name === T.pause.name)
      this.#setStatus(transition, workspace, workspace.autoStart ? 'Idle' : 'Stopped', cause)
    else {
      const size = transition.name === T.resize.name ? (payload['size'] as Partial<ModelWorkspace>) : {}
      this.#setStatus(transition, { ...workspace, ...size }, transition.to[0]!, cause)
    }
    if (transition.name === T.restore.name) {
      // A held one may be released before its first third has passed.
      this.#cancel(id, ['restore.step'])
      this.#work(payload['job'] as string, cause)
      const job = this.jobs.get(payload['job'] as string)!
      this.#setJob(job, reason === undefined ? 'Succeeded' : 'Failed', cause, reason ?? null)
    }
    if (reason === undefined && payload['thenType'] !== undefined)
      this.#bringTo(this.#at(id), payload['thenType'] as string, cause)
  }

  #removeWorkspace(id: string): void {
    this.workspaces.delete(id)
    for (const [key, { workspace }] of this.backups) if (workspace === id) this.backups.delete(key)
    for (const [key, { workspace }] of this.jobs) if (workspace === id) this.jobs.delete(key)
    for (const user of this.users) if (user.startsWith(`${id} `)) this.users.delete(user)
  }

  // Workgroups, databases, workspaces

  #deleteGroup(group: string): string {
    if (!this.groups.has(group)) missing('workgroup', group)
    const databases = [...this.databases.values()].filter((other) => other === group).length
    const workspaces = [...this.workspaces.values()].filter((other) => other.group === group).length
    if (databases + workspaces > 0) refuse('workgroupInUse', { id: group, databases, workspaces })
    this.groups.delete(group)
    return 'Successfully deleted the workgroup.'
  }

  #deleteDatabase(group: string, id: string): string {
    if (!this.groups.has(group)) missing('workgroup', group)
    if (this.databases.get(id) !== group) missing('database', id)
    const workspaces = [...this.workspaces.values()].filter(({ database }) => database === id).length
    if (workspaces > 0) refuse('databaseInUse', { id, workspaces })
    this.databases.delete(id)
    return 'Successfully deleted the database.'
  }

  #create(cause: string, group: string, body: Fields): string {
    if (!this.groups.has(group)) missing('workgroup', group)
    const isRw = body['is_rw'] !== false
    const named = body['svc_database_id'] as string | undefined
    if (named === undefined && !isRw) refuse({ is_rw: 'newDatabase' })
    if (named !== undefined) {
      if (this.databases.get(named) !== group) refuse({ svc_database_id: 'notDatabase' }, { id: named })
      const other = [...this.workspaces.values()].find((workspace) => workspace.database === named && workspace.isRw)
      if (isRw && other !== undefined) refuse({ is_rw: 'secondWriter' }, { other: other.id })
    }
    const id = this.#given(cause)
    const database = named ?? this.#given(`${cause} database`)
    this.databases.set(database, group)
    this.workspaces.set(id, {
      id,
      group,
      database,
      isRw,
      status: T.create.during,
      refresh: '',
      type: 'SVC-00',
      ha: false,
      autoStart: body['enable_auto_start'] === true,
      autoStop: (body['auto_stop_minutes'] ?? 0) as number,
      lastActive: this.now
    })
    this.#note(id, T.create.name, 'status', null, T.create.during, cause)
    this.#begin(T.create, id, cause)
    return 'Successfully created the workspace.'
  }

  #update(workspace: ModelWorkspace, cause: string, body: Fields): string {
    const { id } = workspace
    this.#guard(
      'an update',
      ALL_STATES.filter((state) => state !== T.delete.during),
      workspace
    )
    const changed = this.#save(workspace, {
      autoStart: (body['enable_auto_start'] ?? workspace.autoStart) as boolean,
      autoStop: (body['auto_stop_minutes'] ?? workspace.autoStop) as number
    })
    const size = {
      type: (body['workspace_type_name'] ?? workspace.type) as string,
      ha: (body['enable_ha'] ?? workspace.ha) as boolean
    }
    if (size.type !== workspace.type || size.ha !== workspace.ha) this.#resize(changed, size, cause)
    if (changed.autoStop !== workspace.autoStop) this.#planAutoStop(this.#at(id), cause)
    const pause = body['pause'] as boolean | undefined
    const transition = pause === true ? T.pause : T.resume
    if (pause !== undefined && !(transition.noopFrom as readonly string[]).includes(workspace.status)) {
      const now = this.#at(id)
      const isResized = now.status === T.resize.during && workspace.status !== now.status
      if (isResized) refuse({ pause: 'pauseAndResize' })
      this.#askFor(transition, now, cause)
    }
    return 'Successfully updated the workspace.'
  }

  #resize(workspace: ModelWorkspace, size: Pick<ModelWorkspace, 'type' | 'ha'>, cause: string): void {
    this.#needsReadWrite(workspace, 'resized')
    const atOnce = ['Stopped', 'Idle']
    if (atOnce.includes(workspace.status)) this.#save(workspace, size)
    else {
      this.#guard(T.resize.name, [...T.resize.from, ...atOnce], workspace)
      this.#enter(T.resize, workspace, cause, { size })
    }
  }

  #bringTo(workspace: ModelWorkspace, type: string, cause: string): void {
    if (workspace.status === 'Active') {
      if (workspace.type !== type) this.#resize(workspace, { type, ha: workspace.ha }, cause)
      return
    }
    if (workspace.type !== type) this.#needsReadWrite(workspace, 'resized')
    this.#guard(T.resume.name, [...T.resume.from, 'Active'], workspace)
    this.#enter(T.resume, workspace, cause, { thenType: type })
  }

  #refresh(workspace: ModelWorkspace, cause: string): string {
    if (workspace.refresh === REFRESH.during) return 'Successfully refreshed the workspace.'
    this.#guard(REFRESH.name, ['Active'], workspace)
    this.#save(workspace, { refresh: REFRESH.during })
    this.#note(workspace.id, REFRESH.name, 'refresh_status', workspace.refresh, REFRESH.during, cause)
    this.#begin(REFRESH, workspace.id, cause)
    return 'Successfully refreshed the workspace.'
  }

  #activity(cause: string, workspace: ModelWorkspace): string {
    this.#guard('data-plane activity', ['Active', 'Idle'], workspace)
    if (workspace.status === 'Idle') this.#askFor(T.resume, workspace, cause)
    else this.#planAutoStop(this.#save(workspace, { lastActive: this.now }), cause)
    return `The workspace is ${this.#at(workspace.id).status}.`
  }

  // Backups and restores

  #runBackup(cause: string, workspace: ModelWorkspace, isAutomatic: boolean, payload: Fields): string {
    this.#needsReadWrite(workspace, 'backed up')
    this.#guard(BACKUP.name, ['Active'], workspace)
    const id = isAutomatic ? `nameless-${this.#nameless++}` : this.#given(cause)
    this.backups.set(id, { id, workspace: workspace.id, isAutomatic, status: BACKUP.during })
    this.#note(id, BACKUP.name, 'status', null, BACKUP.during, cause)
    this.#begin(BACKUP, workspace.id, cause, { ...payload, backup: id })
    return `The backup is ${this.backups.get(id)?.status ?? BACKUP.to[0]}.`
  }

  #endBackup(payload: Fields, cause: string): void {
    const backup = this.backups.get(payload['backup'] as string)!
    const reason = payload['reason'] as string | undefined
    const status = reason === undefined ? BACKUP.to[0]! : BACKUP.failsTo
    this.backups.set(backup.id, { ...backup, status })
    this.#note(backup.id, BACKUP.name, 'status', BACKUP.during, status, cause, reason ?? null)
    if (!backup.isAutomatic) return
    const retries = payload['retries'] as number
    if (reason !== undefined) {
      if (retries > 0)
        this.#plan(
          { due: this.now + minute, kind: 'backup.retry', resource: backup.workspace, cause },
          { retries: retries - 1 }
        )
      return
    }
    const succeeded = [...this.backups.values()].filter(
      (one) => one.workspace === backup.workspace && one.isAutomatic && one.status === 'Succeeded'
    )
    for (const { id } of succeeded.slice(0, -this.#backupSchedules.get(backup.workspace)!.files))
      this.backups.delete(id)
  }

  #ownBackup(workspace: ModelWorkspace, id: string): Backup {
    const backup = this.backups.get(id)
    if (backup?.workspace !== workspace.id) return refuse({ backup_id: 'notBackup' }, { id })
    return backup
  }

  #deleteBackup(workspace: ModelWorkspace, id: string): string {
    if (this.#ownBackup(workspace, id).status === BACKUP.during) refuse({ backup_id: 'running' }, { id })
    this.backups.delete(id)
    return 'Successfully deleted the backup.'
  }

  #restore(workspace: ModelWorkspace, cause: string, backupId: string): string {
    this.#needsReadWrite(workspace, 'restored')
    this.#guard(T.restore.name, T.restore.from, workspace)
    const { status } = this.#ownBackup(workspace, backupId)
    if (status !== 'Succeeded') refuse({ backup_id: 'notSucceeded' }, { id: backupId, state: status })
    const job = this.#given(cause)
    this.jobs.set(job, { id: job, workspace: workspace.id, status: 'Pending' })
    this.#note(job, T.restore.name, 'status', null, 'Pending', cause)
    const ends = this.#enter(T.restore, workspace, cause, { job })
    if (ends > this.now) {
      const whole = ends === Infinity ? T.restore.duration.fast : ends - this.now
      this.#plan(
        { due: this.now + Math.floor(whole / 3), kind: 'restore.step', resource: workspace.id, cause },
        { job }
      )
    }
    return 'Successfully restored the backup.'
  }

  #work(id: string, cause: string): void {
    const job = this.jobs.get(id)
    if (job?.status === 'Pending') this.#setJob(job, 'Running', cause)
  }

  #setJob(job: Job, status: string, cause: string, reason: string | null = null): void {
    this.jobs.set(job.id, { ...job, status })
    this.#note(job.id, T.restore.name, 'status', job.status, status, cause, reason)
  }

  // Schedules

  #setBackupSchedule(workspace: ModelWorkspace, cause: string, body: Fields): string {
    this.#needsReadWrite(workspace, 'backed up')
    this.#guardSchedule(workspace)
    const schedule = {
      everyMinutes: Number(/^\*\/(\d+) /.exec(body['schedule'] as string)![1]),
      pause: body['pause'] === true,
      files: body['max_backup_files'] as number,
      retries: body['max_retry'] as number
    }
    this.#backupSchedules.set(workspace.id, schedule)
    this.#cancel(workspace.id, ['backup.schedule', 'backup.retry'])
    if (!schedule.pause) this.#planBackupSchedule(workspace.id, schedule, cause)
    return 'Successfully set the backup schedule.'
  }

  #guardSchedule(workspace: ModelWorkspace): void {
    this.#guard(
      'a schedule',
      ALL_STATES.filter((state) => state !== T.delete.during),
      workspace
    )
  }

  /** Minutes that divide an hour, so that the next firing is a multiple of them since 1970, too. */
  #planBackupSchedule(resource: string, { everyMinutes }: BackupSchedule, cause: string): void {
    const step = everyMinutes * minute
    this.#plan({ due: (Math.floor(this.now / step) + 1) * step, kind: 'backup.schedule', resource, cause })
  }

  #fireBackupSchedule(workspace: ModelWorkspace, cause: string): void {
    const schedule = this.#backupSchedules.get(workspace.id)!
    this.#planBackupSchedule(workspace.id, schedule, cause)
    this.#attempt(workspace.id, BACKUP.name, cause, () => {
      this.#runBackup(cause, workspace, true, { retries: schedule.retries })
    })
  }

  #setSchedule(workspace: ModelWorkspace, cause: string, body: Fields): string {
    const id = (body['id'] ?? this.#given(cause)) as string
    const schedule = {
      id,
      workspace: workspace.id,
      oneOff: body['repeat'] === 'none',
      time: body['time'] as string,
      type: body['workspace_type_name'] as string | undefined
    }
    const key = `${workspace.id} ${id}`
    if (isDeepStrictEqual(this.#schedules.get(key), schedule)) refuse({ operation: 'unclearSchedule' })
    this.#guardSchedule(workspace)
    if (schedule.type !== undefined && schedule.type !== workspace.type) this.#needsReadWrite(workspace, 'resized')
    const next = this.#nextOf(schedule)
    if (next === undefined) {
      const values = { date: body['date'] as string, time: schedule.time, timezone: 'UTC', now: iso(this.now) }
      return refuse({ date: 'pastDate' }, values)
    }
    const isElsewhere = [...this.#schedules.values()].some(
      (other) => other.id === id && other.workspace !== workspace.id && this.workspaces.has(other.workspace)
    )
    if (isElsewhere && !this.#schedules.has(key)) refuse({ id: 'otherSchedule' }, { id })
    this.events = this.events.filter(({ payload }) => payload['schedule'] !== key)
    this.#schedules.set(key, schedule)
    this.#plan({ due: next, kind: 'workspace.schedule', resource: workspace.id, cause }, { schedule: key })
    return 'Successfully updated the workspace schedule.'
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

  #fireSchedule(workspace: ModelWorkspace, { schedule: name, waited }: Fields, cause: string): void {
    const key = name as string
    const schedule = this.#schedules.get(key)!
    const { oneOff, type } = schedule
    const ends = this.events.filter(({ kind, resource }) => resource === workspace.id && BY_SCHEDULES.includes(kind))
    if (!oneOff && waited !== true)
      this.#plan(
        { due: this.#nextOf(schedule)!, kind: 'workspace.schedule', resource: workspace.id, cause },
        { schedule: key }
      )
    const [due = Infinity] = ends.map((end) => end.due).sort((a, b) => a - b)
    if (this.#changed.get(workspace.id) === this.now && due < Infinity) {
      this.#plan({ due, kind: 'workspace.schedule', resource: workspace.id, cause }, { schedule: key, waited: true })
      return
    }
    this.#attempt(workspace.id, 'workspace.schedule', cause, () => {
      if (type === undefined) this.#askFor(T.pause, workspace, cause)
      else this.#bringTo(workspace, type, cause)
    })
  }

  #deleteSchedule(workspace: ModelWorkspace, id: string): string {
    const key = `${workspace.id} ${id}`
    if (!this.#schedules.delete(key)) refuse({ id: 'notSchedule' }, { id })
    this.events = this.events.filter(({ payload }) => payload['schedule'] !== key)
    return 'Successfully deleted the workspace schedule.'
  }

  /** A firing that a rule forbids is left out, and the timeline says why. */
  #attempt(workspace: string, transition: string, cause: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#note(workspace, transition, 'firing', null, 'skipped', cause, error.message)
    }
  }

  // Users

  #user(workspace: ModelWorkspace, kind: string, username: string): string {
    this.#guard('a call about its users', ['Active', 'Resizing', 'Restoring'], workspace)
    const key = `${workspace.id} ${username}`
    const isThere = this.users.has(key)
    if (kind === 'createUser') {
      if (isThere) refuse({ username: 'usernameTaken' }, { name: username })
      this.users.add(key)
      return 'Successfully created the user.'
    }
    if (!isThere) refuse({ username: 'notUser' }, { name: username })
    if (kind === 'setPassword') return 'Successfully updated the password.'
    this.users.delete(key)
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

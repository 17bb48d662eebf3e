import { Agent, request } from 'node:http'
import Sqlite from 'better-sqlite3'
import { exportState } from '../../src/documents/export.js'
import type { StateDocument } from '../../src/documents/schemas.js'
import { sandboxIdOf } from '../../src/lib/keys.js'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import type { ControlPlane } from '../../src/resources/control-plane.js'
import { WORKSPACE_TRANSITIONS } from '../../src/resources/workspaces/lifecycle.js'
import { type Random, randomFrom } from '../../src/sim/random.js'
import { openControlPlane } from '../../src/test-control/open-control-plane.js'
import { type Body, CONTROLLER } from '../helper.js'

/**
 * What is in the database as a client can know it: a value for each thing, by its name. `?` stands for an id that no
 * reply has told.
 */
export type Facts = ReadonlyMap<string, string>

/** What a client knew after a reply. */
interface Known {
  readonly facts: Facts
  /** What {@link Load.position} was when the reply arrived. */
  readonly position: number
}

/** A write: what is sent, and what is there once it holds. Without a reply, its ids are not known. */
interface Step {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Whether a workspace begins a transition by it. */
  readonly begins?: boolean
  readonly after: (result?: Body) => Facts
}

const step = (method: string, path: string, body: object | undefined, after: Step['after']): Step => ({
  method,
  path,
  body,
  after
})

/** The id that a reply has told. */
const idIn = (result: Body, field = 'id') => (result?.[field] as string | undefined) ?? '?'

export interface Reply {
  readonly status: number
  readonly body: Body
}

/** Sends one request. @throws if no whole reply comes */
export function send(
  agent: Agent,
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method, headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) } },
      (reply) => {
        let text = ''
        reply
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk
          })
          .on('error', reject)
          .on('end', () => {
            if (reply.complete) resolve({ status: reply.statusCode!, body: JSON.parse(text) })
            else reject(new Error('the reply was cut off'))
          })
      }
    )
    outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export const START = '2026-01-01T00:00:00.000Z'
const WHOLE_PARTS = 20

/**
 * One connection, which sends one write after the other to things that are its own, and notes what each reply has
 * confirmed.
 */
class Client {
  readonly name: string
  readonly known: Known[] = [{ facts: new Map(), position: -1 }]
  /** What will be there if the write without a reply was carried out. */
  pending: Facts | undefined
  /** RequestIDs of transitions that a reply has confirmed. */
  readonly begun: { requestId: string; position: number }[] = []
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #random: Random
  #count = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.#random = random
  }

  get facts(): Facts {
    return this.known.at(-1)!.facts
  }

  /** What replies have confirmed by a position, and what is there if the write after that was carried out. */
  expected(position: number): { readonly facts: Facts; readonly next: Facts | undefined } {
    const confirmed = this.known.findLastIndex((entry) => entry.position <= position)
    return { facts: this.known[confirmed]!.facts, next: this.known[confirmed + 1]?.facts ?? this.pending }
  }

  /** Takes what was found as what there is. */
  accept(facts: Facts): void {
    this.known.splice(0, Infinity, { facts, position: -1 })
    this.pending = undefined
  }

  async send(load: Load, url: string): Promise<Reply> {
    const step = this.#next()
    const requestId = `${load.key}-${this.name}-${++this.#count}`
    this.pending = step.after()
    const isOfWhole = this.name === 'whole'
    const reply = await send(
      this.#agent,
      `${url}${step.path}`,
      step.method,
      { 'x-api-key': isOfWhole ? load.wholeKey : load.key, 'x-request-id': requestId },
      step.body
    )
    if (reply.status === 200) {
      const position = load.position()
      this.known.push({ facts: step.after(reply.body.Result), position })
      if (step.begins === true) this.begun.push({ requestId, position })
    }
    this.pending = undefined
    return reply
  }

  close(): void {
    this.#agent.destroy()
  }

  #next(): Step {
    if (this.name === 'clock') return this.#moveClock()
    if (this.name === 'whole') return this.#replaceAll()
    const groups = this.#names('group')
    const workspaces = this.#names('workspace')
    if (groups.length < 2 || (groups.length < 4 && this.#below(8) === 0)) return this.#addGroup()
    if (workspaces.length < 2 || (workspaces.length < 6 && this.#below(4) === 0)) return this.#addWorkspace()
    const [group, workspace] = [this.#pick(groups), this.#pick(workspaces)]
    const path = this.#pathOf(workspace)
    const unchanged = () => this.facts
    const pause = () => step('POST', `${path}/pause`, undefined, unchanged)
    const resume = () => step('POST', `${path}/resume`, undefined, unchanged)
    const types = ['SVC-0', 'SVC-1', 'SVC-2']
    const resize = () => step('PUT', path, { workspace_type_name: this.#pick(types) }, unchanged)
    const allow = () => this.#allow(group)
    const others = [
      () => this.#deleteWorkspace(workspace),
      () => this.#setAutoStop(workspace),
      () => this.#schedule(workspace),
      // Hashing a password takes long.
      () => (this.#below(6) === 0 ? this.#addUser(workspace) : this.#renameGroup(group))
    ]
    return this.#pick([pause, pause, resume, resume, resize, allow, allow, allow, ...others])()
  }

  #addGroup(): Step {
    const name = this.#newName('g')
    return step('POST', `${CONTROLLER}/workgroups`, { cloud_provider_id: 'x', name }, (result) =>
      this.#with([`group ${name}`, idIn(result, 'workgroup_id')], [`group ${name} provider`, 'x'])
    )
  }

  #renameGroup(group: string): Step {
    const name = this.#newName('g')
    const renamed = (key: string) => `${key} `.replace(`group ${group} `, `group ${name} `).trimEnd()
    return step(
      'PUT',
      this.#pathOfGroup(group),
      { workgroup_name: name },
      () => new Map([...this.facts].map(([key, value]) => [renamed(key), value]))
    )
  }

  #allow(group: string): Step {
    const path = `${this.#pathOfGroup(group)}/allow_list`
    const entries = [...this.facts.keys()].filter((key) => key.startsWith(`group ${group} ip `))
    if (entries.length > 8) {
      const entry = this.#pick(entries)
      const [id] = this.facts.get(entry)!.split(' ')
      return step('DELETE', `${path}/${id!}`, undefined, () => this.#without(entry))
    }
    const [cidr, note] = [`10.${this.#below(200)}.${this.#below(200)}.0/24`, `note ${++this.#count}`]
    if (this.facts.has(`group ${group} ip ${cidr}`)) return this.#renameGroup(group)
    return step('POST', path, { cidr, note }, (result) =>
      this.#with([`group ${group} ip ${cidr}`, `${idIn(result)} ${note}`])
    )
  }

  #addWorkspace(): Step {
    const name = this.#newName('w')
    const group = this.facts.get(`group ${this.#pick(this.#names('group'))}`)!
    const after = (result?: Body) =>
      this.#with(
        [`workspace ${name}`, `${group} ${idIn(result, 'workspace_id')}`],
        [`workspace ${name} auto-stop`, '0']
      )
    return { ...step('POST', `${CONTROLLER}/workgroups/${group}/workspaces`, { name }, after), begins: true }
  }

  #deleteWorkspace(name: string): Step {
    const after = () => this.#without(`workspace ${name}`)
    return { ...step('DELETE', this.#pathOf(name), undefined, after), begins: true }
  }

  #setAutoStop(name: string): Step {
    const minutes = this.#below(30)
    return step('PUT', this.#pathOf(name), { auto_stop_minutes: minutes }, () =>
      this.#with([`workspace ${name} auto-stop`, String(minutes)])
    )
  }

  #schedule(name: string): Step {
    const path = `${this.#pathOf(name)}/backups/schedule`
    if (this.#below(2) === 0) {
      const schedule = `${this.#below(60)} 3 * * *`
      return step('POST', path, { schedule }, () => this.#with([`workspace ${name} backup-schedule`, schedule]))
    }
    const [id, time] = [`s${this.#below(3)}`, `0${this.#below(10)}:30`]
    const [, workspace_id] = this.facts.get(`workspace ${name}`)!.split(' ')
    return step('POST', path, { id, time, repeat: 'daily', timezone: 'UTC', workspace_id }, () =>
      this.#with([`workspace ${name} schedule ${id}`, time])
    )
  }

  #addUser(name: string): Step {
    const username = this.#newName('u')
    return step('POST', `${this.#pathOf(name)}/dbuser`, { username, password: 'secret' }, (result) =>
      this.#with([`workspace ${name} user ${username}`, idIn(result)])
    )
  }

  /** Lets the time that stands still for all clients go on. */
  #moveClock(): Step {
    const by = this.#pick([300, 1000, 2000, 60_000])
    const now = Date.parse(this.facts.get('clock') ?? START) + by
    return step(
      'POST',
      '/_mock/clock/advance',
      { by: `PT${by / 1000}S` },
      (result) => new Map([['clock', (result?.clock.now as string | undefined) ?? new Date(now).toISOString()]])
    )
  }

  /** Replaces a sandbox as a whole: many rows, of which all must be of one document. */
  #replaceAll(): Step {
    const name = this.#newName('all')
    const parts = Array.from({ length: WHOLE_PARTS }, (_, index) => ({
      id: `g${index}`,
      name,
      workspaces: [{ id: `w${index}`, name, status: 'Pausing' }]
    }))
    const state = { clock: { mode: 'frozen' }, workgroups: parts }
    return step('PUT', '/_mock/state', state, () => new Map([['whole', name]]))
  }

  #with(...entries: [string, string][]): Facts {
    return new Map([...this.facts, ...entries])
  }

  #without(name: string): Facts {
    return new Map([...this.facts].filter(([key]) => key !== name && !key.startsWith(`${name} `)))
  }

  #names(kind: string): string[] {
    return [...this.facts.keys()]
      .map((key) => key.split(' '))
      .filter((words) => words.length === 2 && words[0] === kind)
      .map(([, name]) => name!)
  }

  #pathOfGroup(name: string): string {
    return `${CONTROLLER}/workgroups/${this.facts.get(`group ${name}`)!}`
  }

  #pathOf(name: string): string {
    const [group, id] = this.facts.get(`workspace ${name}`)!.split(' ')
    return `${CONTROLLER}/workgroups/${group!}/workspaces/${id!}`
  }

  #newName(kind: string): string {
    return `${this.name}-${kind}${++this.#count}`
  }

  #below(limit: number): number {
    return Math.floor(this.#random.fraction() * limit)
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!
  }
}

/** What was found wrong, and what became of the writes without a reply. */
export interface Verdict {
  readonly faults: string[]
  /** Writes without a reply that are there as a whole. */
  readonly carriedOut: number
  /** Those that are not there at all. */
  readonly notCarriedOut: number
}

/**
 * Writes from 16 connections: 14 with things of their own in one sandbox, one that moves its clock, and one that
 * replaces another sandbox.
 */
export class Load {
  readonly key: string
  /** Where the log of what reached the disk stands. */
  readonly position: () => number
  readonly #clients: readonly Client[]
  acknowledged = 0
  refused = 0
  unavailable = 0
  /** Message of the last 503. */
  reason = ''

  constructor(key: string, position = () => 0, connections = 16) {
    this.key = key
    this.position = position
    this.#clients = [...Array.from({ length: connections - 2 }, (_, index) => `c${index}`), 'clock', 'whole'].map(
      (name) => new Client(name, randomFrom('load', key, name))
    )
  }

  get wholeKey(): string {
    return `${this.key}-whole`
  }

  /** Makes the sandbox, with a clock that stands still. */
  async begin(url: string): Promise<void> {
    const agent = new Agent()
    for (const key of [this.key, this.wholeKey]) {
      const { status } = await send(
        agent,
        `${url}/_mock/clock`,
        'PUT',
        { 'x-api-key': key },
        { mode: 'frozen', now: START }
      )
      if (status !== 200) throw new Error(`no clock: ${status}`)
    }
    this.#clients.at(-2)!.known.push({ facts: new Map([['clock', START]]), position: this.position() })
  }

  /**
   * Lets all clients write until there is no server any more, or `isEnough` says so.
   * @throws if a reply has a status that a server in order does not give
   */
  async run(url: string, isEnough: () => boolean = () => false): Promise<void> {
    await Promise.all(
      this.#clients.map(async (client) => {
        while (!isEnough()) {
          const reply = await client.send(this, url).catch(() => undefined)
          if (reply === undefined) return
          if (reply.status === 200) this.acknowledged++
          else if (reply.status === 400) this.refused++
          else if (reply.status === 503) {
            this.unavailable++
            this.reason = reply.body.Message as string
          } else throw new Error(`status ${reply.status}: ${JSON.stringify(reply.body)}`)
        }
      })
    )
  }

  /** Holds what is in the database against what the clients know, as it was at a position. */
  judge(state: StateDocument, whole: StateDocument, position = Infinity): Verdict {
    const clock = this.#clients.at(-2)!.expected(position)
    const isClockMoving = isBetween(clock.facts, state.clock?.now, clock.next)
    const faults = inconsistencies(state, isClockMoving)
    let carriedOut = 0
    let notCarriedOut = 0
    const requests = new Set(state.timeline!.map(({ request_id }) => request_id))
    for (const client of this.#clients) {
      const found = factsOf(client.name, state, whole)
      const { begun } = client
      const { facts, next } = client.expected(position)
      const wrong = difference(facts, found)
      const isOnItsWay = client.name === 'clock' && isClockMoving
      if (wrong !== undefined) {
        if (next === undefined || (difference(next, found) !== undefined && !isOnItsWay))
          faults.push(`${client.name}: ${wrong}${next === undefined ? '' : `, and ${difference(next, found)!}`}`)
        carriedOut++
      } else if (next !== undefined && difference(next, found) !== undefined) notCarriedOut++
      for (const { requestId } of begun.filter((one) => one.position <= position)) {
        if (!requests.has(requestId)) faults.push(`${requestId} was confirmed, but is not in the timeline`)
      }
    }
    return { faults, carriedOut, notCarriedOut }
  }

  /** As {@link judge}, of what a server finds in a file; the file itself is looked at, too. */
  judgeFile(db: string, position?: number): Verdict & { found: [state: StateDocument, whole: StateDocument] } {
    const plane = openControlPlane(checkOptions({ db }, embeddedDefaults()))
    const [state, whole] = [this.key, this.wholeKey].map((key) => stateOf(plane, key)) as [StateDocument, StateDocument]
    plane.close()
    const verdict = this.judge(state, whole, position)
    return { ...verdict, faults: [...damageOf(db), ...verdict.faults], found: [state, whole] }
  }

  /** Goes on from what was found. */
  accept(state: StateDocument, whole: StateDocument): void {
    for (const client of this.#clients) client.accept(factsOf(client.name, state, whole))
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}

/** What SQLite finds wrong with a database that nobody has open. */
export function damageOf(db: string): string[] {
  const sqlite = new Sqlite(db)
  try {
    const rows = [
      ...sqlite.prepare('PRAGMA integrity_check').pluck().all(),
      ...sqlite.prepare('PRAGMA foreign_key_check').all()
    ]
    return rows.filter((row) => row !== 'ok').map((row) => JSON.stringify(row))
  } finally {
    sqlite.close()
  }
}

/** What a sandbox is; an empty one, if there is none. */
function stateOf(plane: ControlPlane, key: string): StateDocument {
  const sandbox = plane.sandboxes.find(sandboxIdOf(key))
  return sandbox === undefined ? { workgroups: [], events: [], timeline: [] } : exportState(plane, sandbox)
}

/** What is there of a client's things. */
function factsOf(client: string, state: StateDocument, whole: StateDocument): Facts {
  const facts = new Map<string, string>()
  if (client === 'clock') return state.clock?.now === undefined ? facts : facts.set('clock', state.clock.now)
  if (client === 'whole') return describeWhole(whole) === '' ? facts : facts.set('whole', describeWhole(whole))
  const isMine = (name = '') => name.startsWith(`${client}-`)
  for (const { id, name, cloud_provider_id, allow_list, workspaces } of state.workgroups!) {
    if (!isMine(name)) continue
    facts.set(`group ${name!}`, id!).set(`group ${name!} provider`, cloud_provider_id!)
    for (const { id, cidr, note } of allow_list!.entries!) facts.set(`group ${name!} ip ${cidr}`, `${id!} ${note!}`)
    for (const workspace of workspaces!) {
      if (workspace.status === 'Terminating') continue
      const { name } = workspace
      facts
        .set(`workspace ${name!}`, `${id!} ${workspace.id!}`)
        .set(`workspace ${name!} auto-stop`, String(workspace.auto_stop_minutes))
      for (const user of workspace.users!) facts.set(`workspace ${name!} user ${user.username}`, user.id!)
      for (const schedule of workspace.schedules!)
        facts.set(`workspace ${name!} schedule ${schedule.id!}`, schedule.time)
      if (workspace.backup_schedule !== undefined)
        facts.set(`workspace ${name!} backup-schedule`, workspace.backup_schedule.schedule)
    }
  }
  return facts
}

/** The name that all parts of the sandbox bear that is replaced as a whole. */
function describeWhole({ workgroups, events }: StateDocument): string {
  const workspaces = workgroups!.flatMap(({ workspaces }) => workspaces!)
  const names = new Set([...workgroups!, ...workspaces].map(({ name }) => name!))
  const counts = [workgroups!, workspaces, events!].map(({ length }) => length)
  const isWhole = names.size <= 1 && counts.every((count) => count === (names.size === 0 ? 0 : WHOLE_PARTS))
  return isWhole ? [...names].join() : `parts of ${[...names].join(', ')} (${counts.join(', ')})`
}

/** Whether the clock stands where a move that takes several transactions can be cut off. */
function isBetween(facts: Facts, now: string | undefined, next: Facts | undefined): boolean {
  const [from, to] = [facts.get('clock'), next?.get('clock')]
  return now !== undefined && from !== undefined && to !== undefined && from < now && now <= to
}

/** What one set of facts has and another has not; undefined if they are the same. */
function difference(expected: Facts, found: Facts): string | undefined {
  for (const [key, value] of expected) {
    const actual = found.get(key)
    if (actual === undefined) return `${key} is missing`
    const words = actual.split(' ')
    if (
      actual !== value &&
      !(value.includes('?') && value.split(' ').every((word, index) => word === '?' || word === words[index]))
    )
      return `${key} is ${actual}, not ${value}`
  }
  for (const key of found.keys()) if (!expected.has(key)) return `${key} is there`
  return undefined
}

const TRANSIENT = new Set<string>(Object.values(WORKSPACE_TRANSITIONS).map(({ during }) => during))
const ENDINGS = new Set<string>(Object.values(WORKSPACE_TRANSITIONS).map(({ name }) => name))

/**
 * Where states, timeline and due events of a sandbox do not agree.
 * @param isClockMoving whether events may be left at the very moment at which a move of the clock was cut off
 */
export function inconsistencies(
  { clock, workgroups, events, timeline }: StateDocument,
  isClockMoving = false
): string[] {
  const faults: string[] = []
  const last = new Map<string, (typeof changes)[number]>()
  const changes = timeline!.filter(
    ({ attribute, transition }) => attribute === 'status' && transition.startsWith('workspace.')
  )
  for (const change of changes) {
    const { resource_id, from, to } = change
    const before = last.get(resource_id)?.to ?? null
    if (before !== from)
      faults.push(`${resource_id} went from ${from ?? 'nothing'} to ${to}, but was ${before ?? 'nothing'}`)
    last.set(resource_id, change)
  }
  const workspaces = new Map(
    workgroups!.flatMap((group) =>
      group.workspaces!.map((workspace) => [workspace.id!, { ...workspace, group }] as const)
    )
  )
  for (const [id, { to }] of last) {
    const status = workspaces.get(id)?.status ?? 'gone'
    if (status !== to) faults.push(`${id} is ${status}, but its timeline ends with ${to}`)
  }
  for (const { event, due } of events!) {
    if (due !== null && (due < clock!.now! || (due === clock!.now! && !isClockMoving)))
      faults.push(`${event} was due at ${due}, and did not fire by ${clock!.now!}`)
  }
  for (const [id, { status, auto_stop_minutes, backup_schedule, schedules, database, group }] of workspaces) {
    const change = last.get(id)
    const own = events!.filter(({ workspace_id }) => workspace_id === id)
    const endings = own.filter(({ event }) => ENDINGS.has(event))
    const expected = TRANSIENT.has(status!) ? [`${change?.transition ?? ''} ${change?.request_id ?? ''}`] : []
    const found = endings.map(({ event, request_id }) => `${event} ${request_id}`)
    if (found.join() !== expected.join())
      faults.push(`${id} is ${status!}, but what is due is ${found.join() || 'nothing'}`)
    if (!group.databases!.some((one) => one.id === database)) faults.push(`${id} has no database`)
    if (status === 'Terminating') continue
    const counts = [
      ['workspace.auto-stop', auto_stop_minutes! > 0 && status === 'Active' ? 1 : 0],
      ['backup.schedule', backup_schedule === undefined ? 0 : 1],
      ['workspace.schedule', schedules!.length]
    ] as const
    for (const [kind, count] of counts) {
      const planned = own.filter(({ event }) => event === kind).length
      if (planned !== count) faults.push(`${id} (${status!}) has ${planned} × ${kind}, not ${count}`)
    }
  }
  return faults
}

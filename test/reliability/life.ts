import { type Random, randomFrom } from '../../src/sim/random.js'
import type { Body, BuiltMock, Reply } from '../helper.js'
import { NONE } from '../sandbox.js'
import { scaled } from './soak.js'

/**
 * What one sandbox goes through: a script that follows from a seed and its number alone. Whatever it writes bears its
 * number: RequestIDs (`s17-4`), names (`n17-main`) and the year of its clock. With `--seed`, all sandboxes draw the
 * same ids, so that a mistake would find something.
 */

/** Steps of a life, and of a fork within it. */
const STEPS = { whole: scaled(20, 30), fork: 5 }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Send = (method: Method, url: string, body?: unknown) => Promise<Reply>

const OPERATIONS = [
  'createWorkgroup',
  'getWorkgroup',
  'createWorkspace',
  'getWorkspace',
  'updateWorkspace',
  'pauseWorkspace',
  'listBackups',
  'deleteWorkspace'
]
const TRANSITIONS = ['create', 'pause', 'resume', 'resize', 'delete', 'refresh']
  .map((name) => `workspace.${name}`)
  .concat('restore.run', 'backup.run')

/** The year in which a sandbox lives; the next one is its own, too. Org users are of 2025 everywhere. */
const yearOf = (number: number) => 2100 + 2 * number

export class Life {
  /** Every reply, but for what a machine's clock, a salt or the name of a fork decides. */
  readonly transcript: string[] = []
  /** What is not its own, but was shown to it. */
  readonly strange: string[] = []
  readonly #mock: BuiltMock
  readonly #number: number
  readonly #random: Random
  readonly #clock: object
  readonly #isReal: boolean
  #requests = 0

  constructor(mock: BuiltMock, seed: number, number: number) {
    this.#mock = mock
    this.#number = number
    this.#random = randomFrom('isolation', seed, number)
    const mode = (['frozen', 'poll', 'real'] as const)[number % 3]!
    this.#isReal = mode === 'real'
    this.#clock = { mode, now: `${yearOf(number)}-06-01T00:00:00.000Z` }
  }

  async live(): Promise<this> {
    await this.#part(`key ${this.#number}`, STEPS.whole, true)
    return this
  }

  get requests(): number {
    return this.#requests
  }

  async #part(key: string, steps: number, isWhole: boolean): Promise<void> {
    const here = new Place(this.#number, this.#random, this.#isReal)
    const send: Send = async (method, url, body) => {
      const reply = await this.#send(key, method, url, body)
      here.learn(reply)
      return reply
    }
    if (isWhole) await send('PUT', '/_mock/seed', this.#document())
    for (let step = 0; step < steps; step++) {
      const what = here.pick(Object.keys(STRANGE_STEPS))
      if (here.fraction() < 0.75) await send(...here.ordinary())
      else await this.#strange(what, key, here, send, isWhole)
    }
    await send('GET', '/_mock/state')
    await send('GET', '/_mock/requests')
    await send('GET', '/_mock/coverage')
    await send('GET', '/_mock/report')
  }

  async #strange(what: string, key: string, here: Place, send: Send, isWhole: boolean): Promise<void> {
    switch (what) {
      case 'fork': {
        if (!isWhole) return
        const from = here.pick(['baseline', 'one', 'two'])
        const fork: Body = (await send('POST', '/_mock/sandboxes', { from })).body.Result
        if (fork === null) return
        await this.#part(fork.key as string, STEPS.fork, false)
        if (here.fraction() < 0.7) await this.#send(fork.key as string, 'DELETE', '/_mock/sandboxes')
        return
      }
      case 'remove':
        // Its key gets a new sandbox, which takes a place that others have left.
        if (!isWhole || here.fraction() < 0.5) return
        await this.#send(key, 'DELETE', '/_mock/sandboxes')
        await send('PUT', '/_mock/seed', this.#document())
        return
      case 'import': {
        const {
          body: { Result: state }
        } = await send('GET', '/_mock/state')
        await send(...here.ordinary())
        await send('PUT', '/_mock/state', state)
        return
      }
      default:
        await send(...STRANGE_STEPS[what]!(here))
    }
  }

  #document(): object {
    const n = this.#number
    return {
      clock: this.#clock,
      // What takes time would end sooner or later, as fast as the machine is.
      ...(this.#isReal ? { transitions: TRANSITIONS.map((transition) => ({ transition, after: 'PT0S' })) } : {}),
      workgroups: [
        {
          id: 'g',
          name: `n${n}-main`,
          allow_list: { enabled: n % 2 === 0, entries: [{ cidr: `10.${n >> 8}.${n & 255}.0/24`, note: `n${n}-net` }] },
          workspaces: [
            {
              id: 'w',
              name: `n${n}-writer`,
              backups: [{ id: 'b', tag: `n${n}-tag` }],
              ...(this.#isReal ? {} : { backup_schedule: { schedule: `0 */${1 + (n % 7)} * * *` } })
            }
          ]
        }
      ]
    }
  }

  async #send(key: string, method: Method, url: string, body?: unknown): Promise<Reply> {
    const id = `s${this.#number}-${++this.#requests}`
    const isControl = url.startsWith('/_mock')
    const isSession = url.startsWith('/users')
    const reply = await this.#mock.call(method, url, {
      key: isSession ? null : key,
      headers: { 'x-request-id': id, ...(isSession ? { authorization: `Bearer ${key}` } : {}) },
      ...(isControl || isSession ? { prefix: '' } : {}),
      ...(body === undefined ? {} : { body })
    })
    const text = JSON.stringify(url === '/_mock/report' ? reply.body.Result.left_behind : reply.body)
    if (url === '/_mock/report') this.#look(id, JSON.stringify(reply.body))
    this.#look(id, text)
    this.transcript.push(
      `${id} ${method} ${url.replaceAll(/fork_[0-9a-f]{24}/g, 'fork')} ${reply.status} ${this.#plain(text)}`
    )
    return reply
  }

  /** Notes whatever bears another number. */
  #look(id: string, text: string): void {
    const own = yearOf(this.#number)
    for (const [mark, number] of text.matchAll(/\b[sn](\d+)-/g))
      if (Number(number) !== this.#number) this.strange.push(`${id}: ${mark}`)
    const ofSandbox = text.replaceAll(/"(?:received|wall|expires_at)":"[^"]*"/g, '')
    for (const [time, year] of ofSandbox.matchAll(/\b(\d{4})-\d\d-\d\dT\d\d:\d\d/g)) {
      if (![own, own + 1, 2025].includes(Number(year))) this.strange.push(`${id}: ${time}`)
    }
  }

  #plain(text: string): string {
    const plain = text
      .replaceAll(/fork_[0-9a-f]{24}/g, 'fork')
      .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
      .replaceAll(/"(password_hash|received|wall|expires_at)":"[^"]*"/g, '"$1":""')
    if (!this.#isReal) return plain
    return plain.replaceAll(/\b(\d{4})-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)/g, '$1')
  }
}

/** Where a life takes place: what it knows of its sandbox, which may be out of date. */
class Place {
  readonly number: number
  readonly #random: Random
  readonly #isReal: boolean
  readonly #workspaces = [
    { group: 'g', id: 'w' },
    { group: 'g', id: NONE }
  ]
  readonly #groups = ['g']
  readonly #databases: string[] = []
  readonly #backups = ['b']
  #users: string[] = [NONE]

  constructor(number: number, random: Random, isReal: boolean) {
    this.number = number
    this.#random = random
    this.#isReal = isReal
  }

  fraction(): number {
    return this.#random.fraction()
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.fraction() * items.length)]!
  }

  /** Remembers the ids of a reply. */
  learn({ body }: Reply): void {
    if (Array.isArray(body)) this.#users = body.map(({ id }) => id as string)
    const result = body?.Result
    if (typeof result !== 'object' || result === null) return
    const {
      workspace_id: workspace,
      workgroup_id: group,
      database_id: database,
      tag,
      id
    } = result as Record<string, string | undefined>
    if (workspace !== undefined) this.#workspaces.push({ group: group!, id: workspace })
    else if (group !== undefined) this.#groups.push(group)
    if (database !== undefined) this.#databases.push(database)
    if (tag !== undefined && id !== undefined) this.#backups.push(id)
  }

  name(): string {
    return `n${this.number}-${Math.floor(this.fraction() * 100)}`
  }

  workspace(): { group: string; id: string } {
    return this.pick(this.#workspaces.slice(-4).concat(this.#workspaces[0]!))
  }

  /** A request of the interface, or one that makes time go on. */
  ordinary(): [Method, string, unknown?] {
    const { group, id } = this.workspace()
    const place = `/workgroups/${group}/workspaces/${id}`
    const chance = this.fraction()
    // Hashing a password costs more than all the rest.
    if (chance < 0.01) return ['POST', `${place}/dbuser`, { username: this.name(), password: 'secret' }]
    if (chance < 0.25 && !this.#isReal)
      return ['POST', '/_mock/clock/advance', { by: this.pick(['PT1S', 'PT5S', 'PT2M', 'PT1H', 'PT7H']) }]
    return this.pick<() => [Method, string, unknown?]>([
      () => ['POST', '/workgroups', { cloud_provider_id: 'a', name: this.name() }],
      () => ['GET', '/workgroups'],
      () => ['GET', `/workgroups/${this.pick(this.#groups)}`],
      () => ['PUT', `/workgroups/${this.pick(this.#groups)}`, { workgroup_name: this.name() }],
      () => ['DELETE', `/workgroups/${this.pick(this.#groups)}`],
      () => [
        'POST',
        `/workgroups/${this.pick(this.#groups)}/allow_list`,
        { cidr: `192.168.${Math.floor(this.fraction() * 4)}.0/24`, note: this.name() }
      ],
      () => ['GET', `/workgroups/${this.pick(this.#groups)}/allow_list`],
      () => [
        'POST',
        `/workgroups/${this.pick(this.#groups)}/workspaces`,
        { name: this.name(), ...(this.#isReal ? {} : { auto_stop_minutes: this.pick([0, 1, 30]) }) }
      ],
      () => [
        'POST',
        `/workgroups/${group}/workspaces`,
        { name: this.name(), svc_database_id: this.pick([...this.#databases, NONE]), is_rw: this.fraction() < 0.3 }
      ],
      () => ['GET', `/workgroups/${group}/databases/${this.pick([...this.#databases, NONE])}`],
      () => ['GET', place],
      () => [
        'PUT',
        place,
        { workspace_name: this.name(), workspace_type_name: this.pick(['SVC-00', 'SVC-1', 'SVC-2']) }
      ],
      () => ['POST', `${place}/pause`],
      () => ['POST', `${place}/resume`],
      () => ['POST', `${place}/refresh`],
      () => ['DELETE', this.fraction() < 0.3 ? place : `${place}/nothing`],
      () => ['POST', `/_mock/workspaces/${id}/backups`, { tag: this.name() }],
      () => ['GET', `/workspaces/${id}/backups`],
      () => ['POST', `${place}/backups/restore`, { backup_id: this.pick(this.#backups) }],
      () => ['GET', `${place}/dbuser`],
      () => ['GET', '/users'],
      () => [
        'PUT',
        `/users/${this.pick(this.#users)}/roles`,
        { roles: this.pick([['org-admin'], ['workspace-member']]) }
      ],
      () =>
        this.#isReal
          ? ['GET', `${place}/schedules`]
          : [
              'POST',
              `${place}/backups/schedule`,
              { workspace_id: id, id: 's', repeat: 'daily', time: '05:00', timezone: 'UTC' }
            ],
      () =>
        this.#isReal
          ? ['GET', `${place}/backups/schedule`]
          : ['POST', `${place}/backups/schedule`, { schedule: `*/${this.pick([15, 30])} * * * *`, max_backup_files: 2 }]
    ])()
  }
}

/** What only tests do to a sandbox. Some need more than one request; those are made where the steps are gone. */
const STRANGE_STEPS: Readonly<Record<string, (here: Place) => [Method, string, unknown?]>> = {
  fork: () => ['GET', '/_mock/clock'],
  remove: () => ['GET', '/_mock/clock'],
  import: () => ['GET', '/_mock/state'],
  state: () => ['GET', '/_mock/state'],
  save: (here) => ['PUT', `/_mock/snapshots/${here.pick(['one', 'two'])}`],
  restore: (here) => ['POST', `/_mock/snapshots/${here.pick(['one', 'two', 'three'])}/restore`],
  snapshots: () => ['GET', '/_mock/snapshots'],
  forget: (here) => ['DELETE', `/_mock/snapshots/${here.pick(['one', 'two'])}`],
  reset: (here) => [
    'POST',
    '/_mock/reset',
    here.pick([undefined, { keep: ['journal'] }, { keep: ['faults', 'clock', 'transitions'] }])
  ],
  fault: (here) => [
    'POST',
    '/_mock/faults',
    {
      operation: here.pick(OPERATIONS),
      times: 1 + Math.floor(here.fraction() * 3),
      probability: here.pick([1, 0.5]),
      phase: here.pick(['before', 'after-commit']),
      effect: here.pick([
        { status: 503, reason: here.name() },
        { status: 429, reason: here.name() },
        { reply: 'empty' }
      ])
    }
  ],
  faults: () => ['GET', '/_mock/faults'],
  noFaults: () => ['DELETE', '/_mock/faults'],
  // Where the clock runs, nothing may take time.
  rules: (here) => [
    'PUT',
    '/_mock/transitions',
    {
      rules:
        here.number % 3 === 2
          ? TRANSITIONS.map((transition) => ({
              transition,
              after: 'PT0S',
              outcome: here.fraction() < 0.2 ? 'fail' : 'complete'
            }))
          : [
              { transition: here.pick(TRANSITIONS), outcome: here.pick(['fail', 'hold']), times: 2 },
              { transition: here.pick(TRANSITIONS), after: 'PT0S' }
            ]
    }
  ],
  release: () => ['POST', '/_mock/transitions/release'],
  quotas: (here) => [
    'PUT',
    '/_mock/quotas',
    { rw_workspaces: here.pick([null, 1, 2, 5]), manual_backups: here.pick([null, 1, 3]) }
  ],
  journal: () => ['GET', '/_mock/requests'],
  noJournal: () => ['DELETE', '/_mock/requests'],
  verify: (here) => ['POST', '/_mock/requests/verify', { operation: here.pick(OPERATIONS), times: { atLeast: 1 } }],
  coverage: () => ['GET', '/_mock/coverage'],
  timeline: () => ['GET', '/_mock/timeline'],
  events: () => ['GET', '/_mock/events']
}

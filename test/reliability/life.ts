import { type Random, randomFrom } from '../../src/sim/random.js'
import type { Body, BuiltMock, Reply } from '../helper.js'
import { NONE } from '../sandbox.js'
import { type Ask, callOf, Chooser, TRANSITIONS, WEIGHTS, type World, worldOf } from './race-chooser.js'
import { scaled, withoutChance } from './soak.js'

/**
 * What one sandbox goes through: a script that follows from a seed and its number alone. Whatever it writes bears its
 * number: RequestIDs (`s17-4`), names (`n17-main`) and the year of its clock. With `--seed`, all sandboxes draw the
 * same ids, so that a mistake would find something.
 */

/** Steps of a life, and of a fork within it. */
const STEPS = { whole: scaled(20, 30), fork: 5 }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Send = (method: Method, url: string, body?: unknown) => Promise<Reply>

/** What may go on by itself, or wait, so that it depends on the machine where the clock runs. */
const TAKES_TIME = ['advance', 'rules', 'release', 'setSchedule', 'setBackupSchedule']

/** The fields by which what a request makes bears the number of its sandbox. */
const NAMES: Readonly<Record<string, string>> = {
  createGroup: 'name',
  create: 'name',
  update: 'workspace_name',
  backup: 'tag'
}

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

  async #part(key: string, steps: number, isWhole: boolean): Promise<void> {
    if (isWhole) await this.#send(key, 'PUT', '/_mock/seed', this.#document())
    const here = new Place(this.#mock, key, this.#number, this.#random, this.#isReal)
    const send: Send = (method, url, body) => this.#send(key, method, url, body)
    // What takes more than one request; a fork has the last of these only.
    const upheavals: readonly (() => Promise<unknown>)[] = [
      async () => {
        const from = here.pick(['baseline', 'one', 'two'])
        const fork: Body = (await send('POST', '/_mock/sandboxes', { from })).body.Result
        if (fork === null) return
        await this.#part(fork.key as string, STEPS.fork, false)
        if (here.fraction() < 0.7) await this.#send(fork.key as string, 'DELETE', '/_mock/sandboxes')
      },
      async () => {
        // Its key gets a new sandbox, which takes a place that others have left.
        await send('DELETE', '/_mock/sandboxes')
        await send('PUT', '/_mock/seed', this.#document())
      },
      async () => {
        const { body } = await send('GET', '/_mock/state')
        await send(...here.ordinary())
        await send('PUT', '/_mock/state', body.Result)
      }
    ]
    for (let step = 0; step < steps; step++) {
      const chance = here.fraction()
      if (chance < 0.75) await send(...here.ordinary())
      else if (chance < 0.78) await here.pick(isWhole ? upheavals : upheavals.slice(-1))()
      else await send(...here.pick(STRANGE_STEPS)(here))
    }
    for (const what of ['state', 'requests', 'coverage', 'report']) await send('GET', `/_mock/${what}`)
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
    const plain = withoutChance(text)
      .replaceAll(/fork_[0-9a-f]{24}/g, 'fork')
      .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
    if (!this.#isReal) return plain
    return plain.replaceAll(/\b(\d{4})-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)/g, '$1')
  }
}

/** Where a life takes place, and what may happen there. */
class Place {
  readonly world: World
  readonly #number: number
  readonly #random: Random
  readonly #isReal: boolean
  readonly #chooser: Chooser

  constructor(mock: BuiltMock, key: string, number: number, random: Random, isReal: boolean) {
    this.world = worldOf(mock, key)
    this.#number = number
    this.#random = random
    this.#isReal = isReal
    const kinds = Object.entries(WEIGHTS).filter(([kind]) => !isReal || !TAKES_TIME.includes(kind))
    this.#chooser = new Chooser(random, this.world, Object.fromEntries(kinds))
  }

  fraction(): number {
    return this.#random.fraction()
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.fraction() * items.length)]!
  }

  name(): string {
    return `n${this.#number}-${Math.floor(this.fraction() * 100)}`
  }

  /** A request of the interface, or one that makes time go on. */
  ordinary(): [Method, string, unknown?] {
    const [ask] = this.#chooser.next(1) as [Ask]
    const [method, url, { body } = {}] = callOf(ask, '')
    if (body === undefined) return [method as Method, url]
    const field = NAMES[ask.kind]
    const named: Body = { ...body, ...(field === undefined ? {} : { [field]: this.name() }) }
    // It would stop by the clock of the machine.
    if (this.#isReal) delete named.auto_stop_minutes
    return [method as Method, url, named]
  }
}

/** What only tests do to a sandbox, and reads. */
const STRANGE_STEPS: readonly ((here: Place) => [Method, string, unknown?])[] = [
  () => ['GET', '/_mock/clock'],
  () => ['GET', '/_mock/state'],
  () => ['GET', '/workgroups'],
  () => ['GET', '/users'],
  (here) => [
    'POST',
    `/workgroups/${here.pick([...here.world.groups, NONE])}/allow_list`,
    { cidr: `192.168.${Math.floor(here.fraction() * 4)}.0/24`, note: here.name() }
  ],
  (here) => ['GET', `/workgroups/${here.pick([...here.world.groups, NONE])}/allow_list`],
  (here) => ['PUT', `/_mock/snapshots/${here.pick(['one', 'two'])}`],
  (here) => ['POST', `/_mock/snapshots/${here.pick(['one', 'two', 'three'])}/restore`],
  () => ['GET', '/_mock/snapshots'],
  (here) => ['DELETE', `/_mock/snapshots/${here.pick(['one', 'two'])}`],
  (here) => [
    'POST',
    '/_mock/reset',
    here.pick([undefined, { keep: ['journal'] }, { keep: ['faults', 'clock', 'transitions'] }])
  ],
  (here) => [
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
  () => ['GET', '/_mock/faults'],
  () => ['DELETE', '/_mock/faults'],
  // Where the clock runs, nothing may take time.
  (here) => [
    'PUT',
    '/_mock/transitions',
    {
      rules: TRANSITIONS.map((transition) => ({
        transition,
        after: 'PT0S',
        outcome: here.fraction() < 0.2 ? 'fail' : 'complete'
      }))
    }
  ],
  (here) => [
    'PUT',
    '/_mock/quotas',
    { rw_workspaces: here.pick([null, 1, 2, 5]), manual_backups: here.pick([null, 1, 3]) }
  ],
  () => ['GET', '/_mock/requests'],
  () => ['DELETE', '/_mock/requests'],
  (here) => ['POST', '/_mock/requests/verify', { operation: here.pick(OPERATIONS), times: { atLeast: 1 } }],
  () => ['GET', '/_mock/coverage'],
  () => ['GET', '/_mock/timeline'],
  () => ['GET', '/_mock/events']
]

import { TRANSITION_NAMES } from '../../src/profile/durations.js'
import { randomFrom } from '../../src/sim/random.js'
import type { Body, BuiltMock } from '../helper.js'
import { NONE } from '../sandbox.js'
import { callOf, Chooser, WEIGHTS, worldOf } from './race-chooser.js'
import { scaled, withoutChance } from './soak.js'

/** Steps of a life, and of a fork within it. */
const STEPS = { whole: scaled(20, 30), fork: 5 }

type Asked = [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown]

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

/** The initial state of a sandbox, with names, addresses and a clock that no other one has. */
const documentOf = (n: number): object => ({
  clock: { mode: n % 2 === 0 ? 'frozen' : 'poll', now: `${2100 + n}-06-01T00:00:00.000Z` },
  workgroups: [
    {
      id: 'g',
      name: `n${n}-main`,
      allow_list: { enabled: n % 3 === 0, entries: [{ cidr: `10.${n >> 8}.${n & 255}.0/24`, note: `n${n}-net` }] },
      workspaces: [
        {
          id: 'w',
          name: `n${n}-writer`,
          backups: [{ id: 'b', tag: `n${n}-tag` }],
          backup_schedule: { schedule: `0 */${1 + (n % 7)} * * *` }
        }
      ]
    }
  ]
})

interface Place {
  readonly fraction: () => number
  readonly pick: <T>(items: readonly T[]) => T
  /** A name that no other sandbox has. */
  readonly name: () => string
  readonly groups: () => ReadonlySet<string>
}

/**
 * Runs a script in a sandbox that depends only on a seed and its number. With `--seed`, all sandboxes draw the same
 * ids, so that a mix-up would show.
 * @returns every reply, without anything that depends on the machine's clock, a salt or the name of a fork
 */
export async function live(mock: BuiltMock, seed: number, number: number): Promise<string[]> {
  const random = randomFrom('isolation', seed, number)
  const fraction = () => random.fraction()
  const pick = <T>(items: readonly T[]): T => items[Math.floor(fraction() * items.length)]!
  const name = () => `n${number}-${Math.floor(fraction() * 100)}`
  const transcript: string[] = []

  async function send(key: string, ...[method, url, body]: Asked): Promise<Body> {
    const isSession = url.startsWith('/users')
    const id = `s${number}-${transcript.length}`
    const reply = await mock.call(method, url, {
      key: isSession ? null : key,
      headers: { 'x-request-id': id, ...(isSession ? { authorization: `Bearer ${key}` } : {}) },
      ...(url.startsWith('/workgroups') ? {} : { prefix: '' }),
      ...(body === undefined ? {} : { body })
    })
    // The rest of a report has durations.
    const text = JSON.stringify(url === '/_mock/report' ? reply.body.Result.left_behind : reply.body)
    const line = `${id} ${method} ${url} ${reply.status} ${withoutChance(text)}`
    transcript.push(
      line.replaceAll(/fork_[0-9a-f]{24}/g, 'fork').replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
    )
    return reply.body
  }

  async function part(key: string, steps: number, isWhole: boolean): Promise<void> {
    const world = worldOf(mock, key)
    const chooser = new Chooser(random, world, WEIGHTS)
    const here: Place = { fraction, pick, name, groups: () => world.groups }
    const ordinary = (): Asked => {
      const [method, url, { body } = {}] = callOf(chooser.next(1)[0]!, '')
      return [method as 'GET', url, body]
    }
    // Steps of more than one request; a fork has only the last of these.
    const upheavals: readonly (() => Promise<unknown>)[] = [
      async () => {
        const { Result: fork } = await send(key, 'POST', '/_mock/sandboxes', { from: pick(['baseline', 'one', 'two']) })
        if (fork === null) return
        await part(fork.key as string, STEPS.fork, false)
        if (fraction() < 0.7) await send(fork.key as string, 'DELETE', '/_mock/sandboxes')
      },
      async () => {
        // Its key gets a new sandbox, perhaps with the database key of a removed one.
        await send(key, 'DELETE', '/_mock/sandboxes')
        await send(key, 'PUT', '/_mock/seed', documentOf(number))
      },
      async () => {
        const { Result: state } = await send(key, 'GET', '/_mock/state')
        await send(key, ...ordinary())
        await send(key, 'PUT', '/_mock/state', state)
      }
    ]
    for (let step = 0; step < steps; step++) {
      const chance = fraction()
      if (chance < 0.75) await send(key, ...ordinary())
      else if (chance < 0.78) await pick(isWhole ? upheavals : upheavals.slice(-1))()
      else await send(key, ...pick(STRANGE_STEPS)(here))
    }
    for (const what of ['state', 'requests', 'coverage', 'report']) await send(key, 'GET', `/_mock/${what}`)
  }

  await send(`key ${number}`, 'PUT', '/_mock/seed', documentOf(number))
  await part(`key ${number}`, STEPS.whole, true)
  return transcript
}

/** Steps that only tests take, and reads. */
const STRANGE_STEPS: readonly ((here: Place) => Asked)[] = [
  () => ['GET', '/_mock/clock'],
  () => ['GET', '/_mock/state'],
  () => ['GET', '/workgroups'],
  () => ['GET', '/users'],
  (here) => [
    'POST',
    `/workgroups/${here.pick([...here.groups(), NONE])}/allow_list`,
    { cidr: `192.168.${Math.floor(here.fraction() * 4)}.0/24`, note: here.name() }
  ],
  (here) => ['GET', `/workgroups/${here.pick([...here.groups(), NONE])}/allow_list`],
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
  (here) => [
    'PUT',
    '/_mock/transitions',
    {
      rules: TRANSITION_NAMES.map((transition) => ({
        transition,
        after: here.pick(['PT0S', 'PT7S']),
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

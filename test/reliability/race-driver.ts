import { randomFrom } from '../../src/sim/random.js'
import { allowsChange, type Transition } from '../../src/sim/state-machine.js'
import type { Body, BuiltMock } from '../helper.js'
import { at, callsOf } from '../sandbox.js'
import { type Ask, callOf, Chooser, GROUP_WRITES, isRead, WEIGHTS, worldOf } from './race-chooser.js'
import { difference } from './soak.js'

/** Maximum number of concurrent requests. */
const AT_ONCE = 64

/**
 * Hashing a password takes a time that cannot be repeated, on another thread. The reply to a change of a workgroup is
 * read after the commit, together with later writes.
 */
const LEFT_OUT = ['createDatabaseUser', 'updateDatabaseUserPassword', 'deleteDatabaseUser', 'updateWorkgroup']
const KINDS = Object.fromEntries(
  Object.entries({ ...WEIGHTS, ...GROUP_WRITES }).filter(([kind]) => !LEFT_OUT.includes(kind))
)

/** The result for one seed. */
export interface Race {
  /** Differences from the same writes made one after the other. */
  readonly problems: readonly string[]
  /** All replies, the order of the writes, and the timeline. */
  readonly transcript: string
  /** The status of each reply. */
  readonly statuses: readonly number[]
}

/** Records the order in which a server makes the writes of its requests. @returns their RequestIDs */
export function writeOrder({ plane }: Pick<BuiltMock, 'plane'>): string[] {
  const ids: string[] = []
  for (const way of ['write', 'writeInSlices', 'tryInSlices'] as const) {
    const write = plane[way] as (...args: unknown[]) => unknown
    const noted = (origin: { id: string }, change: (turn: unknown) => unknown, ...rest: unknown[]) =>
      write(
        origin,
        (turn: unknown) => {
          // A change that takes more than a slice begins a second time.
          if (ids.includes(origin.id)) ids.splice(ids.indexOf(origin.id), 1)
          ids.push(origin.id)
          return change(turn)
        },
        ...rest
      )
    Object.assign(plane, { [way]: noted })
  }
  return ids
}

/**
 * Sends conflicting requests to a sandbox, round by round, and repeats their writes one after the other in a second
 * server with the same ids: replies, state and timeline must be the same. Everything follows from the seed.
 */
export async function race(
  mock: BuiltMock,
  order: string[],
  twin: BuiltMock,
  seed: number,
  count: number
): Promise<Race> {
  const key = `race-${seed}`
  const random = randomFrom('races', seed)
  const problems: string[] = []
  const transcript: string[] = []
  const statuses: number[] = []
  const [real, meant] = [callsOf(mock, key), callsOf(twin, key)]
  for (const { control } of [real, meant]) await control('PUT', '/clock', { mode: 'frozen', now: at(0) })
  const chooser = new Chooser(random, worldOf(twin, key), KINDS)
  const send = async (server: BuiltMock, ask: Ask) => {
    const { status, body } = await server.call(...callOf(ask, key))
    return { status, text: `${status} ${JSON.stringify(body)}` }
  }

  /** Sends requests at once, and repeats their writes in the twin. */
  async function round(asks: readonly Ask[]): Promise<void> {
    order.length = 0
    const replies = await Promise.all(
      asks.map(async (ask) => {
        // Some come a few turns of the event loop later, so that a round has several commits.
        for (let turns = Math.floor(random.fraction() * 4); turns > 0; turns--) await new Promise(setImmediate)
        return send(mock, ask)
      })
    )
    const textOf = new Map(asks.map(({ id }, index) => [id, replies[index]!.text]))
    const reads = asks.filter(({ kind }) => isRead(kind))
    const writes = new Map(asks.filter(({ kind }) => !isRead(kind)).map((ask) => [ask.id, ask]))
    // A read that has to wait for its turn makes an empty write.
    const made = order.filter((id) => writes.has(id))
    if (made.length !== writes.size) problems.push(`${writes.size} requests made ${made.length} writes`)
    // A read sees what is committed at some moment of the round.
    const unseen = new Set(reads)
    const look = async () => {
      for (const ask of unseen) if ((await send(twin, ask)).text === textOf.get(ask.id)) unseen.delete(ask)
    }
    await look()
    for (const id of made) {
      const { text } = await send(twin, writes.get(id)!)
      compare(JSON.stringify(writes.get(id)), textOf.get(id)!, text)
      await look()
    }
    for (const ask of unseen) problems.push(`${JSON.stringify(ask)} shows what never was: ${textOf.get(ask.id)}`)
    const states = await Promise.all([real, meant].map(({ controlResult }) => controlResult('GET', '/state')))
    compare('state', ...(states.map((state) => JSON.stringify(state)) as [string, string]))
    statuses.push(...replies.map(({ status }) => status))
    transcript.push(...replies.map(({ text }) => text), made.join(' '))
  }

  function compare(what: string, is: string, must: string): void {
    if (is !== must) problems.push(`${what}: ${difference(must, is)}`)
  }

  await round(chooser.beginning())
  await round(chooser.population())
  await round([chooser.advance(3000)])
  while (statuses.length < count && problems.length === 0)
    await round(chooser.next(Math.min(count - statuses.length, 1 + Math.floor(random.fraction() ** 2 * AT_ONCE))))
  await round([{ id: chooser.id(), kind: 'replaceTransitionRules', body: { rules: [] } }])
  await round([{ id: chooser.id(), kind: 'releaseTransitions', body: {} }])
  await round([{ id: chooser.id(), kind: 'advanceClock', body: { until: 'idle' } }])
  if (statuses.at(-1) !== 200) problems.push(`it does not come to an end: ${transcript.at(-2)}`)
  const rows = (await real.controlResult('GET', '/timeline')) as Body[]
  problems.push(...illegalChanges(rows, mock.plane.engine.transitions))
  transcript.push(JSON.stringify(rows))
  return { problems, transcript: transcript.join('\n'), statuses }
}

/**
 * The rows of a timeline that are out of order, do not continue the previous ones, or that no transition allows.
 * @param known how many a document brought as its past, to which later ones need not fit
 */
export function illegalChanges(
  timeline: readonly Body[],
  transitions: ReadonlyMap<string, Transition>,
  known = 0
): string[] {
  const current = new Map<string, string>()
  return timeline
    .filter(({ at, resource_id: id, transition: name, attribute, from, to }, index) => {
      if (index > 0 && at < timeline[index - 1]!.at) return true
      if (index < known || attribute === 'firing') return false
      const before = current.get(`${id} ${attribute}`) ?? from
      current.set(`${id} ${attribute}`, to as string)
      const transition = transitions.get(name as string)
      const isJob = name === 'restore.run' && [null, 'Pending', 'Running'].includes(from as string | null)
      const isAllowed = transition !== undefined && allowsChange(transition, from as string | null, to as string)
      return from !== before || !(isJob || isAllowed)
    })
    .map((row) => `not allowed: ${JSON.stringify(row)}`)
}

import { sandboxIdOf as sandboxId } from '../../src/lib/keys.js'
import { randomFrom } from '../../src/sim/random.js'
import { type Body, type BuiltMock, type Reply, until } from '../helper.js'
import { at, START } from '../sandbox.js'
import { type Ask, isNameless, Oracle, type Row } from './oracle.js'
import { callOf, Chooser, READS } from './race-chooser.js'

/** The most requests that are under way at once. */
const AT_ONCE = 64

/** What a run of one seed came to. */
export interface Race {
  /** What is not as the oracle says; nothing, if all is well. */
  readonly problems: readonly string[]
  /** Everything that a client and a reader of the timeline have seen, and in which order the writes were made. */
  readonly transcript: string
  /** The status of each reply. */
  readonly statuses: readonly number[]
}

/**
 * Hashing a password takes another thread, and a time that nobody can repeat: these write last in their round, in the
 * order of their ids.
 */
const HASHING = new Set(['createUser', 'setPassword'])

/** Notes the order in which a server makes the writes of its requests, and lets those that hash wait for their turn. */
export class WriteOrder {
  readonly ids: string[] = []
  readonly #late = new Map<string, () => void>()

  constructor({ plane }: Pick<BuiltMock, 'plane'>) {
    const { write, writeInSlices, tryInSlices } = plane
    plane.write = async (origin, change) => {
      if (origin.id.endsWith('-late'))
        await new Promise<void>((resolve) => {
          this.#late.set(origin.id, resolve)
        })
      return write(origin, (turn) => {
        this.ids.push(origin.id)
        return change(turn)
      })
    }
    plane.writeInSlices = (origin, change, isLong) =>
      writeInSlices(
        origin,
        (turn) => {
          this.ids.push(origin.id)
          return change(turn)
        },
        isLong
      )
    plane.tryInSlices = (origin, change) =>
      tryInSlices(origin, (turn) => {
        // What takes more than a slice is begun a second time.
        if (!this.ids.includes(origin.id)) this.ids.push(origin.id)
        return change(turn)
      })
  }

  /** Lets requests write that wait, when so many do. */
  async release(count: number): Promise<void> {
    await until(() => this.#late.size >= count)
    for (const [, go] of [...this.#late].sort(([a], [b]) => (a < b ? -1 : 1))) go()
    this.#late.clear()
  }
}

/**
 * Fires conflicting requests at a sandbox, round by round, and holds what comes of them against the oracle. All follows
 * from the seed.
 */
export async function race(mock: BuiltMock, order: WriteOrder, seed: number, count: number): Promise<Race> {
  const key = `race-${seed}`
  const random = randomFrom('races', seed)
  const problems: string[] = []
  const transcript: string[] = []
  const statuses: number[] = []
  const replies = new Map<string, Reply>()
  const send = (ask: Ask) => mock.call(...callOf(ask, key))
  await mock.call('PUT', '/clock', { key, body: { mode: 'frozen', now: at(0) }, prefix: '/_mock' })
  const orgUsers = mock.plane.storesOf(mock.plane.sandboxes.find(sandboxId(key))!).orgUsers.list()
  const oracle = new Oracle(START, orgUsers, (request) => givenId(replies, request))
  const chooser = new Chooser(random, oracle)

  /** Sends requests at once and lets the oracle judge. */
  async function round(asks: readonly Ask[]): Promise<void> {
    order.ids.length = 0
    const late = asks.filter(({ kind }) => HASHING.has(kind))
    const sent = asks.map(async (ask) => {
      // Some come a few turns of the event loop later, so that several commits lie within a round.
      for (let turns = Math.floor(random.fraction() * 4); turns > 0; turns--) await new Promise(setImmediate)
      const reply = await send(ask)
      replies.set(ask.id, reply)
    })
    await Promise.all(sent.filter((_, index) => !late.includes(asks[index]!)))
    await order.release(late.length)
    await Promise.all(sent)
    judge(asks)
  }

  function judge(asks: readonly Ask[]): void {
    const writes = asks.filter(({ kind }) => !READS.has(kind))
    const byId = new Map(asks.map((ask) => [ask.id, ask]))
    // A read that has to wait for its turn makes an empty write.
    const made = order.ids.filter((id) => !READS.has(byId.get(id)!.kind))
    if (made.length !== writes.length || new Set(made).size !== made.length)
      problems.push(`${writes.length} requests made ${made.length} writes`)
    // A read sees what is committed at some moment of the round.
    const seen = new Map<string, Set<string>>()
    const look = () => {
      for (const { id, status, refresh } of oracle.workspaces.values())
        seen.set(id, (seen.get(id) ?? new Set()).add(`${status} ${refresh}`))
    }
    const before = new Map(oracle.workspaces)
    look()
    for (const id of made) {
      const ask = byId.get(id)!
      const { status, message } = oracle.ask(ask)
      look()
      const reply = replies.get(id)!
      const text = (reply.body.Message as string | undefined) ?? ''
      if (reply.status !== status || (message !== '' && !text.startsWith(message))) {
        problems.push(`${describe(ask)} must be ${status} ${message}, but is ${reply.status} ${text}`)
      }
    }
    for (const ask of asks) {
      const { status, body } = replies.get(ask.id)!
      statuses.push(status)
      transcript.push(`${ask.id} ${status} ${JSON.stringify(body)}`)
      if (READS.has(ask.kind)) judgeRead(ask, status, body, before, seen)
    }
    transcript.push(made.join(' '))
    problems.push(...differences(mock, key, oracle))
  }

  function judgeRead(
    ask: Ask,
    status: number,
    body: Body,
    before: Oracle['workspaces'],
    seen: ReadonlyMap<string, ReadonlySet<string>>
  ): void {
    if (ask.workspace === undefined) {
      if (status !== 200 && status !== 404) problems.push(`${describe(ask)} is ${status}`)
      return
    }
    const states = seen.get(ask.workspace)
    const home = (before.get(ask.workspace) ?? oracle.workspaces.get(ask.workspace))?.group
    const mayBeGone =
      !oracle.workspaces.has(ask.workspace) ||
      !before.has(ask.workspace) ||
      (ask.kind !== 'listBackups' && ask.group !== home)
    if (status === 404 ? !mayBeGone : status !== 200 || states === undefined)
      problems.push(`${describe(ask)} is ${status}`)
    if (status !== 200 || ask.kind !== 'getWorkspace') return
    const state = `${body.Result.status} ${body.Result.refresh_status}`
    if (states?.has(state) !== true) problems.push(`${describe(ask)} shows ${state}, which it was not`)
  }

  await round(chooser.beginning())
  await round(chooser.population())
  await round([chooser.advance(3000)])
  while (statuses.length < count && problems.length === 0) {
    await round(chooser.next(Math.min(count - statuses.length, 1 + Math.floor(random.fraction() ** 2 * AT_ONCE))))
  }
  await round([{ id: chooser.id(), kind: 'rules', body: { rules: [] } }])
  await round([{ id: chooser.id(), kind: 'release', body: {} }])
  await round([{ id: chooser.id(), kind: 'settle' }])
  const ended = replies.get(chooser.lastId)!
  if (ended.status !== 200) problems.push(`it does not come to an end: ${ended.body.Message}`)
  const {
    body: { Result: rows }
  } = await mock.call('GET', '/timeline', { key, prefix: '/_mock' })
  problems.push(...differencesOfTimelines(rows as Row[], oracle.timeline))
  transcript.push(JSON.stringify(rows))
  return { problems, transcript: transcript.join('\n'), statuses }
}

/** The id that the server gave to what a request has created. */
function givenId(replies: ReadonlyMap<string, Reply>, request: string): string {
  const [id, what] = request.split(' ')
  const result = replies.get(id!)?.body.Result
  if (what === 'database') return String(result?.database_id)
  return String(typeof result === 'string' ? result : (result?.workspace_id ?? result?.workgroup_id ?? result?.id))
}

/** What of the state of a sandbox is not as the oracle says. */
function differences({ plane }: BuiltMock, key: string, oracle: Oracle): string[] {
  const sandbox = plane.sandboxes.find(sandboxId(key))!
  const { workspaces, databaseUsers, backups, workgroups, databases } = plane.storesOf(sandbox)
  const meant = [...oracle.workspaces.values()]
  const text = (...values: unknown[]) => values.join(' ')
  const backupText = (b: { status: string; isAutomatic: boolean }) => text(b.status, b.isAutomatic)
  const events = plane.engine.dueEvents.list(sandbox.key).sort((a, b) => a.sequence - b.sequence)
  const parts: Readonly<Record<string, [real: string[], meant: string[]]>> = {
    workspaces: [
      [...workspaces.pages()].flat().map((w) => {
        const { id, status, refreshStatus, typeName, enableHa, enableAutoStart, autoStopMinutes, lastActive } = w
        return text(id, status, refreshStatus, typeName, enableHa, enableAutoStart, autoStopMinutes, lastActive)
      }),
      meant.map((w) => text(w.id, w.status, w.refresh, w.type, w.ha, w.autoStart, w.autoStop, w.lastActive))
    ],
    users: [
      meant.flatMap(({ id }) => databaseUsers.list(id).map(({ username }) => text(id, username))),
      meant.flatMap(({ id, users }) => [...users].map((username) => text(id, username)))
    ],
    backups: [
      meant.map(({ id }) => text(id, ...backups.list(id).map(backupText))),
      meant.map(({ id, backups }) => text(id, ...backups.map(backupText)))
    ],
    workgroups: [workgroups.list().map(({ id }) => id), [...oracle.groups]],
    databases: [databases.list().map(({ id }) => id), [...oracle.databases.keys()]]
  }
  return [
    ...Object.entries(parts).flatMap(([what, [real, meant]]) => compare(what, real.sort(), meant.sort())),
    // In the order in which they were planned.
    ...compare(
      'events',
      events.map(({ kind, resource, due, requestId }) => text(kind, resource, due ?? Infinity, requestId)),
      oracle.events.map(({ kind, resource, due, cause }) => text(kind, resource, due, cause))
    )
  ]
}

function compare(what: string, real: readonly string[], meant: readonly string[]): string[] {
  const index = Array.from({ length: Math.max(real.length, meant.length) }).findIndex((_, i) => real[i] !== meant[i])
  return index < 0 ? [] : [`${what}: ${real[index]} must be ${meant[index]}`]
}

/** Compares timelines row by row. What the oracle has no id for must have one of its own, always the same. */
function differencesOfTimelines(real: readonly Row[], meant: readonly Row[]): string[] {
  const names = new Map<string, string>()
  const text = ({ at, resource_id, transition, attribute, from, to, reason, request_id }: Row) =>
    [at, resource_id, transition, attribute, from, to, reason, request_id].join(' ')
  const named = meant.map((row, index) => {
    if (!isNameless(row.resource_id)) return row
    const id = names.get(row.resource_id) ?? real[index]?.resource_id ?? ''
    names.set(row.resource_id, id)
    return { ...row, resource_id: id }
  })
  const isDistinct = new Set(names.values()).size === names.size
  return [...compare('timeline', real.map(text), named.map(text)), ...(isDistinct ? [] : ['one id for two backups'])]
}

const describe = ({ id, kind, group: _, ...rest }: Ask) => `${id} ${kind} ${JSON.stringify(rest)}`

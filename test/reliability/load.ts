import { Agent } from 'node:http'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { exportState } from '../../src/documents/export.js'
import type { StateDocument } from '../../src/documents/schemas.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import { type Random, randomFrom } from '../../src/sim/random.js'
import { openControlPlane } from '../../src/test-control/open-control-plane.js'
import { type Body, buildMock, type BuiltMock, type Reply } from '../helper.js'
import { send } from '../raw-http.js'
import { at, type Calls, callsOf } from '../sandbox.js'
import { type Ask, callOf, Chooser, GROUP_WRITES, isRead, WEIGHTS, type World, worldOf } from './race-chooser.js'
import { difference, withoutChance } from './soak.js'

// Writes from many connections at once, each to its own sandbox. A server in memory makes all of them first, to predict
// each reply and the state after it, with which the state after a crash is compared.

/** Options of a server for a load: its sandboxes draw the same ids as those of the server in memory. */
export const SERVED = ['--seed', '1', '--log-level', 'error']

export const CONNECTIONS = 16
/** A document whose rows all bear its name, to detect a sandbox that was replaced only in part. */
const wholeOf = (name: string) => ({
  clock: { mode: 'frozen', now: at(0) },
  workgroups: Array.from({ length: 20 }, (_, index) => ({
    id: `g${index}`,
    name,
    workspaces: [{ id: `w${index}`, name, status: 'Pausing' }]
  }))
})

const agent = new Agent({ keepAlive: false })

/** Calls the control API of a server. @throws if it does not succeed */
export async function control(
  url: string,
  key: string,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: unknown
): Promise<Body> {
  const reply = await send(agent, `${url}/_mock${path}`, method, { 'x-api-key': key }, body)
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.Result
}

/** A state of a sandbox, and the write that led to it. */
interface Moment {
  readonly ask?: Ask
  readonly state: string
}

/** A planned request, and the state after it. */
interface Step extends Moment {
  readonly ask: Ask
  /** The expected reply. */
  readonly reply: string
}

export interface Verdict {
  readonly faults: string[]
  /** Number of writes without a reply that were made. */
  carriedOut: number
  /** Number of writes without a reply that were not made. */
  notCarriedOut: number
}

/** The state of a sandbox without anything that depends on chance or failed writes. Empty until its clock is frozen. */
function textOf(state: StateDocument | undefined): string {
  if (state?.clock?.mode !== 'frozen') return ''
  return withoutChance(JSON.stringify({ ...state, random: undefined }))
}

const textOfReply = ({ status, body }: Pick<Reply, 'status' | 'body'>) =>
  `${status} ${withoutChance(JSON.stringify(body))}`

/** One connection, and its sandbox. */
class Client {
  readonly key: string
  readonly #mock: BuiltMock
  /** The sandbox in memory. */
  readonly #twin: Calls
  readonly #world: World
  readonly #random: Random
  readonly #chooser: Chooser
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #plan: Step[] = []
  /** Confirmed states, with {@link Load.position} at the time of the reply. */
  #confirmed: (Moment & { readonly position: number })[] = [{ state: '', position: -1 }]
  /** The write without a reply. */
  #unanswered: Step | undefined
  /** A 503 invalidates the plan: the write may have used up ids. */
  #isRefused = false

  constructor(mock: BuiltMock, key: string) {
    this.key = key
    this.#mock = mock
    this.#twin = callsOf(mock, key)
    this.#world = worldOf(mock, key)
    this.#random = randomFrom('load', key)
    const writes = Object.fromEntries(Object.entries(WEIGHTS).filter(([kind]) => !isRead(kind)))
    this.#chooser = new Chooser(this.#random, this.#world, { ...writes, ...GROUP_WRITES })
  }

  /** Completes the plan to a number of requests. */
  async prepare(count: number): Promise<void> {
    while (this.#plan.length < count) await this.#add(this.#choose())
  }

  #choose(): Ask {
    const { groups, workspaces } = this.#world
    if (groups.size === 0 && this.#plan.at(-1)?.ask.kind !== 'setClock')
      return { id: this.#chooser.id(), kind: 'setClock', body: { mode: 'frozen', now: at(0) } }
    if (groups.size < 2) return this.#chooser.beginning()[0]!
    if (workspaces.size < 2) return this.#chooser.population()[0]!
    if (this.#random.fraction() < 0.04) {
      const id = this.#chooser.id()
      return { id, kind: 'replaceState', body: wholeOf(id) }
    }
    return this.#chooser.next(1)[0]!
  }

  async #add(ask: Ask): Promise<void> {
    const reply = textOfReply(await this.#mock.call(...callOf(ask, this.key)))
    this.#plan.push({ ask, reply, state: textOf(await this.#twin.controlResult('GET', '/state')) })
  }

  /** Makes the requests of the plan. @throws if a reply differs from the expected one */
  async play(load: Load, url: string, isEnough: () => boolean): Promise<void> {
    while (this.#plan.length > 0 && !this.#isRefused && !isEnough()) {
      const step = (this.#unanswered = this.#plan.shift()!)
      const [method, path, { headers = {}, key, body } = {}] = callOf(step.ask, this.key)
      const credential = key === null ? {} : { 'x-api-key': this.key }
      const reply = await send(this.#agent, url + path, method, { ...credential, ...headers }, body).catch(
        () => undefined
      )
      if (reply === undefined) return
      this.#unanswered = undefined
      if (reply.status === 503) {
        this.#isRefused = true
        this.#plan.unshift(step)
        load.refuse(reply)
      } else {
        const seen = textOfReply(reply)
        if (seen !== step.reply)
          throw new Error(`${JSON.stringify(step.ask)} is answered otherwise: ${difference(step.reply, seen)}`)
        load.acknowledged++
        this.#confirmed.push({ state: step.state, ask: step.ask, position: load.position() })
      }
    }
  }

  async judge(found: StateDocument | undefined, position: number, verdict: Verdict): Promise<void> {
    const index = this.#confirmed.findLastIndex((entry) => entry.position <= position)
    const { state } = this.#confirmed[index]!
    const next = this.#confirmed[index + 1] ?? this.#unanswered
    const text = textOf(found)
    if (text === state) {
      if (next !== undefined && next.state !== state) verdict.notCarriedOut++
    } else if (next !== undefined && (text === next.state || (await this.#isOnTheWay(found, next)))) {
      verdict.carriedOut++
    } else {
      const states = next === undefined ? [state] : [state, next.state]
      verdict.faults.push(`${this.key}: ${states.map((one) => difference(one, text)).join(', and ')}`)
    }
  }

  /** Whether a state is a moment of a move of the clock, from which the move can be completed. */
  async #isOnTheWay(found: StateDocument | undefined, { ask, state }: Moment): Promise<boolean> {
    if (found === undefined || ask?.kind !== 'advanceClock') return false
    const { control, controlResult } = callsOf(this.#mock, `${this.key}-repeated`)
    await controlResult('PUT', '/state', found)
    const { clock } = JSON.parse(state) as StateDocument
    await control('POST', '/clock/advance', { to: clock!.now })
    return textOf(await controlResult('GET', '/state')) === state
  }

  /** Continues from a found state, after its transitions have ended. Without one, the plan begins again. */
  async accept(found: StateDocument | undefined): Promise<void> {
    this.#isRefused = false
    if (found === undefined && this.#unanswered !== undefined) this.#plan.unshift(this.#unanswered)
    this.#unanswered = undefined
    if (found === undefined) return
    this.#plan = []
    this.#confirmed = [{ state: textOf(found), position: -1 }]
    await this.#twin.controlResult('PUT', '/state', found)
    if (textOf(found) !== '') await this.#add(this.#chooser.advance(120_000))
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Reads the sandbox of a key, if there is one. */
type Find = (key: string) => Promise<StateDocument | undefined>

export class Load {
  acknowledged = 0
  /** Number of writes with a 503. */
  unavailable = 0
  /** Message of the last 503. */
  reason = ''
  /** Current length of the log of disk writes. */
  readonly position: () => number
  readonly #clients: readonly Client[]
  #found: (StateDocument | undefined)[] = []

  private constructor(mock: BuiltMock, name: string, position = () => 0) {
    this.position = position
    this.#clients = Array.from({ length: CONNECTIONS }, (_, index) => new Client(mock, `${name}-${index}`))
  }

  /** A load that ends with the test. */
  static async begin(t: Test, name: string, position?: () => number): Promise<Load> {
    const mock = await buildMock(t, { seed: 1 })
    const load = new Load(mock, name, position)
    t.teardown(() => load.#clients.forEach((client) => client.close()))
    for (const { key } of load.#clients) await mock.plane.sandboxes.open(sandboxIdOf(key))
    return load
  }

  /** Notes a 503. */
  refuse({ body }: Pick<Reply, 'body'>): void {
    this.unavailable++
    this.reason = body.Message as string
  }

  /** Plans requests for each connection ahead, so that playing them keeps only the server busy. */
  async prepare(count: number): Promise<void> {
    for (const client of this.#clients) await client.prepare(count)
  }

  /** Makes the planned requests until the server is gone, a write is a 503, or `isEnough` returns true. */
  async play(url: string, isEnough: () => boolean = () => false): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.play(this, url, isEnough)))
  }

  /** Compares found states with those confirmed by a position. */
  async #judge(find: Find, position = Infinity): Promise<Verdict> {
    const verdict: Verdict = { faults: [], carriedOut: 0, notCarriedOut: 0 }
    this.#found = await Promise.all(this.#clients.map(({ key }) => find(key)))
    for (const [index, client] of this.#clients.entries()) await client.judge(this.#found[index], position, verdict)
    return verdict
  }

  /** Judges the sandboxes of a server. */
  judgeServer(url: string): Promise<Verdict> {
    return this.#judge((key) => control(url, key, 'GET', '/state') as Promise<StateDocument>)
  }

  /** Judges a file, and the sandboxes that a server finds in it. */
  async judgeFile(db: string, position?: number): Promise<Verdict> {
    const plane = openControlPlane(checkOptions({ db }, embeddedDefaults()))
    const verdict = await this.#judge(async (key) => {
      const sandbox = plane.sandboxes.find(sandboxIdOf(key))
      return sandbox && exportState(plane, sandbox)
    }, position)
    plane.close()
    return { ...verdict, faults: [...damageOf(db), ...verdict.faults] }
  }

  /** Continues from the found states. */
  async accept(): Promise<void> {
    for (const [index, client] of this.#clients.entries()) await client.accept(this.#found[index])
  }
}

/** The damage that SQLite finds in a closed database. */
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

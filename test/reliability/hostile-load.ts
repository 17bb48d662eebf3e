import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Agent, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, CONTROLLER } from '../helper.js'
import { beginningOf, headOf, sendBy } from '../raw-http.js'
import { stuffed } from './hostile-requests.js'

// Attacks on a server, to run all at once. Each continues until the target is over.

interface Ask {
  readonly method?: string
  readonly path: string
  readonly key?: string
  /** A text is sent as it is. */
  readonly body?: string | object | undefined
}

const WORKGROUPS = `${CONTROLLER}/workgroups`
const STATE = '/_mock/state'
const MIB = 2 ** 20
/** Maximum time for a complete reply. */
const PATIENCE = 60_000
/** The longest reply that is checked for the envelope. */
const READABLE = 4 * MIB

/** The attacked server, with the outcomes. */
export class Target {
  readonly statuses = new Map<string, number>()
  readonly problems: string[] = []
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  readonly #sockets = new Set<Socket>()
  readonly #end = new AbortController()

  /** @param secret a text of another sandbox, which no reply may contain */
  constructor(
    readonly url: URL,
    /** Workspaces in a large sandbox, clients of one kind, and milliseconds between two strokes of an attack. */
    readonly scale: Readonly<Record<'workspaces' | 'clients' | 'pause', number>>,
    private readonly secret: string
  ) {
    setMaxListeners(0, this.#end.signal)
  }

  get isOver(): boolean {
    return this.#end.signal.aborted
  }

  /** Ends all attacks. Clients that only hold a connection keep it. */
  end(): void {
    this.#end.abort()
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Waits, but not beyond the end. */
  async pause(milliseconds = this.scale.pause): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#end.signal }).catch(() => undefined)
  }

  /** Repeats a stroke until it is over. */
  async again(stroke: (round: number) => Promise<unknown>, pause?: number): Promise<void> {
    for (let round = 0; !this.isOver; round++) {
      await stroke(round)
      await this.pause(pause)
    }
  }

  /**
   * Makes a request, and notes the problems of its reply.
   * @returns the parsed reply; undefined if there is none, or it is long
   */
  async ask(ask: Ask): Promise<Body> {
    const inTime = AbortSignal.timeout(PATIENCE)
    let outcome = 'no reply'
    let reply: IncomingMessage | undefined
    let received: Body
    try {
      const { method, path, key, body } = ask
      const headers = key === undefined ? {} : { 'x-api-key': key }
      const signal = AbortSignal.any([this.#end.signal, inTime])
      const target = new URL(path, this.url)
      reply = await sendBy(this.#agent, target, method ?? (body === undefined ? 'GET' : 'POST'), headers, body, signal)
      outcome = 'half a reply'
      received = await this.#read(reply, ask)
      outcome = String(reply.statusCode)
    } catch (error) {
      // Errors of a connection or a signal have a code; all others are bugs in this test.
      if ((error as { code?: unknown }).code === undefined) throw error
      if (inTime.aborted) outcome = 'none in time'
      reply = undefined
    }
    if (!this.isOver) this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1)
    if (reply !== undefined) this.#look(ask, reply, received)
    return received
  }

  async #read(reply: IncomingMessage, { method = '', path }: Ask): Promise<Body> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length <= READABLE) chunks.push(chunk)
      if (chunk.includes(this.secret)) this.problems.push(`${method} ${path} shows what belongs to another sandbox`)
    }
    return length <= READABLE ? parse(Buffer.concat(chunks).toString()) : undefined
  }

  /** Opens a connection, writes to it, and never reads from it. Closes it after some time. */
  hold(bytes: string | Buffer, milliseconds = PATIENCE): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port) })
    this.#sockets.add(socket)
    const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
    socket
      .pause()
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(timer)
        this.#sockets.delete(socket)
      })
      .write(bytes)
    return socket
  }

  #look({ method = '', path }: Ask, { statusCode, headers }: IncomingMessage, body: Body): void {
    if (statusCode! < 400 || method === 'HEAD') return
    const what = `${method} ${path.slice(0, 100)}: ${statusCode}`
    const isEnvelope =
      body?.Error === true &&
      Array.isArray(body.ErrorDetails) &&
      typeof body.Message === 'string' &&
      body.RequestID === headers['x-request-id']
    if (!isEnvelope) this.problems.push(`${what} without the envelope: ${JSON.stringify(body ?? null).slice(0, 300)}`)
    else if (statusCode === 500) this.problems.push(`${what}: ${JSON.stringify(body).slice(0, 300)}`)
  }
}

/** Parses JSON; undefined if the text is not JSON. */
function parse(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A document with a number of workspaces. */
function documentOf(count: number, workspace: object = {}, rest: object = {}): object {
  const sizes = Array.from({ length: Math.ceil(count / 1000) }, (_, group) => Math.min(1000, count - group * 1000))
  return { ...rest, workgroups: sizes.map((length) => ({ workspaces: Array<object>(length).fill(workspace) })) }
}

const everyMinute = {
  backup_schedule: { schedule: '* * * * *', max_backup_files: 1_000_000, max_reserved_days: 1_000_000 }
}
const fewEveryMinute = { backup_schedule: { schedule: '* * * * *', max_backup_files: 3 } }
const asked =
  (method: string) =>
  (path: string, key: string, body?: object | string): Ask => ({ method, path, key, body })
const [put, post] = [asked('PUT'), asked('POST')]

/** Fills a large sandbox. @returns its key */
async function large(target: Target, key: string): Promise<string> {
  await target.ask(put(STATE, key, documentOf(target.scale.workspaces)))
  return key
}

export const ATTACKS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  'bodies of a MiB, of elements that are wrong': (target) =>
    target.again(async (round) => {
      const [method, path, before, item, after = ']}'] = [
        ['POST', `${WORKGROUPS}/none/workspaces`, '{"addons":[', '{}'],
        ['PUT', STATE, '{"timeline":[', '{}'],
        ['PUT', STATE, '{"workgroups":[{"workspaces":[', '{"a":1}', ']}]}'],
        ['PUT', STATE, '{"events":[', '{}'],
        ['PUT', '/_mock/transitions', '{"rules":[', '{}'],
        ['PUT', '/_mock/seed', '{"org_users":[', '{}'],
        ['POST', '/_mock/requests/verify', '{"times":{},"a":[', '1']
      ][round % 7] as [string, string, string, string, string?]
      await target.ask({ method, path, key: 'wrong', body: stuffed(before, item, after, MIB) })
    }),

  'large documents, right and wrong': (target) =>
    target.again(async (round) => {
      const { workspaces } = target.scale
      const rows = stuffed(
        '{"timeline":[',
        '{"at":"2026-01-01T00:00:00Z","resource_id":"w","transition":"t","attribute":"a",' +
          '"from":null,"to":"b","reason":null}',
        ']}',
        workspaces * 500
      )
      const documents = [
        documentOf(workspaces),
        documentOf(workspaces * 4),
        rows,
        documentOf(workspaces, { backups: Array<object>(20).fill({}) }),
        documentOf(workspaces, { status: 'Nowhere' })
      ]
      await target.ask(put(STATE, 'documents', documents[round % documents.length]))
      await target.ask({ path: STATE, key: 'documents' })
    }),

  'pipelined requests whose replies are never read': async (target) => {
    const key = await large(target, 'pipelined')
    await target.again(async (round) => {
      target.hold(headOf('GET', [WORKGROUPS, STATE, '/_mock/overview'][round % 3]!, key).repeat(3000))
    }, target.scale.pause * 4)
  },

  'clients that never read': async (target) => {
    const key = await large(target, 'unread')
    await target.again(async () => {
      for (let i = 0; i < target.scale.clients; i++) target.hold(headOf('GET', i % 2 === 0 ? WORKGROUPS : STATE, key))
    }, target.scale.pause * 8)
  },

  'clients that send a byte now and then': async (target) => {
    const starts = ['GET /_mock/ready HTTP/1.1\r\nHost: l', beginningOf('POST', WORKGROUPS, 'slow', 100_000, '{')]
    let slow: Socket[] = []
    await target.again(async (round) => {
      slow = slow.filter((socket) => !socket.destroyed)
      if (slow.length < target.scale.clients * 4) slow.push(target.hold(starts[round % 2]!, PATIENCE * 10))
      for (const socket of slow) socket.write(' ')
    })
  },

  'uploads that break off': (target) =>
    target.again(async (round) => {
      const [method, path] = round % 2 === 0 ? (['POST', WORKGROUPS] as const) : (['PUT', STATE] as const)
      const socket = target.hold(beginningOf(method, path, 'broken', MIB, ' '.repeat(MIB / 2)))
      await target.pause()
      if (round % 3 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }),

  'new keys without end': (target) =>
    target.again(async (round) => {
      const key = `new-${randomUUID()}`
      const reply = await target.ask(post(WORKGROUPS, key, { cloud_provider_id: 'a' }))
      const id = reply?.Result?.workgroup_id as string | undefined
      if (round % 4 === 0 && id !== undefined) await target.ask(post(`${WORKGROUPS}/${id}/workspaces`, key, {}))
    }, target.scale.pause / 10),

  'snapshots without end': async (target) => {
    await target.ask(put(STATE, 'snapshots', documentOf(target.scale.workspaces / 10)))
    await target.again(async (round) => {
      await target.ask(put(`/_mock/snapshots/s-${round}`, 'snapshots'))
      if (round % 20 === 0) await target.ask(post(`/_mock/snapshots/s-${round}/restore`, 'snapshots'))
    })
  },

  'a clock that races, with schedules': (target) =>
    target.again(async (round) => {
      const behind = {
        workgroups: [{ workspaces: [{ id: 'w', ...fewEveryMinute }] }],
        events: [{ event: 'backup.schedule', workspace_id: 'w', due: '1996-01-01T00:00:00Z' }]
      }
      if (round % 60 === 0)
        await target.ask(
          put(STATE, 'racing', documentOf(30, fewEveryMinute, { clock: { mode: 'real', rate: 1_000_000 } }))
        )
      if (round % 60 === 30) await target.ask(put(STATE, 'racing', behind))
      await target.ask({ path: WORKGROUPS, key: 'racing' })
    }),

  'moves of a clock': (target) =>
    target.again(async (round) => {
      const clock = { mode: 'frozen', now: '2026-01-01T00:00:00Z' }
      const move = (body: object) => target.ask(post('/_mock/clock/advance', 'moved', body))
      if (round % 12 === 0) await target.ask(put(STATE, 'moved', documentOf(30, fewEveryMinute, { clock })))
      if (round % 12 === 6)
        await target.ask(
          put(STATE, 'moved', documentOf(target.scale.workspaces / 4, { status: 'Creating' }, { clock }))
        )
      if (round % 12 === 8) await target.ask(put(STATE, 'moved', documentOf(2, everyMinute, { clock })))
      await Promise.all([
        move(round % 3 === 0 ? { until: 'idle' } : { by: 'P1D' }),
        target.ask({ path: '/_mock/overview', key: 'moved' })
      ])
    }),

  'forks and removals': async (target) => {
    await target.ask(put(STATE, 'forked', documentOf(target.scale.workspaces / 5)))
    await target.ask(put('/_mock/snapshots/one', 'forked'))
    await target.again(async (round) => {
      const reply = await target.ask(
        post('/_mock/sandboxes', 'forked', { from: 'one', ttl: round % 3 === 0 ? 'PT10S' : 'PT1H' })
      )
      const key = reply?.Result?.key as string | undefined
      if (key === undefined) return
      await target.ask({ path: '/_mock/overview', key })
      if (round % 3 !== 0) await target.ask({ method: 'DELETE', path: '/_mock/sandboxes', key })
    }, target.scale.pause * 2)
  },

  'journals that are stuffed': (target) =>
    target.again(async (round) => {
      const item = ['{}', '[]', '{"a":{}}', '""'][round % 4]!
      const body = stuffed('{"cloud_provider_id":"a","more":[', item, ']}', MIB)
      await target.ask(post(WORKGROUPS, `stuffed-${round % 40}`, body))
      if (round % 5 === 0) await target.ask({ path: '/_mock/requests', key: `stuffed-${round % 40}` })
    }),

  'large reads, all at once': async (target) => {
    const key = await large(target, 'read')
    await target.again(async () => {
      const paths = [WORKGROUPS, '/_mock/overview', STATE, '/_mock/report', '/_mock/timeline', '/_mock/events']
      await Promise.all(
        Array.from({ length: target.scale.clients }, (_, index) =>
          target.ask({ path: paths[index % paths.length]!, key })
        )
      )
    }, target.scale.pause * 4)
  },

  'passwords and resets': (target) =>
    target.again(async (round) => {
      const users = Array.from({ length: Math.ceil(target.scale.workspaces / 50) }, (_, index) => ({
        username: `user-${index}`,
        password: 'secret'
      }))
      await target.ask(
        round % 4 === 0 ? put('/_mock/seed', 'passwords', documentOf(1, { users })) : post('/_mock/reset', 'passwords')
      )
    }, target.scale.pause * 4),

  'listeners that never read': (target) =>
    target.again(async () => {
      for (let i = 0; i < 64; i++) target.hold(headOf('GET', '/_mock/stream', 'heard'))
      for (let i = 0; i < 200 && !target.isOver; i++)
        await target.ask(post(WORKGROUPS, 'heard', { cloud_provider_id: 'a', name: 'x'.repeat(250) }))
      await target.ask(post('/_mock/reset', 'heard'))
    })
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { CONTROLLER, sendJson, startServer } from '../helper.js'
import { plainEnvironment } from '../programs.js'
import { temporaryFolder } from '../temporary.js'
import { GAUGED, memoryAfterCollection } from './gauge.js'
import { ATTACKS, Target } from './hostile-load.js'
import { isSoak, publish, scaled, seed } from './soak.js'

// All attacks at once, against a server with little memory and a log that nobody reads, while a client with a quiet
// sandbox is served. MINUTES=<n> sets the duration, LOG=read reads the log, ONLY=<part of a name> selects attacks.

const MINUTES = Number(process.env['MINUTES'] ?? scaled(0.1, 60))
const ONLY = process.env['ONLY'] ?? ''
const IS_LOG_READ = process.env['LOG'] === 'read'
const isLong = MINUTES >= 1
const HEAP_MIB = 384
const PROBE_MS = 50
/** Maximum time that a quiet key waits, once the server has served each kind of request. */
const LIMIT_MS = 250
/** Maximum time that a new connection waits: the event loop accepts one per turn. */
const CONNECT_LIMIT_MS = 5000
/** Attackers would be on other machines; here, they must not take the server's time. */
const ATTACKERS_PRIORITY = 10
/** Ends the test before the disk is full. */
const MOST_BYTES = 16 * 2 ** 30

interface Waits {
  readonly longest: number
  readonly failures: Readonly<Record<string, number>>
}

/** How long each kind of request of a quiet key waited. */
type Probe = Readonly<Record<'read' | 'create' | 'connect', Waits>>

/** Starts a client with a quiet sandbox, in a process of its own. */
async function startProbe(t: Test, url: URL, key: string) {
  const child = fork(
    fileURLToPath(new URL('../../bench/probe.js', import.meta.url)),
    [url.origin, key, String(PROBE_MS), 'read', 'connect', 'create'],
    { env: plainEnvironment(), execArgv: [] }
  )
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return async () => {
    const reply = once(child, 'message')
    child.send('report')
    const [waits] = (await reply) as [Probe]
    return waits
  }
}

/** Memory of a process in MiB. */
function memoryOf({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Bytes of all files of a database. */
function sizeOf(db: string): number {
  return ['', '-wal', '-journal'].reduce(
    (bytes, suffix) => bytes + (statSync(`${db}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

void t.test(
  'under any load, a server with little memory survives, and serves quiet clients',
  { skip: process.platform === 'linux' ? false : 'needs /proc', timeout: (MINUTES + 3) * 60_000 },
  async (t) => {
    t.comment(`SEED=${seed} MINUTES=${MINUTES}`)
    const folder = temporaryFolder(t)
    const db = join(folder, 'mock.db')
    // With one helper thread, as `npm start` and the image have it.
    const node = [`--max-old-space-size=${HEAP_MIB}`, '--v8-pool-size=1']
    const server = await startServer(t, ['--db', db], {}, [process.execPath, ...node, ...GAUGED])
    if (!IS_LOG_READ) server.child.stdout!.pause()
    const url = new URL(server.url)
    const quiet = `quiet-${seed}`
    const probe = await startProbe(t, url, quiet)
    const scale = isLong
      ? { workspaces: 10_000, clients: 50, pause: 200 }
      : { workspaces: 400, clients: 10, pause: 100 }
    const target = new Target(url, scale, quiet)
    t.teardown(() => target.close())
    const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null
    void server.exited.then(() => target.end())

    setPriority(ATTACKERS_PRIORITY)
    const attacks = Object.entries(ATTACKS)
      .filter(([name]) => name.includes(ONLY))
      .map(([, attack]) => attack(target))
    const rows: (Probe & { readonly rss: number; readonly disk: number })[] = []
    const part = isLong ? 60_000 : MINUTES * 30_000
    for (let at = part; at <= MINUTES * 60_000 && !target.isOver; at += part) {
      await target.pause(part)
      if (hasEnded()) break
      rows.push({ ...(await probe()), rss: memoryOf(server.child), disk: sizeOf(db) / 2 ** 20 })
      if (isLong) t.comment(JSON.stringify(rows.at(-1)))
      if (sizeOf(db) > MOST_BYTES) break
    }
    target.end()
    await Promise.all(attacks)

    t.comment(JSON.stringify({ statuses: Object.fromEntries(target.statuses), rows }))
    if (hasEnded()) {
      t.fail(`the server has ended with ${JSON.stringify(await server.exited)}`, {
        errors: server.errors().slice(-3000)
      })
      return
    }
    const answer = await fetch(new URL(`${CONTROLLER}/workgroups`, url), {
      headers: { 'x-api-key': `${quiet}-read` },
      signal: AbortSignal.timeout(60_000)
    }).catch(async (error: unknown) => {
      // A process that was aborted takes a moment to be gone.
      const end = await Promise.race([server.exited, sleep(3000, 'has not ended')])
      t.fail('it still answers', { error, end, errors: server.errors().slice(-3000) })
    })
    if (answer === undefined) return
    const read = await answer.json()
    t.match(read, { Error: false, Result: [{ name: `only for ${quiet}` }] }, 'with what the quiet key had left')
    const problems = [...new Set(target.problems)].slice(0, 10)
    t.strictSame(problems, [], 'every refusal came in the envelope, and nothing of another sandbox')
    const failures = rows.flatMap(({ read, create, connect }) => [read, create, connect].map((waits) => waits.failures))
    t.strictSame(Object.assign({}, ...failures), {}, 'the quiet key was always served')

    const memory = await memoryAfterCollection(server)
    const kept = (memory.heapUsed + memory.external) / 2 ** 20
    t.ok(kept < 0.8 * HEAP_MIB, `afterwards it keeps ${Math.round(kept)} MiB`)

    // Idle connections are still open, and a clock is being moved.
    const began = performance.now()
    void sendJson('POST', `${url.origin}/_mock/clock/advance`, { 'x-api-key': 'moved' }, { by: 'P30D' }).catch(
      () => undefined
    )
    await sleep(20)
    server.child.kill('SIGTERM')
    t.strictSame(await server.exited, { code: 0, signal: null }, 'it ends on request')
    const end = performance.now() - began

    publish('hostile-load', { minutes: MINUTES, statuses: Object.fromEntries(target.statuses), rows, memory, end })
    if (!isSoak) return
    t.ok(end < 5000, `it ended in ${Math.round(end)} ms`)
    // In the first minute, schemas are compiled and code becomes fast.
    const longest = Math.max(...rows.slice(1).flatMap(({ read, create }) => [read.longest, create.longest]))
    t.ok(longest <= LIMIT_MS, `the quiet key waited for at most ${Math.round(longest)} ms`)
    const connect = Math.max(...rows.map((row) => row.connect.longest))
    t.ok(connect <= CONNECT_LIMIT_MS, `and for a new connection, for at most ${Math.round(connect)} ms`)
  }
)

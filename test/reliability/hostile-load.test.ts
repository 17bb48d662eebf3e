import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { CONTROLLER, MAIN } from '../helper.js'
import { plainEnvironment } from '../programs.js'
import { temporaryFolder } from '../temporary.js'
import { ATTACKS, Target } from './hostile-load.js'
import { isSoak, publish, scaled, seed } from './soak.js'

// All attacks at once, against a server with little memory, a log that nobody reads, and somebody whose sandbox is
// quiet. MINUTES=<n> says how long, LOG=read lets the log be read, and ONLY=<part of a name> chooses among the attacks.

const MINUTES = Number(process.env['MINUTES'] ?? scaled(0.1, 60))
const ONLY = process.env['ONLY'] ?? ''
const IS_LOG_READ = process.env['LOG'] === 'read'
const isLong = MINUTES >= 1
const HEAP_MIB = 384
const PROBE_MS = 50
/** The longest that a quiet key may have to wait, once the server has served each kind of request. */
const LIMIT_MS = 250
/** The longest that a new connection may have to wait: the event loop accepts one each time that it comes round. */
const CONNECT_LIMIT_MS = 5000
/** Those who attack do so from other machines; here, they must not take the time of the server's. */
const ATTACKERS_PRIORITY = 10
/** More rows than this are not published. */
const ROWS = 12
/** The disk is not filled, whatever the server does. */
const MOST_BYTES = 16 * 2 ** 30

/**
 * Writes what the server's process takes up to its standard error, after a garbage collection, when it gets a signal.
 */
const GAUGE = `import v8 from 'node:v8'; import vm from 'node:vm'
v8.setFlagsFromString('--expose-gc'); const gc = vm.runInNewContext('gc')
process.on('SIGUSR2', () => {
  gc(); const { rss, heapUsed, external } = process.memoryUsage()
  process.stderr.write('memory ' + JSON.stringify({ rss, heapUsed, external }) + '\\n')
})`

interface Waits {
  readonly count: number
  readonly longest: number
  readonly p999: number
  readonly failures: Readonly<Record<string, number>>
}

/** What was seen in a part of the time. */
interface Row {
  readonly minute: number
  readonly longest: number
  readonly p999: number
  readonly connect: number
  readonly failures: number
  readonly rss: number
  readonly disk: number
}

/** A server as a process of its own, with little memory. */
async function startServer(t: Test, db: string) {
  // With one helper thread, as `npm start` and the image have it.
  const node = [`--max-old-space-size=${HEAP_MIB}`, '--v8-pool-size=1']
  const gauge = ['--import', `data:text/javascript,${encodeURIComponent(GAUGE)}`]
  const child = spawn(process.execPath, [...node, ...gauge, MAIN, 'serve', '--port', '0', '--db', db], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: plainEnvironment()
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)))
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-100_000)
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  child.stdout.removeAllListeners('data')
  if (IS_LOG_READ) child.stdout.resume()
  else child.stdout.pause()
  return { child, exited, url: new URL(/"url":"([^"]+)"/.exec(line)![1]!), errors: () => errors }
}

/** Somebody whose sandbox is quiet, in a process of its own. */
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
    const [waits] = (await reply) as [Record<string, Waits>]
    return waits
  }
}

/** Mebibytes that a process takes up. */
function memoryOf({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Bytes of a database and what lies beside it. */
function sizeOf(db: string): number {
  return ['', '-wal', '-journal'].reduce(
    (bytes, suffix) => bytes + (statSync(`${db}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

void t.test(
  'whatever others do, a server with little memory lives, and serves those who are quiet',
  { skip: process.platform === 'linux' ? false : 'needs /proc', timeout: (MINUTES + 3) * 60_000 },
  async (t) => {
    t.comment(`SEED=${seed} MINUTES=${MINUTES}`)
    const folder = temporaryFolder(t)
    const db = join(folder, 'mock.db')
    const server = await startServer(t, db)
    const quiet = `quiet-${seed}`
    const probe = await startProbe(t, server.url, quiet)
    const scale = isLong
      ? { workspaces: 10_000, clients: 50, pause: 200 }
      : { workspaces: 400, clients: 10, pause: 100 }
    const target = new Target(server.url, scale, seed, quiet)
    t.teardown(() => target.close())
    const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null
    void server.exited.then(() => target.end())

    setPriority(ATTACKERS_PRIORITY)
    const attacks = Object.entries(ATTACKS)
      .filter(([name]) => name.includes(ONLY))
      .map(([, attack]) => attack(target))
    const rows: Row[] = []
    const failures = new Map<string, number>()
    const part = isLong ? 60_000 : MINUTES * 30_000
    for (let minute = 1; minute * part <= MINUTES * 60_000 && !target.isOver; minute++) {
      await target.pause(part)
      if (hasEnded()) break
      const { connect, ...others } = (await probe()) as Record<'read' | 'create' | 'connect', Waits>
      const [waits, all] = [Object.values(others), [connect, ...Object.values(others)]]
      for (const [failure, count] of all.flatMap((kind) => Object.entries(kind.failures)))
        failures.set(failure, (failures.get(failure) ?? 0) + count)
      rows.push({
        minute,
        longest: Math.max(...waits.map(({ longest }) => longest)),
        p999: Math.max(...waits.map(({ p999 }) => p999)),
        connect: connect.longest,
        failures: all.flatMap((kind) => Object.values(kind.failures)).reduce((sum, count) => sum + count, 0),
        rss: memoryOf(server.child),
        disk: sizeOf(db) / 2 ** 20
      })
      if (isLong) t.comment(JSON.stringify(rows.at(-1)))
      if (sizeOf(db) > MOST_BYTES) break
    }
    target.end()
    await Promise.all(attacks)

    const found = summary(attacks.length, target, rows)
    t.comment(found)
    t.comment(`the quiet key was not served: ${JSON.stringify([...failures])}`)
    if (hasEnded()) {
      t.fail(`the server has ended with ${await server.exited}`, { errors: server.errors().slice(-3000) })
      return
    }
    const answer = await fetch(new URL(`${CONTROLLER}/workgroups`, server.url), {
      headers: { 'x-api-key': `${quiet}-read` },
      signal: AbortSignal.timeout(60_000)
    }).catch(async (error: unknown) => {
      // A process that was aborted takes a moment to be gone.
      const end = await Promise.race([server.exited, sleep(3000, 'has not ended')])
      t.fail('it still answers', { error, end, errors: server.errors().slice(-3000) })
    })
    if (answer === undefined) return
    t.match(
      await answer.json(),
      { Error: false, Result: [{ name: `only for ${quiet}` }] },
      'with what the quiet key had left'
    )
    t.strictSame(
      [...new Set(target.problems)].slice(0, 10),
      [],
      'every refusal came in the envelope, and nothing of another sandbox'
    )
    t.strictSame([...failures], [], 'the quiet key was always served')

    const memory = await gauge(server)
    const used =
      `${Math.round(memory.heapUsed / 2 ** 20)} MiB of heap, ${Math.round(memory.external / 2 ** 20)} MiB ` +
      `beside it, ${Math.round(memory.rss / 2 ** 20)} MiB resident`
    t.ok(memory.heapUsed + memory.external < 0.8 * HEAP_MIB * 2 ** 20, `afterwards it keeps ${used}`)

    // Those who hold a connection are still there, and so is a clock that is being moved.
    const began = performance.now()
    void fetch(new URL('/_mock/clock/advance', server.url), {
      method: 'POST',
      headers: { 'x-api-key': 'moved', 'content-type': 'application/json' },
      body: '{"by":"P30D"}'
    }).catch(() => undefined)
    await sleep(20)
    server.child.kill('SIGTERM')
    t.equal(await server.exited, '0', 'it ends when it is told to')
    const end = performance.now() - began

    publish(
      'hostile-load',
      `${found}\n\nAfterwards: ${used}. Told to end while a clock was being moved, it ended after ` +
        `${(end / 1000).toFixed(1)} s.`
    )
    if (!isSoak) return
    t.ok(end < 5000, `it ended in ${Math.round(end)} ms`)
    // In the first minute, schemas are compiled and code becomes fast.
    const longest = Math.max(...rows.slice(1).map((row) => row.longest))
    t.ok(longest <= LIMIT_MS, `the quiet key waited for at most ${Math.round(longest)} ms`)
    const connect = Math.max(...rows.map((row) => row.connect))
    t.ok(connect <= CONNECT_LIMIT_MS, `and for a new connection, for at most ${Math.round(connect)} ms`)
  }
)

/** What the server's process keeps after a garbage collection. */
async function gauge({
  child,
  errors
}: {
  child: ChildProcess
  errors: () => string
}): Promise<{ rss: number; heapUsed: number; external: number }> {
  const known = errors().length
  child.kill('SIGUSR2')
  for (;;) {
    const [, found] = /memory (\{.*\})\n/.exec(errors().slice(known)) ?? []
    if (found !== undefined) return JSON.parse(found) as { rss: number; heapUsed: number; external: number }
    await sleep(20)
  }
}

/** What came of it, as the document shows it. */
function summary(count: number, { statuses }: Target, rows: readonly Row[]): string {
  const step = Math.max(1, Math.ceil(rows.length / ROWS))
  const shown = Array.from({ length: Math.ceil(rows.length / step) }, (_, index) =>
    rows.slice(index * step, (index + 1) * step)
  )
  const most = (some: readonly Row[], field: keyof Row) =>
    Math.round(Math.max(...some.map((row) => row[field]))).toLocaleString('en')
  const replies = [...statuses]
    .sort()
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
    .join(', ')
  return [
    `${count} attacks at once for ${MINUTES} minutes, on a heap of ${HEAP_MIB} MiB. Replies that were read: ` +
      `${replies}.`,
    '',
    `| ${isLong ? 'until minute' : 'part'} | a quiet key waited at most, ms | 99.9 % of its requests, ms | ` +
      'on a new connection at most, ms | not served | resident, MiB | database, MiB |',
    '| --: | --: | --: | --: | --: | --: | --: |',
    ...shown.map(
      (some) =>
        `| ${some.at(-1)!.minute} | ${most(some, 'longest')} | ${most(some, 'p999')} | ` +
        `${most(some, 'connect')} | ${most(some, 'failures')} | ${most(some, 'rss')} | ${most(some, 'disk')} |`
    )
  ].join('\n')
}

import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { DatabaseError } from '../../src/db/database-error.js'
import { MIGRATIONS_DIRECTORY } from '../../src/db/migrate.js'
import { randomFrom } from '../../src/sim/random.js'
import { type Body, buildMock, close, CONTROLLER, replaceMethod, startServer } from '../helper.js'
import { logLines } from '../log-lines.js'
import { messageOf } from '../messages.js'
import { send } from '../raw-http.js'
import { openSandbox, START, workspaceIn } from '../sandbox.js'
import { temporaryFolder } from '../temporary.js'
import { compileLog } from './disk.js'
import { Load, SERVED } from './load.js'
import { scaled, seed } from './soak.js'

// Much of the time goes into waiting for processes.
t.jobs = 2
// Each test needs its own object, because tap keeps state in it.
const meanwhile = () => ({ buffered: true })

const UNWRITABLE = messageOf('unavailable', 'unwritable')
const agent = new Agent({ keepAlive: false })
const list = (url: string, key: string) => send(agent, `${url}${CONTROLLER}/workgroups`, 'GET', { 'x-api-key': key })

/** Mounts a file system in memory until the test ends. @returns its path; undefined if that is not possible */
function mountDisk(t: Test, size: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    t.comment('only root on Linux can mount a small disk')
    return undefined
  }
  const disk = temporaryFolder(t)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    t.comment(`no disk can be mounted here: ${(error as Error).message.split('\n')[0]!}`)
    return undefined
  }
  t.teardown(() => {
    execFileSync('umount', ['-l', disk])
  })
  return disk
}

/** Fills the disk except for some bytes. */
function fill(path: string, left: number): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096)
  try {
    for (;;) writeSync(file, block)
  } catch {
    /* it is full */
  }
  ftruncateSync(file, Math.max(0, statSync(path).size - left))
  closeSync(file)
}

/** Takes the disk away from a server in use and gives it back, again and again. */
async function survive(t: Test, load: Load, url: string, takeAway: () => void, giveBack: () => void): Promise<void> {
  await load.prepare(5)
  await load.play(url)
  for (let round = 0; round < scaled(1, 40); round++) {
    const { unavailable } = load
    await load.prepare(10)
    const playing = load.play(url)
    await sleep(20)
    takeAway()
    await playing
    while (load.unavailable < unavailable + 8) {
      await load.prepare(5)
      await load.play(url)
    }
    t.equal(load.reason, UNWRITABLE)
    t.strictSame((await load.judgeServer(url)).faults, [], 'reads go on')
    giveBack()
    await load.accept()
    const { acknowledged } = load
    await load.prepare(5)
    await load.play(url)
    t.ok(load.acknowledged > acknowledged + 60)
  }
}

/** Starts a server whose disk fails all writes on demand. @returns undefined if that is not possible */
async function startOnFaultyDisk(t: Test) {
  const directory = t.testdir({ data: {} })
  const library = compileLog(t, directory)
  if (library === undefined) return undefined
  const [db, fault] = [join(directory, 'data', 'a.db'), join(directory, 'fault')]
  const env = { LD_PRELOAD: library, DISK_LOG_DB: db, DISK_FAULT: fault }
  const server = await startServer(t, ['--db', db, ...SERVED], env)
  return { ...server, db, takeAway: () => writeFileSync(fault, ''), giveBack: () => rmSync(fault) }
}

void t.test(
  'while the disk is full, a write is a 503 and changes nothing; with room again, writes succeed',
  meanwhile(),
  async (t) => {
    const disk = mountDisk(t, '24m')
    if (disk === undefined) return
    const [db, ballast] = [join(disk, 'a.db'), join(disk, 'ballast')]
    const load = await Load.begin(t, `full-${seed}`)
    const { url, child, exited, errors, output } = await startServer(t, ['--db', db, ...SERVED])
    await survive(
      t,
      load,
      url,
      () => fill(ballast, 60_000),
      () => rmSync(ballast)
    )
    t.match(output(), /database or disk is full/, 'the log says why')
    t.equal(errors(), '')
    // It ends while the disk is full: the rest of the data stays in the WAL.
    fill(ballast, 0)
    child.kill('SIGTERM')
    t.strictSame(await exited, { code: 0, signal: null })
    const other = join(disk, 'new.db')
    t.throws(() => openDatabase(other), new DatabaseError(`cannot use the database ${other}: the disk is full`))
    rmSync(ballast)
    t.strictSame((await load.judgeFile(db)).faults, [])
  }
)

void t.test(
  'while writes to the disk fail, a write is a 503 and changes nothing; afterwards, writes succeed',
  meanwhile(),
  async (t) => {
    const server = await startOnFaultyDisk(t)
    if (server === undefined) return
    const { url, child, exited, errors, output, db, takeAway, giveBack } = server
    const load = await Load.begin(t, `broken-${seed}`)
    await survive(t, load, url, takeAway, giveBack)
    t.match(output(), /disk I\/O error/, 'the log says why')
    t.equal(errors(), '')
    child.kill('SIGKILL')
    await exited
    t.strictSame((await load.judgeFile(db)).faults, [])
  }
)

void t.test(
  'a read-only file system is reported at the start in one line, and keeps every byte',
  meanwhile(),
  async (t) => {
    const disk = mountDisk(t, '8m')
    if (disk === undefined) return
    const db = join(disk, 'a.db')
    openDatabase(db).close()
    const before = readFileSync(db)
    execFileSync('mount', ['-o', 'remount,ro', disk])
    for (const path of [db, join(disk, 'new.db'), join(disk, 'deeper', 'new.db')])
      t.throws(
        () => openDatabase(path),
        new DatabaseError(`cannot use the database ${path}: it is a directory, or cannot be written there`)
      )
    t.ok(readFileSync(db).equals(before))
  }
)

void t.test(
  'with little room on the disk, a database is created completely, or refused in one line and created later',
  meanwhile(),
  async (t) => {
    const disk = mountDisk(t, '2m')
    if (disk === undefined) return
    const [db, ballast] = [join(disk, 'a.db'), join(disk, 'ballast')]
    const step = scaled(48, 4) * 1024
    const all = readdirSync(MIGRATIONS_DIRECTORY).length
    let refused = 0
    for (let room = 0; room <= 800 * 1024; room += step) {
      fill(ballast, room)
      try {
        openDatabase(db).close()
      } catch (error) {
        refused++
        t.ok(
          error instanceof DatabaseError && /^cannot use the database [^\n]*: [^\n]*full[^\n]*$/.test(error.message),
          `${room}: ${(error as Error).message}`
        )
      }
      rmSync(ballast)
      const opened = openDatabase(db)
      t.equal(opened.prepare('SELECT count(*) FROM migrations').pluck().get(), all)
      opened.close()
      for (const suffix of ['', '-wal', '-journal']) rmSync(`${db}${suffix}`, { force: true })
    }
    t.ok(refused > 0)
  }
)

void t.test(
  "when the machine's clock is set back, no clock of a sandbox goes back, and nothing fires twice",
  async (t) => {
    const random = randomFrom('wall', seed)
    const below = (limit: number) => Math.floor(random.fraction() * limit)
    let wall = START
    replaceMethod(t, Date, 'now', () => wall)
    const mock = await buildMock(t)
    // With half as many, a seed in hundreds leads to too few changes.
    const steps = scaled(80, 2000)
    for (const rate of [1, 60, 0.5]) {
      const b = await openSandbox(mock)
      const { id, url } = await workspaceIn(b, 'Active')
      await b.control('PUT', '/clock', { mode: 'real', rate })
      let shown = await b.now()
      for (let step = 0; step < steps; step++) {
        wall += below(4) === 0 ? -below(7_200_000) : below(5000)
        if (below(2) === 0) await b.call('POST', `${url}/${below(2) === 0 ? 'pause' : 'resume'}`)
        const now = await b.now()
        if (now < shown) t.fail(`it was ${shown}, and is ${now} after step ${step}`)
        shown = now
      }
      const timeline = await b.timeline()
      const times = timeline.map(({ at }) => at as string)
      t.strictSame(times, [...times].sort(), 'changes are in order of time')
      t.ok(times.length > 5, `${times.length} changes`)
      // A transition under way ends in its time, not when the machine's clock has caught up.
      const before = timeline.length
      for (let i = 0; i < 3; i++) {
        wall += 4000
        await b.call('GET', url)
      }
      await b.call('POST', `${url}/${(await b.result('GET', url)).status === 'Active' ? 'pause' : 'resume'}`)
      wall -= 3_600_000
      await b.now()
      wall += 4000 / Math.min(1, rate)
      t.match((await b.result('GET', url)).status, /^(Active|Stopped)$/)
      t.ok((await b.timeline()).length > before)
      const states = timeline.filter(({ resource_id, attribute }) => resource_id === id && attribute === 'status')
      for (const [index, { from }] of states.entries())
        if (index > 0) t.equal(from, states[index - 1]!.to, 'nothing fired twice')
      for (const { due } of await b.events()) t.ok(due > (await b.now()), 'nothing due is left')
    }
  }
)

void t.test(
  'with more clients than file descriptors, connected ones are served, and all others when there is room',
  { ...meanwhile(), skip: process.platform !== 'linux' && 'only Linux says how many there are' },
  async (t) => {
    const limited = ['sh', '-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath] as const
    const args = ['--db', join(t.testdir(), 'a.db'), '--log-level', 'warn']
    const { url, child, exited, errors } = await startServer(t, args, {}, limited)
    const connected = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => connected.destroy())
    let confirmed = 0
    const ask = (method: string, path: string, body?: object) =>
      send(connected, `${url}${path}`, method, { 'x-api-key': 'test' }, body)
    for (let round = 0; round < scaled(1, 10); round++) {
      t.equal((await ask('GET', `${CONTROLLER}/workgroups`)).status, 200)
      const sockets: Socket[] = []
      for (let i = 0; i < 200; i++)
        sockets.push(connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined))
      await sleep(100)
      for (let i = 0; i < 5; i++, confirmed++) {
        const { status, body } = await ask('POST', `${CONTROLLER}/workgroups`, { cloud_provider_id: 'x' })
        t.equal(status, 200, body.Message as string)
      }
      for (const path of LATE) t.equal((await ask('GET', path)).status, 200, `${path} is loaded now`)
      const stranger = await list(url, 'test').catch((error: unknown) => error as NodeJS.ErrnoException)
      t.match(stranger, { code: 'ECONNRESET' }, 'there is no room for another connection')
      for (const socket of sockets) socket.destroy()
      let reply: Body
      while (reply === undefined) {
        await sleep(20)
        reply = await list(url, 'test').catch(() => undefined)
      }
      t.equal(reply?.body.Result.length, confirmed, 'it serves new connections again')
    }
    t.equal(errors(), '')
    child.kill('SIGTERM')
    t.strictSame(await exited, { code: 0, signal: null })
  }
)

/** Replies for which the server loads modules on demand. */
const LATE = [
  '/_mock/',
  '/openapi.json',
  '/_mock/openapi.json',
  '/docs',
  '/docs/swagger-ui.css',
  '/_mock/metrics',
  '/_mock/recording/steps'
]

void t.test(
  'after SIGTERM during a load, the process ends in order, and all confirmed writes are there',
  meanwhile(),
  async (t) => {
    const random = randomFrom('stop', seed)
    const db = join(t.testdir(), 'a.db')
    const load = await Load.begin(t, `stop-${seed}`)
    const rounds = scaled(1, 20)
    for (let round = 0; round < rounds; round++) {
      const { url, child, exited, errors } = await startServer(t, ['--db', db, ...SERVED])
      await load.prepare(20)
      const playing = load.play(url)
      await sleep(random.fraction() * 300)
      child.kill('SIGTERM')
      t.strictSame(await exited, { code: 0, signal: null })
      await playing
      t.equal(errors(), '')
      t.notOk(existsSync(`${db}-wal`), 'all is in the one file')
      t.strictSame((await load.judgeFile(db)).faults, [])
      await load.accept()
    }
  }
)

void t.test(
  'a damaged database is refused in one line and keeps every byte, or is served without an unexpected error',
  async (t) => {
    const random = randomFrom('damage', seed)
    const below = (limit: number) => Math.floor(random.fraction() * limit)
    const directory = t.testdir({ source: {}, damaged: {} })
    const source = join(directory, 'source', 'a.db')
    const mock = await buildMock(t, { db: source })
    const b = await openSandbox(mock, { key: 'damaged' })
    const urls: string[] = []
    for (let i = 0; i < 12; i++) {
      const { url } = await workspaceIn(b, (['Active', 'Creating', 'Stopped', 'Pausing'] as const)[i % 4]!)
      const path = url.slice(0, url.indexOf('/workspaces'))
      urls.push(url, `${url}/backups/schedule`, `${url}/dbuser`, `${path}/allow_list`)
      for (let j = 0; j < 8; j++)
        await b.result('POST', `${path}/allow_list`, { cidr: `10.${i}.${j}.0/24`, note: `note ${'x'.repeat(30 * j)}` })
      await b.result('POST', `${url}/backups/schedule`, { schedule: '0 3 * * *' })
      if (i === 0) await b.result('POST', `${url}/dbuser`, { username: 'app', password: 'secret' })
    }
    // A crash leaves a WAL; a stop leaves none.
    const crashed = { db: readFileSync(source), wal: readFileSync(`${source}-wal`) }
    const expected = await b.result('GET', '/workgroups')
    await close(mock)
    const stopped = { db: readFileSync(source), wal: Buffer.alloc(0) }

    const db = join(directory, 'damaged', 'a.db')
    const { lines, logger } = logLines('error')
    const sum = { refused: 0, served: 0, unavailable: 0, altered: 0 }
    const PAGE = 4096
    const pages = Math.floor(stopped.db.length / PAGE)
    const flip = (content: Buffer, from: number, to: number, bits: number) => {
      const copy = Buffer.from(content)
      for (let i = 0; i < bits; i++) copy[from + below(to - from)]! ^= 1 << below(8)
      return copy
    }
    const cutOff = (content: Buffer) => content.subarray(0, below(content.length))
    const damages: [name: string, files: { db: Buffer; wal: Buffer }][] = []
    for (let i = 0; i < scaled(1, 40); i++) {
      const from = (1 + below(pages - 1)) * PAGE
      const damagedDb = (name: string, content: Buffer) => damages.push([name, { ...stopped, db: content }])
      damagedDb('a bit of the header', flip(stopped.db, 0, 100, 1))
      damagedDb('bits of the schema', flip(stopped.db, 100, PAGE, 4))
      damagedDb('bits of a page', flip(stopped.db, from, from + PAGE, 8))
      damagedDb("bits of a page's header", flip(stopped.db, from, from + 12, 2))
      damagedDb('a page of zeros', Buffer.from(stopped.db).fill(0, from, from + PAGE))
      damagedDb('cut off', cutOff(stopped.db))
      damages.push(['a bit of the WAL', { ...crashed, wal: flip(crashed.wal, 0, crashed.wal.length, 1) }])
      damages.push(['a WAL that is cut off', { ...crashed, wal: cutOff(crashed.wal) }])
    }
    for (const [name, files] of damages) {
      writeFileSync(db, files.db)
      if (files.wal.length > 0) writeFileSync(`${db}-wal`, files.wal)
      let damaged
      try {
        lines.length = 0
        damaged = await buildMock(t, { db }, logger)
      } catch (error) {
        sum.refused++
        if (!(error instanceof DatabaseError) || /\n/.test(error.message)) t.fail(`${name}: ${(error as Error).stack!}`)
        if (files.wal.length === 0 && !readFileSync(db).equals(files.db)) t.fail(`${name}: it was refused, and changed`)
      }
      if (damaged !== undefined) {
        sum.served++
        const { call } = damaged
        const asked = await Promise.all([
          call('GET', '/workgroups', { key: 'damaged' }),
          ...urls.map((url) => call('GET', url, { key: 'damaged' })),
          ...['state', 'events', 'timeline', 'clock', 'quotas'].map((path) =>
            call('GET', `/${path}`, { key: 'damaged', prefix: '/_mock' })
          ),
          call('POST', '/workgroups', { key: 'damaged', body: { cloud_provider_id: 'x' } }),
          call('POST', '/workgroups', { key: 'other', body: { cloud_provider_id: 'x' } }),
          call('POST', '/clock/advance', { key: 'damaged', prefix: '/_mock', body: { by: 'PT1H' } })
        ])
        for (const { status, body } of asked)
          // The users of a workspace that does not run are a 400.
          if (![200, 404, 503].includes(status) && !/ its users is possible only in /.test(body.Message as string))
            t.fail(`${name}: ${status} ${JSON.stringify(body)} ${JSON.stringify(lines).slice(-1500)}`)
        if (asked.some(({ status }) => status === 503)) sum.unavailable++
        else if (JSON.stringify(asked[0].body.Result) !== JSON.stringify(expected)) sum.altered++
        await close(damaged)
      }
      for (const suffix of ['', '-wal', '-journal']) rmSync(`${db}${suffix}`, { force: true })
    }
    t.ok(sum.refused > 0 && sum.served > 0, JSON.stringify(sum))
  }
)

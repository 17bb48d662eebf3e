import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { sandboxIdOf } from '../../src/http/credentials.js'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import { randomFrom } from '../../src/sim/random.js'
import { exportState } from '../../src/state/export.js'
import type { StateDocument } from '../../src/state/schemas.js'
import { openWorld, type World } from '../../src/world.js'
import { startServer } from '../helper.js'
import { Disk, LOSSES, readCalls, type Loss } from './disk.js'
import { Load } from './load.js'
import { publish, scaled, seed } from './soak.js'

const WRITES = scaled(150, 4000)
const CUTS = scaled(80, 6000)

/** The library that notes what reaches the disk; undefined, with a reason, where it cannot be made. */
function compileLog(directory: string): { library: string } | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'only Linux preloads a library like this' }
  const library = join(directory, 'disk-log.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, fileURLToPath(new URL('disk-log.c', import.meta.url)), '-ldl'], { stdio: 'pipe' })
    return { library }
  } catch (error) {
    return { reason: `the library that notes what reaches the disk cannot be compiled: ${(error as Error).message.split('\n')[0]!}` }
  }
}

/** What the server finds in a sandbox. */
function stateOf(world: World, key: string): StateDocument {
  const sandbox = world.sandboxes.find(sandboxIdOf(key))
  return sandbox === undefined ? { workgroups: [], events: [], timeline: [] } : exportState(world, sandbox)
}

void t.test(`after each of ${CUTS} cuts of power, all that was confirmed is there, and nothing is there by half`, async (t) => {
  t.comment(`SEED=${seed}`)
  const directory = t.testdir({ server: {}, cut: {} })
  const compiled = compileLog(directory)
  if ('reason' in compiled) {
    t.comment(compiled.reason)
    return
  }
  const db = join(directory, 'server', 'a.db')
  const log = join(directory, 'log')
  const load = new Load(`power-${seed}`, () => statSync(log).size)

  // Three lives of a server on one file: made anew, and killed; recovered, and stopped in order; opened again.
  for (const [life, signal] of (['SIGKILL', 'SIGTERM', 'SIGKILL'] as const).entries()) {
    const env = { LD_PRELOAD: compiled.library, DISK_LOG_DB: db, DISK_LOG: log }
    const { url, child, exited, errors } = await startServer(t, ['--db', db, '--log-level', 'error'], env)
    if (life === 0) await load.begin(url)
    const enough = WRITES * (life + 1) / 3
    await load.run(url, () => load.acknowledged >= enough)
    child.kill(signal)
    await exited
    t.equal(errors(), '')
  }
  load.close()
  t.ok(load.acknowledged >= WRITES, `${load.acknowledged} writes were confirmed, ${load.refused} refused`)

  const calls = readCalls(readFileSync(log))
  const random = randomFrom('power-cut', seed)
  const chance = () => random.fraction()
  const count = (op: string, file?: number) => calls.filter((call) => call.op === op && (file === undefined || call.file === file)).length
  t.ok(count('S') > 20 && count('W', 0) > 50, `${calls.length} calls, ${count('S')} syncs, ${count('W', 0)} writes to the database itself`)

  // Everything around a checkpoint and around files that come and go is worth more cuts than the many writes to the WAL.
  const weights = calls.map(({ op, file }) => (op === 'C' || op === 'U' || op === 'T' ? 40 : file === 0 ? 3 : op === 'S' ? 2 : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const cutsAfter = weights.map((weight) => CUTS * weight / total)
  const options = checkOptions({ db: join(directory, 'cut', 'a.db') }, embeddedDefaults())
  const losses = Object.keys(LOSSES) as Loss[]
  const sums = Object.fromEntries(losses.map((loss) => [loss, 0])) as Record<Loss, number>
  const disk = new Disk()
  let cuts = 0
  let due = 0
  let notCarriedOut = 0
  for (const [index, call] of calls.entries()) {
    disk.apply(call)
    due += cutsAfter[index]!
    for (; cuts < Math.floor(due + 1e-6); cuts++) {
      const loss = losses[cuts % losses.length]!
      disk.cut(options.db, loss, chance)
      const when = `cut ${cuts} (${loss}) after call ${index}, ${call.op} of file ${call.file}`
      const world = openWorld(options)
      const verdict = load.judge(stateOf(world, load.key), stateOf(world, load.wholeKey), call.position)
      world.close()
      const sqlite = new Sqlite(options.db, { readonly: true })
      const damage = [...sqlite.prepare('PRAGMA integrity_check').pluck().all(), ...sqlite.prepare('PRAGMA foreign_key_check').all()].filter((row) => row !== 'ok')
      sqlite.close()
      if (verdict.faults.length > 0 || damage.length > 0) throw new Error(`${when}: ${[...verdict.faults.slice(0, 10), ...damage.map((row) => JSON.stringify(row))].join('\n')}`)
      sums[loss]++
      notCarriedOut += verdict.notCarriedOut
    }
  }
  t.ok(cuts > CUTS / 2, `${cuts} cuts; ${notCarriedOut} times a write that nobody had confirmed was not there`)
  publish('power-cut', [
    `The server confirmed ${load.acknowledged} writes in three lives, and made ${calls.length} calls that change its files, ${count('S')} of them syncs.`,
    'After each cut the database opened, was not damaged, its parts agreed, and all that had been confirmed by then was there.', '',
    '| what was not synced | cuts |', '| --- | --- |', ...losses.map((loss) => `| ${LOSSES[loss]} | ${sums[loss]} |`)
  ].join('\n'))
})

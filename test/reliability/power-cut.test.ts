import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { randomFrom } from '../../src/sim/random.js'
import { startServer } from '../helper.js'
import { compileLog, Disk, type Loss, LOSSES, readCalls } from './disk.js'
import { CONNECTIONS, Load, SERVED } from './load.js'
import { publish, scaled, seed } from './soak.js'

const WRITES = scaled(120, 3000)
/** CUTS=<n> makes the long form shorter, or longer. */
const CUTS = scaled(48, Number(process.env['CUTS'] ?? 5000))

void t.test(
  `after each of ${CUTS} power cuts, all confirmed writes are there, and no write is there in part`,
  async (t) => {
    t.comment(`SEED=${seed}`)
    const directory = t.testdir({ server: {}, cut: {} })
    const library = compileLog(t, directory)
    if (library === undefined) return
    const db = join(directory, 'server', 'a.db')
    const log = join(directory, 'log')
    const load = await Load.begin(t, `power-${seed}`, () => statSync(log).size)

    // Three servers with one file: one creates it and is killed, one recovers it and stops, one opens it again.
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const env = { LD_PRELOAD: library, DISK_LOG_DB: db, DISK_LOG: log }
      const { url, child, exited, errors } = await startServer(t, ['--db', db, ...SERVED], env)
      await load.prepare(Math.ceil(WRITES / 3 / CONNECTIONS))
      await load.play(url)
      child.kill(signal)
      await exited
      t.equal(errors(), '')
    }
    t.ok(load.acknowledged >= WRITES, `${load.acknowledged} writes were confirmed`)

    const calls = readCalls(readFileSync(log))
    const random = randomFrom('power-cut', seed)
    const chance = () => random.fraction()
    const count = (op: string, file?: number) =>
      calls.filter((call) => call.op === op && (file === undefined || call.file === file)).length
    t.ok(
      count('S') > 20 && count('W', 0) > 50,
      `${calls.length} calls, ${count('S')} syncs, ${count('W', 0)} writes to the database itself`
    )

    // Creations, removals and checkpoints get more cuts than the many writes to the WAL.
    const weights = calls.map(({ op, file }) => (/[CUT]/.test(op) ? 40 : file === 0 ? 3 : 1))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const cutsAfter = weights.map((weight) => (CUTS * weight) / total)
    const cut = join(directory, 'cut', 'a.db')
    const sums = Object.fromEntries(LOSSES.map((loss) => [loss, 0])) as Record<Loss, number>
    const disk = new Disk()
    let cuts = 0
    let due = 0
    let notCarriedOut = 0
    for (const [index, call] of calls.entries()) {
      disk.apply(call)
      due += cutsAfter[index]!
      for (; cuts < Math.floor(due + 1e-6); cuts++) {
        const loss = LOSSES[cuts % LOSSES.length]!
        disk.cut(cut, loss, chance)
        const when = `cut ${cuts} (${loss}) after call ${index}, ${call.op} of file ${call.file}`
        const verdict = await load.judgeFile(cut, call.position)
        if (verdict.faults.length > 0) throw new Error(`${when}: ${verdict.faults.slice(0, 20).join('\n')}`)
        sums[loss]++
        notCarriedOut += verdict.notCarriedOut
      }
    }
    t.ok(cuts > CUTS / 2, `${cuts} cuts; ${notCarriedOut} times a write that nobody had confirmed was not there`)
    publish('power-cut', { confirmed: load.acknowledged, calls: calls.length, syncs: count('S'), cuts: sums })
  }
)

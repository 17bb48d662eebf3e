import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { randomFrom } from '../../src/sim/random.js'
import { runCommand, startServer } from '../helper.js'
import { copyDatabase } from './disk.js'
import { damageOf, Load, SERVED, type Verdict } from './load.js'
import { isSoak, publish, scaled, seed } from './soak.js'

/** KILLS=<n> makes the long form shorter, or longer. */
const KILLS = scaled(4, Number(process.env['KILLS'] ?? 1000))
/** Kills before a new file: a growing timeline would slow down the checks. */
const KILLS_OF_A_FILE = 25
/** Maximum number of writes per connection between two kills. */
const WRITES = 20

/** Checks a copy of a file, because the server itself must recover the original. */
function checkCopy(db: string): string[] {
  copyDatabase(db, `${db}-copy`)
  return damageOf(`${db}-copy`)
}

function matches(faults: readonly string[], when: string): void {
  if (faults.length > 0) throw new Error(`${when}: ${faults.slice(0, 20).join('\n')}`)
}

void t.test(
  `after each of ${KILLS} kills, all confirmed writes are there, and no write is there in part`,
  async (t) => {
    t.comment(`SEED=${seed}`)
    const random = randomFrom('crash', seed)
    const below = (limit: number) => Math.floor(random.fraction() * limit)
    const sum = { kills: 0, starts: 0, files: 0, confirmed: 0, carriedOut: 0, notCarriedOut: 0 }
    while (sum.kills < KILLS) await t.test(`file ${++sum.files}`, killOften)
    t.ok(sum.confirmed > KILLS && sum.carriedOut + sum.notCarriedOut > 0, JSON.stringify(sum))

    function note({ faults, carriedOut, notCarriedOut }: Verdict): void {
      matches(faults, `kill ${sum.kills}`)
      sum.carriedOut += carriedOut
      sum.notCarriedOut += notCarriedOut
    }

    async function killOften(t: Test): Promise<void> {
      const db = join(t.testdir({}), 'a.db')
      const load = await Load.begin(t, `crash-${seed}-${sum.files}`)
      let startMs = 300
      for (let kill = 0; kill < KILLS_OF_A_FILE && sum.kills < KILLS; kill++) {
        // Sometimes it is killed while it starts: during recovery, or the migrations of a new file.
        if (random.fraction() < 0.15) {
          const { child, exited } = runCommand(t, ['serve', '--port', '0', '--db', db])
          await sleep(below(startMs))
          child.kill('SIGKILL')
          await exited
          sum.kills++
          sum.starts++
          if (existsSync(db)) matches(checkCopy(db), 'after a kill during a start')
        }

        const before = Date.now()
        const { url, child, exited, errors } = await startServer(t, ['--db', db, ...SERVED])
        startMs = Date.now() - before
        if (kill > 0) {
          note(await load.judgeServer(url))
          await load.accept()
          // In every third round, transitions under way end before the next kill.
          if (kill % 3 === 1) await load.play(url)
        }

        await load.prepare(WRITES)
        const { acknowledged } = load
        const enough = below(2) === 0 ? acknowledged + 1 + below(150) : Infinity
        const playing = load.play(url, () => {
          if (load.acknowledged >= enough) child.kill('SIGKILL')
          return false
        })
        if (enough === Infinity) await sleep(below(400))
        else await playing
        child.kill('SIGKILL')
        await Promise.all([playing, exited])
        sum.kills++
        sum.confirmed += load.acknowledged - acknowledged
        if (errors() !== '') t.fail(errors())
        matches(checkCopy(db), `kill ${sum.kills}`)
      }
      note(await load.judgeFile(db))
      // Publish after each file, in case the run is aborted.
      publish('crash', sum)
      if (isSoak) t.comment(JSON.stringify(sum))
    }
  }
)

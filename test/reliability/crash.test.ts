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
/** After so many kills it begins with a new file: a timeline that only grows would make each look longer. */
const KILLS_OF_A_FILE = 25
/** The most that each connection writes between two kills. */
const WRITES = 20

/** Checks a file as it was left behind, on a copy: recovery is the server's own job. */
function checkCopy(db: string): string[] {
  copyDatabase(db, `${db}-copy`)
  return damageOf(`${db}-copy`)
}

function matches(faults: readonly string[], when: string): void {
  if (faults.length > 0) throw new Error(`${when}: ${faults.slice(0, 20).join('\n')}`)
}

void t.test(
  `after each of ${KILLS} kills, all that was confirmed is there and goes on, and nothing is there by half`,
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
        // Now and then it is killed while it starts: in the middle of the recovery, or of the migrations of a new file.
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
          // What is under way ends when due, in every third round before the next kill.
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
      // A run that is cut short has something to show.
      publish('crash', sum)
      if (isSoak) t.comment(JSON.stringify(sum))
    }
  }
)

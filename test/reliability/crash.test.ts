import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { StateDocument } from '../../src/documents/schemas.js'
import { randomFrom } from '../../src/sim/random.js'
import { type Body, runCommand, startServer } from '../helper.js'
import { damageOf, inconsistencies, Load, send } from './load.js'
import { isSoak, publish, scaled, seed } from './soak.js'

/** KILLS=<n> makes the long form shorter, or longer. */
const KILLS = scaled(4, Number(process.env['KILLS'] ?? 1000))
/** After so many kills it begins with a new file: a timeline that only grows would make each look longer. */
const KILLS_OF_A_FILE = 25

/** Checks a file as it was left behind, on a copy: recovery is the server's own job. */
function checkCopy(db: string): string[] {
  const copy = `${db}-copy`
  for (const suffix of ['', '-wal', '-journal']) {
    rmSync(`${copy}${suffix}`, { force: true })
    if (existsSync(`${db}${suffix}`)) copyFileSync(`${db}${suffix}`, `${copy}${suffix}`)
  }
  return damageOf(copy)
}

const agent = new Agent({ keepAlive: false })

/** Calls the control API. @throws if it does not succeed */
async function control(
  url: string,
  key: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown
): Promise<Body> {
  const reply = await send(agent, `${url}/_mock${path}`, method, { 'x-api-key': key }, body)
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.Result
}

void t.test(
  `after each of ${KILLS} kills, all that was confirmed is there, and nothing is there by half`,
  async (t) => {
    t.comment(`SEED=${seed}`)
    const random = randomFrom('crash', seed)
    const below = (limit: number) => Math.floor(random.fraction() * limit)
    const directory = t.testdir()
    const sum = { kills: 0, starts: 0, files: 0, confirmed: 0, carriedOut: 0, notCarriedOut: 0, pending: 0, fired: 0 }

    while (sum.kills < KILLS) {
      const db = join(directory, `${++sum.files}.db`)
      const load = new Load(`crash-${seed}-${sum.files}`)
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
        const { url, child, exited, errors } = await startServer(t, ['--db', db, '--log-level', 'error'])
        startMs = Date.now() - before
        if (kill === 0) await load.begin(url)
        let [state, whole] = [
          await control(url, load.key, 'GET', '/state'),
          await control(url, load.wholeKey, 'GET', '/state')
        ] as [StateDocument, StateDocument]
        const { faults, carriedOut, notCarriedOut } = load.judge(state, whole)
        matches(faults, `kill ${sum.kills}`)
        sum.carriedOut += carriedOut
        sum.notCarriedOut += notCarriedOut
        const transitions = state.events!.filter(
          ({ event }) => event.startsWith('workspace.') && !/auto-stop|schedule/.test(event)
        )
        sum.pending += transitions.length
        if (below(3) === 0) {
          const { fired } = (await control(url, load.key, 'POST', '/clock/advance', { until: 'idle' })) as {
            fired: Body[]
          }
          const requests = new Set(fired.map(({ request_id }) => request_id as string))
          matches(
            transitions
              .filter(({ request_id }) => !requests.has(request_id ?? ''))
              .map(({ event, request_id }) => `${event} of ${request_id} did not fire`),
            `kill ${sum.kills}`
          )
          sum.fired += transitions.length
          state = await control(url, load.key, 'GET', '/state')
          whole = await control(url, load.wholeKey, 'GET', '/state')
          matches(inconsistencies(state), `after what was due, kill ${sum.kills}`)
        }
        load.accept(state, whole)

        const acknowledged = load.acknowledged
        const enough = below(2) === 0 ? acknowledged + 1 + below(300) : Infinity
        const running = load.run(url, () => {
          if (load.acknowledged >= enough) child.kill('SIGKILL')
          return false
        })
        if (enough === Infinity) {
          await sleep(below(400))
          child.kill('SIGKILL')
        }
        await Promise.all([running, exited])
        sum.kills++
        sum.confirmed += load.acknowledged - acknowledged
        if (errors() !== '') t.fail(errors())
        matches(checkCopy(db), `kill ${sum.kills}`)
      }
      matches(load.judgeFile(db).faults, `the last kill of file ${sum.files}`)
      // A run that is cut short has something to show.
      publish('crash', sum)
      if (isSoak) t.comment(JSON.stringify(sum))
      load.close()
      for (const suffix of ['', '-wal', '-copy', '-copy-wal', '-copy-shm']) rmSync(`${db}${suffix}`, { force: true })
    }

    t.ok(sum.confirmed > KILLS && sum.carriedOut + sum.notCarriedOut > 0, JSON.stringify(sum))
    publish('crash', sum)

    function matches(faults: readonly string[], when: string): void {
      if (faults.length > 0) throw new Error(`${when}: ${faults.slice(0, 20).join('\n')}`)
    }
  }
)

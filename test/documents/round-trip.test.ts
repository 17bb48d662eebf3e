import t from 'tap'
import { Random, seedFrom } from '../../src/sim/random.js'
import { effort, seed } from '../effort.js'
import { type Body, buildMock } from '../helper.js'
import { holdWall } from '../wall.js'
import { liveRandomly } from './random-life.js'

const LIVES = effort(4, 25)

void t.test(
  `of ${LIVES} random lives, each goes into another sandbox and out again unchanged, and both go on alike`,
  async (t) => {
    t.comment(`SEED=${seed}`)
    const wall = holdWall(t)
    const events = new Set<string>()
    const states = new Set<string>()
    for (const transitions of ['fast', 'realistic', 'instant'] as const) {
      const mock = await buildMock(t, { transitions })
      const control = async (key: string, method: string, url: string, body?: unknown) => {
        const { status, body: reply } = await mock.call(method, url, { key, body, prefix: '/_mock' })
        if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(reply)}`)
        return reply.Result
      }
      for (let life = 0; life < LIVES; life++) {
        const [from, to] = [`from-${life}`, `to-${life}`]
        await liveRandomly(
          mock,
          from,
          new Random({ seed: seedFrom('life', seed, transitions, life), draws: 0 }),
          60,
          wall
        )
        const state = await control(from, 'GET', '/state')
        await control(to, 'PUT', '/state', state)
        const copy = await control(to, 'GET', '/state')
        if (JSON.stringify(copy) !== JSON.stringify(state))
          t.strictSame(copy, state, `${transitions} ${life} comes out as it went in`)
        for (const { event } of state.events as Body[]) events.add(event as string)
        for (const { status } of (state.workgroups as Body[]).flatMap(({ workspaces }) => workspaces as Body[]))
          states.add(status as string)

        for (const by of ['PT3S', 'PT10M', 'P2D']) {
          const [one, other] = [
            await control(from, 'POST', '/clock/advance', { by }),
            await control(to, 'POST', '/clock/advance', { by })
          ]
          if (JSON.stringify(one) !== JSON.stringify(other))
            t.strictSame(other, one, `${transitions} ${life} goes on alike`)
        }
        await control(from, 'POST', '/transitions/release')
        await control(to, 'POST', '/transitions/release')
        const [one, other] = [await control(from, 'GET', '/state'), await control(to, 'GET', '/state')]
        if (JSON.stringify(one) !== JSON.stringify(other))
          t.strictSame(other, one, `${transitions} ${life} comes to the same`)
        for (const key of [from, to]) await control(key, 'DELETE', '/sandboxes')
      }
    }
    // Chance decides which: fewer than these would mean that the lives are too dull to prove anything.
    t.ok(events.size >= effort(3, 6), `kinds of events on the way: ${[...events].join(', ')}`)
    t.ok(states.size >= effort(3, 5), `states on the way: ${[...states].join(', ')}`)
  }
)

import t from 'tap'
import { demoState } from '../../src/documents/demo.js'
import { exportState } from '../../src/documents/export.js'
import { mask, sandboxIdOf } from '../../src/lib/secrets.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import type { FileRecorder } from '../../src/recording/file-recorder.js'
import { Playback } from '../../src/recording/playback.js'
import { isStep, openRecording } from '../../src/recording/recording.js'
import { Random, seedFrom } from '../../src/sim/random.js'
import { liveRandomly } from '../documents/random-life.js'
import { effort, seed } from '../effort.js'
import { buildMock } from '../helper.js'
import { holdWall } from '../wall.js'
import { pathsIn, stop, viewWhole } from './recordings.js'

const LIVES = effort(2, 4)
const STEPS = effort(60, 300)

void t.test('the state after every step of a recording is the one that was exported then', async (t) => {
  t.comment(`SEED=${seed}`)
  const wall = holdWall(t)
  const kinds = new Set<string>()
  for (let life = 0; life < LIVES; life++) {
    const record = t.testdir({})
    const mock = await buildMock(t, { record })
    const { plane } = mock
    if (life % 2 === 0) plane.baseline = demoState(plane.profile.catalogue)
    const random = new Random({ seed: seedFrom('recorded', seed, life), draws: 0 })
    const live = new Map<number, string>()
    const key = `life-${life}`
    const note = async () => {
      const sandbox = await plane.sandboxes.open(sandboxIdOf(key))
      live.set((sandbox.recorder as FileRecorder).step, JSON.stringify(mask(exportState(plane, sandbox))))
    }
    const control = (method: string, url: string, body?: unknown) =>
      mock.call(method, url, { key, body, prefix: '/_mock' })
    let kept: unknown
    const upheavals = [
      () => control('POST', '/reset', { keep: ['clock'] }),
      () => control('POST', '/reset'),
      () => control('PUT', '/snapshots/a'),
      () => control('POST', '/snapshots/a/restore'),
      () => control('PUT', '/state', kept ?? {}),
      () => control('PUT', '/seed', kept ?? {}),
      async () => {
        kept = (await control('GET', '/state')).body.Result
      },
      () => control('POST', '/faults', { operation: 'resumeWorkspace', probability: 0.5, effect: { status: 503 } }),
      () => control('DELETE', '/faults'),
      () => control('DELETE', '/requests')
    ]
    await liveRandomly(
      {
        ...mock,
        call: async (...call) => {
          if (random.fraction() < 0.08) {
            await upheavals[Math.floor(random.fraction() * upheavals.length)]!()
            await note()
          }
          const reply = await mock.call(...call)
          await note()
          return reply.status >= 500 ? { ...reply, status: 499 } : reply
        }
      },
      key,
      random,
      STEPS,
      wall
    )
    await stop(mock)
    const recording = await openRecording(pathsIn(record)[0]!)
    const playback = await Playback.begin(recording.manifest, BUILT_IN)
    // A life can have more steps than a page shows.
    const whole = await viewWhole(recording, { limits: { steps: Infinity, characters: Infinity } })
    let compared = 0
    for await (const line of recording.lines()) {
      kinds.add(line.kind)
      playback.apply(line)
      if (!isStep(line)) continue
      const viewed = JSON.stringify(whole.states.get(line.step))
      if (viewed !== JSON.stringify(playback.state))
        t.strictSame(whole.states.get(line.step), playback.state, `life ${life}, step ${line.step}, viewed`)
      const expected = live.get(line.step)
      if (expected === undefined) continue
      compared++
      if (JSON.stringify(playback.state) !== expected)
        t.strictSame(playback.state, JSON.parse(expected), `life ${life}, step ${line.step}`)
    }
    playback.close()
    // The first state may have been noted before the first step.
    t.equal(compared, live.size - Number(live.has(0)))
    t.ok(compared > STEPS / 10, `${compared} steps`)
  }
  for (const kind of ['request', 'change', 'checkpoint', 'end']) t.ok(kinds.has(kind), kind)
})

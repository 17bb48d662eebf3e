import { join } from 'node:path'
import t from 'tap'
import { demoState } from '../../src/documents/demo.js'
import { prepareState } from '../../src/documents/prepare.js'
import { startMock } from '../../src/node/index.js'
import { serve } from '../../src/node/serve.js'
import { checkOptions, embeddedDefaults, type Options } from '../../src/options.js'
import { type Body, buildMock } from '../helper.js'
import { logLines } from '../log-lines.js'

void t.test('the demo is a valid document without passwords', async (t) => {
  const { plane } = await buildMock(t)
  const demo = demoState(plane.profile.catalogue)
  t.strictSame(await prepareState(demo, plane), demo)
  t.notMatch(JSON.stringify(demo), /"password"/)
})

void t.test('with demo, every new sandbox has readable ids and a workspace in each lasting state', async (t) => {
  await using mock = await startMock({ demo: true })
  for (const box of [mock.sandbox(), mock.sandbox()]) {
    const reply = await fetch(`${box.url}/controller/v4/v2/workgroups`, { headers: box.headers })
    const [workgroup, ...others] = ((await reply.json()) as Body).Result
    t.match({ workgroup, others }, { workgroup: { workgroup_id: 'demo' }, others: [{ workgroup_id: 'spare' }] })
    t.strictSame(
      (workgroup.workspaces as Body[]).map(({ workspace_id, status }) => [workspace_id, status] as unknown[]),
      [
        ['main', 'Active'],
        ['reader', 'Active'],
        ['office-hours', 'Stopped'],
        ['on-demand', 'Idle'],
        ['broken', 'Failed']
      ]
    )
  }
})

/** Starts a server, and reads overviews: how many workgroups there are, and whether the seed has not reached it. */
async function run(options: Partial<Options>) {
  const { logger, warnings } = logLines()
  const mock = await serve(checkOptions(options, embeddedDefaults()), logger)
  const overview = async (key: string) => {
    const reply = await fetch(`${mock.url}/_mock/overview`, { headers: { 'x-api-key': key } })
    const { workgroups, predates_seed: isOlder } = ((await reply.json()) as Body).Result
    return [workgroups.length, isOlder] as unknown[]
  }
  return { mock, overview, warnings }
}

void t.test('sandboxes older than the seed keep their state until a reset, and the overview says so', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const first = await run({ db })
  for (const key of ['old', 'older', 'removed']) await first.mock.sandbox(key).state.read()
  await first.mock.sandbox('own').seed({})
  await first.mock.sandbox('removed').remove()
  t.strictSame(await first.overview('old'), [0, false], 'there is no seed')
  t.strictSame(first.warnings(), [])
  await first.mock.close()

  const { mock, overview, warnings } = await run({ db, demo: true })
  t.teardown(mock.close)
  const counted = [{ sandboxes: 2, msg: /^the seed fills only new sandboxes.*\/_mock\/reset/ }]
  t.match(warnings(), counted, 'those without a baseline of their own')
  t.strictSame(await overview('old'), [0, true])
  t.strictSame(await overview('own'), [0, false])
  t.strictSame(await overview('new'), [2, false])
  await mock.sandbox('old').reset()
  t.strictSame(await overview('old'), [2, false])
  await mock.sandbox('older').remove()
  t.strictSame(await overview('older'), [2, false], 'another one, with the same key')
})

import t from 'tap'
import { allowsChange } from '../src/sim/state-machine.js'
import { REFRESH_STATES, WORKSPACE_STATES } from '../src/resources/workspaces/lifecycle.js'
import { Random, seedFrom } from '../src/sim/random.js'
import { buildMock, type Body, type Reply } from './helper.js'
import { openBench } from './simulation.js'

const PAIRS = 1000
const WORKSPACES = 12

/** A number that decides everything that is random here; SEED=<n> repeats a run. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))

void t.test(`${PAIRS} pairs of conflicting requests at once leave every workspace in a known state, by allowed steps only`, async (t) => {
  t.comment(`SEED=${seed}`)
  const random = new Random({ seed: seedFrom('races', seed), draws: 0 })
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.fraction() * items.length)]!
  const mock = await buildMock(t)
  const b = await openBench(mock)
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const urls: string[] = []
  let database: string | undefined
  for (let i = 0; i < WORKSPACES; i++) {
    // Every third one is a read-only one of the database before it.
    const body = i % 3 === 2 ? { svc_database_id: database, is_rw: false } : { auto_stop_minutes: i % 2, enable_auto_start: i % 4 === 0 }
    const created = await b.result('POST', path, body)
    database = created.database_id as string
    urls.push(`${path}/${created.workspace_id}`)
  }
  // Some failures, so that those ways are gone as well; and few deletions succeed, so that something is left to fight over.
  await b.setRules(
    { transition: 'workspace.delete', outcome: 'fail', times: 8 }, { transition: 'workspace.pause', outcome: 'fail', times: 10 },
    { transition: 'workspace.resume', outcome: 'fail', times: 10 }, { transition: 'workspace.resize', outcome: 'fail', times: 5 },
    { transition: 'workspace.refresh', outcome: 'fail', times: 5 }
  )

  const operations: readonly ((url: string) => Promise<Reply>)[] = [
    (url) => b.call('POST', `${url}/pause`), (url) => b.call('POST', `${url}/resume`), (url) => b.call('POST', `${url}/refresh`),
    (url) => b.call('PUT', url, { workspace_type_name: pick(['SVC-00', 'SVC-1', 'SVC-2']) }), (url) => b.call('PUT', url, { enable_ha: pick([true, false]) }),
    (url) => b.call('PUT', url, { pause: pick([true, false]), workspace_name: 'raced' }), (url) => b.call('PUT', url, { auto_stop_minutes: pick([0, 1, 5]) }),
    (url) => b.call('GET', url)
  ]
  const requests: (() => Promise<Reply>)[] = []
  for (let i = 0; i < PAIRS; i++) {
    const url = pick(urls)
    for (const operation of [pick(operations), random.fraction() < 0.02 ? (url: string) => b.call('DELETE', url) : pick(operations)]) requests.push(() => operation(url))
    if (random.fraction() < 0.3) requests.push(() => b.control('POST', '/clock/advance', { by: pick(['PT0.3S', 'PT1S', 'PT2S', 'PT40S']) }))
  }
  for (let i = requests.length - 1; i > 0; i--) {
    const j = Math.floor(random.fraction() * (i + 1))
    ;[requests[i], requests[j]] = [requests[j]!, requests[i]!]
  }
  const replies = await Promise.all(requests.map((send) => send()))

  const statuses = new Map<number, number>()
  for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  t.strictSame([...statuses.keys()].filter((status) => ![200, 400, 404].includes(status)), [])
  t.ok((statuses.get(200) ?? 0) > 100 && (statuses.get(400) ?? 0) > 100, `both successes and refusals: ${JSON.stringify([...statuses])}`)

  const ids = new Set(urls.map((url) => url.split('/').at(-1)!))
  const timeline = await b.timeline()
  t.ok(timeline.length > 100, `${timeline.length} changes`)
  const current = new Map<string, Body>()
  let previousTime = ''
  for (const { at, resource_id, transition, attribute, from, to } of timeline) {
    const row = `${at} ${resource_id} ${transition}: ${attribute} ${from} > ${to}`
    const key = `${resource_id} ${attribute}`
    const before = current.get(key) ?? (attribute === 'status' ? null : 'None')
    if (!ids.has(resource_id as string)) t.fail(`of no workspace: ${row}`)
    if (!['status', 'refresh_status'].includes(attribute as string)) t.fail(`of no state: ${row}`)
    if (from !== before) t.fail(`it was ${before}: ${row}`)
    if (!allowsChange(mock.world.engine.transitions.get(transition as string)!, from as string | null, to as string)) t.fail(`not allowed: ${row}`)
    if (at < previousTime) t.fail(`out of order: ${row}`)
    previousTime = at as string
    current.set(key, to)
  }
  t.pass('every change is allowed and begins where the one before ended')

  let left = 0
  for (const url of urls) {
    const id = url.split('/').at(-1)!
    const { status, body } = await b.call('GET', url)
    if (status === 404) {
      t.equal(current.get(`${id} status`), 'gone')
      continue
    }
    left++
    const { status: state, refresh_status } = body.Result
    t.ok(Object.hasOwn(WORKSPACE_STATES, state as string) && Object.hasOwn(REFRESH_STATES, refresh_status as string), `${state}, ${refresh_status}`)
    t.equal(current.get(`${id} status`), state, 'its state is where its timeline ends')
    t.equal(current.get(`${id} refresh_status`) ?? 'None', refresh_status)
  }
  t.comment(`${left} workspaces are left`)

  // At most one thing is under way for each, and all of it comes to an end.
  const endings = (await b.events()).filter(({ event }) => event !== 'workspace.auto-stop').map(({ resource_id }) => resource_id as string)
  t.equal(new Set(endings).size, endings.length)
  t.equal((await b.control('POST', '/clock/advance', { until: 'idle' })).status, 200)
  for (const url of urls) {
    const { status, body } = await b.call('GET', url)
    if (status !== 404) t.ok(['Active', 'Stopped', 'Idle', 'Failed'].includes(body.Result.status as string), `${body.Result.status}`)
    if (body.Result?.refresh_status === 'Refreshing') t.fail('a refresh does not end')
  }
})

void t.test('of two requests at once that exclude each other, exactly one is served', async (t) => {
  const mock = await buildMock(t)
  const b = await openBench(mock)
  const workgroup = await b.createWorkgroup()
  for (let i = 0; i < 20; i++) {
    const { database_id, workspace_id } = await b.createActive(workgroup)
    const path = `/workgroups/${workgroup}/workspaces`
    const resizes = await Promise.all(['SVC-1', 'SVC-2'].map((workspace_type_name) => b.call('PUT', `${path}/${workspace_id}`, { workspace_type_name })))
    t.strictSame(resizes.map(({ status }) => status), [200, 400], 'the first one')
    const deletions = await Promise.all([1, 2].map(() => b.call('DELETE', `${path}/${workspace_id}`)))
    t.strictSame(deletions.map(({ status }) => status), [200, 400])
    await b.advance('PT1S')
    const creations = await Promise.all([1, 2].map(() => b.call('POST', path, { svc_database_id: database_id })))
    t.strictSame(creations.map(({ status }) => status), [200, 400], 'one read-write workspace a database')
  }
})

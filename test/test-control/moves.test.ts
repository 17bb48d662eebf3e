import t from 'tap'
import { FIRED_LIMIT } from '../../src/sim/engine.js'
import { buildMock, matchError, replaceMethod } from '../helper.js'
import { at, openSandbox } from '../sandbox.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)

void t.test('a move lists the first events that it has run, and says how many more there were', async (t) => {
  const b = await open()
  await b.createActive(await b.createWorkgroup(), { auto_stop_minutes: 1 })
  // Two events each minute and a second, for ever.
  await b.setRules({ transition: 'workspace.pause', outcome: 'fail' })
  const { body } = await b.control('POST', '/clock/advance', { to: at(61 * (FIRED_LIMIT / 2 + 3)) })
  t.equal(body.Result.fired.length, FIRED_LIMIT)
  t.equal(body.Result.omitted, 6)
  t.match(body.Message, ` ${FIRED_LIMIT + 6}.`)
})

void t.test('a sandbox that does not become idle names twenty of those that it waits for', async (t) => {
  const b = await open()
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  await b.setRules({ transition: 'workspace.create', outcome: 'hold' })
  const ids: string[] = []
  const named = async () => {
    const { status, body } = await b.control('POST', '/clock/advance', { until: 'idle' })
    t.equal(status, 400)
    return ids.filter((id) => (body.Message as string).includes(id))
  }
  const create = async () => {
    ids.push((await b.result('POST', path, {})).workspace_id as string)
  }
  for (let i = 0; i < 20; i++) await create()
  t.strictSame(await named(), ids)
  await create()
  t.strictSame(await named(), ids.slice(0, 20))
})

void t.test('a clock may come close to the last timestamp, but not to it', async (t) => {
  const b = await open()
  const isRefused = async (by: string) => {
    matchError(t, await b.control('POST', '/clock/advance', { by }), 'notAllowed', { by: 'beyond' })
  }
  for (const by of ['P7973Y11M30DT23H59M59.999S', 'P9000Y', 'P99999999D']) await isRefused(by)
  await b.advance('P7973Y11M30DT23H59M59.998S')
  t.equal(await b.now(), '9999-12-31T23:59:59.998Z')
  await isRefused('PT0.001S')
})

void t.test('an until takes a day if nothing else is said, and ends where it is there already', async (t) => {
  const b = await open()
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  await b.setRules({ transition: 'workspace.create', after: 'P1D', times: 1 })
  const { workspace_id: id } = await b.result('POST', path, {})
  await b.setRules({ transition: 'workspace.create', after: 'P1DT0.001S' })
  const { workspace_id: later } = await b.result('POST', path, {})
  const until = (workspace_id: string, status: string) =>
    b.control('POST', '/clock/advance', { until: { workspace_id, status } })
  t.equal((await until(id as string, 'Creating')).body.Result.clock.now, at(0))
  t.equal((await until(later as string, 'Active')).status, 400)
  t.equal((await until(id as string, 'Active')).body.Result.clock.now, at(86_400))
  t.equal((await until(later as string, 'Active')).body.Result.clock.now, '2026-01-02T00:00:00.001Z')
})

void t.test('an until with too much to run on the way says so', async (t) => {
  const b = await open()
  const { workspace_id: id } = await b.createActive(await b.createWorkgroup())
  replaceMethod(t, mock.plane.engine, 'moveClock', function* () {
    yield
    return { fired: [], count: 0, last: undefined, limited: true }
  })
  const until = { workspace_id: id, status: 'Stopped' }
  matchError(t, await b.control('POST', '/clock/advance', { until }), 'notAllowed', 'tooManyEventsBefore')
})

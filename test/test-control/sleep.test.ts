import { Agent } from 'node:http'
import { connect as connectTo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { startMock } from '../../src/node/index.js'
import { listen } from '../../src/node/serve.js'
import { embeddedDefaults } from '../../src/options.js'
import { buildMock, sendJson, until } from '../helper.js'
import { logLines } from '../log-lines.js'
import { requestWith, send } from '../raw-http.js'
import { at, openSandbox } from '../sandbox.js'

/** A server whose clock stands still, and clients with a connection each. */
async function open(t: Test) {
  const mock = await startMock()
  const box = mock.sandbox('sleepers')
  await box.seed({ clock: { mode: 'frozen', now: at(0) }, workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }] })
  t.teardown(() => mock.close())
  const connect = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    const call = (method: string, path: string, body?: object) =>
      send(agent, `${mock.url}${path}`, method, box.headers, body)
    const sleep = async (participant: string, until?: string) => {
      const { body } = await call('POST', '/_mock/clock/sleep', { participant, ...(until && { until }) })
      return body.Result
    }
    return { agent, call, sleep }
  }
  return { mock, box, connect }
}

const WORKSPACE = '/controller/v4/v2/workgroups/g/workspaces/w'

void t.test('with patience, a frozen clock runs while it has no participants', async (t) => {
  const { box, connect } = await open(t)
  await box.clock.set({ patience: '1ms' })
  await until(async () => (await box.clock.read()).mode === 'real')
  t.equal((await connect().sleep('a', '1h')).mode, 'frozen')
})

void t.test('a client that sleeps between polls waits for nothing, and sees every moment', async (t) => {
  const { box, connect } = await open(t)
  await box.transitions.replace([{ transition: 'workspace.pause', after: 'PT5M' }])
  const { call, sleep } = connect()
  await call('POST', `${WORKSPACE}/pause`)
  const seen: [string, string][] = []
  for (let now = at(0), status = ''; status !== 'Stopped';) {
    now = (await sleep('poller', '30s')).now
    status = (await call('GET', WORKSPACE)).body.Result.status
    seen.push([now, status])
  }
  t.strictSame(seen, [...Array.from({ length: 9 }, (_, i) => [at(30 * (i + 1)), 'Pausing']), [at(300), 'Stopped']])
  const { requests } = await box.requests.list()
  t.equal(requests.length, 11, 'sleeping is not recorded')
})

void t.test('clients wake in the order of their moments, and one that leaves holds up no other', async (t) => {
  const { connect } = await open(t)
  const [a, b, gone] = [connect(), connect(), connect()]
  const log: string[] = []
  const run = async (client: typeof a, name: string, ...moments: number[]) => {
    for (const moment of moments) log.push(`${name} ${(await client.sleep(name, at(moment))).now}`)
    client.agent.destroy()
  }
  // Nobody begins before all are there.
  await Promise.all([a.sleep('a', '0s'), b.sleep('b', '0s'), gone.sleep('gone', '0s')])
  const all = [run(a, 'a', 10, 40, 50), run(b, 'b', 20, 30, 60)]
  gone.agent.destroy()
  await Promise.all(all)
  t.strictSame(
    log,
    [10, 20, 30, 40, 50, 60].map((s) => `${[10, 40, 50].includes(s) ? 'a' : 'b'} ${at(s)}`)
  )
})

void t.test('no time passes while a request waits for its reply', async (t) => {
  const { box, connect } = await open(t)
  const [a, b] = [connect(), connect()]
  await a.sleep('a', '0s')
  await box.fault.add({ times: 1, effect: { delay: '10m' } })
  const held = b.call('GET', WORKSPACE).catch(() => undefined)
  await until(async () => (await box.fault.list())[0]?.hits === 1)
  const asleep = a.sleep('a', '1h')
  for (let i = 0; i < 20; i++) t.equal((await box.clock.read()).now, at(0))
  b.agent.destroy()
  await held
  t.equal((await asleep).now, at(3600), 'its client has given up')
})

void t.test('a server that closes, and a sandbox that is removed, end the wait', async (t) => {
  for (const end of ['remove', 'close'] as const) {
    const { mock, box, connect } = await open(t)
    const { call } = connect()
    const asleep = call('POST', '/_mock/clock/sleep', { participant: 'a' })
    const awake = connect()
    await awake.sleep('b', '0s')
    await (end === 'close' ? mock.close() : box.remove())
    t.equal((await asleep).status, 503, end)
  }
})

void t.test('a wait that ends with its connection or the server is not logged as an error', async (t) => {
  const { lines, warnings, logger } = logLines()
  const { plane, url, close } = await listen(embeddedDefaults(), logger)
  t.teardown(close)
  const sleep = (participant: string, signal: AbortSignal | null = null) =>
    sendJson('POST', `${url}/_mock/clock/sleep`, { 'x-api-key': 'k' }, { participant }, { signal })
  const count = () => plane.sandboxes.find(sandboxIdOf('k'))?.sleepers?.size
  const leaving = new AbortController()
  const left = sleep('a', leaving.signal).catch(() => undefined)
  const waiting = sleep('b')
  await until(() => count() === 2)
  leaving.abort()
  await left
  await until(() => count() === 1)
  const { hostname, port } = new URL(url)
  const half = connectTo(Number(port), hostname)
  half.write(requestWith('POST', '/_mock/clock/sleep', 'k', '{"participant":"c"}'))
  await until(() => count() === 2)
  half.end()
  t.match(await text(half), /^HTTP\/1\.1 503 [^]*The wait has ended: the connection was/)
  await close()
  t.equal((await waiting).status, 503)
  t.strictSame(warnings(), [])
  t.equal(lines.filter(({ status }) => status === 503).length, 3, 'the line of each request says how it ended')
})

void t.test('a moment must be a timestamp or a duration, and may have passed', async (t) => {
  const { control, controlResult } = await openSandbox(await buildMock(t))
  t.equal((await control('POST', '/clock/sleep', { participant: 'p', until: 'soon' })).status, 400)
  t.equal((await controlResult('POST', '/clock/sleep', { participant: 'p', until: at(-1) })).now, at(0))
})

import t, { type Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { LiveError, readService } from '../../src/fidelity/live.js'
import { startMock } from '../../src/node/mock.js'
import { openProfile } from '../../src/resources/open-profile.js'

type ReadOptions = Parameters<typeof readService>[0]

/** A server with a workspace, and a reader that does not wait. */
async function serve(t: Test, options: Parameters<typeof startMock>[0] = {}) {
  const mock = await startMock(options)
  t.teardown(() => mock.close())
  const box = mock.sandbox('demo')
  const waits: number[] = []
  const wait = (milliseconds: number) => {
    waits.push(milliseconds)
    return Promise.resolve()
  }
  const read = async (options: Partial<ReadOptions> = {}) => {
    const exchanges: Exchange[] = []
    for await (const exchange of readService({ url: mock.url, key: 'demo', wait, ...options })) exchanges.push(exchange)
    return exchanges
  }
  return { mock, box, waits, read }
}

const FULL = { workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] }

void t.test('everything that exists is read, and nothing changed', async (t) => {
  const { box, read, waits } = await serve(t)
  await box.state.replace(FULL)
  const calls: string[] = []
  const exchanges = await read({ session: 'demo', onCall: (operation) => calls.push(operation) })
  t.strictSame(calls, [
    'listWorkgroups',
    'getMetadata',
    'listOrgUsers',
    'getWorkgroup',
    'listAllowedIPs',
    'getCurrentIP',
    'getDatabase',
    'getWorkspace',
    'getBackupSchedule',
    'getWorkspaceSchedules',
    'listDatabaseUsers',
    'listBackups'
  ])
  t.ok(exchanges.every(({ method }) => method === 'GET'))
  t.strictSame(
    exchanges.filter(({ status }) => status !== 200).map(({ path }) => path.split('/').at(-1)),
    ['schedule'],
    'nobody has set a backup schedule'
  )
  t.match(exchanges[0], { number: 1, requestHeaders: { 'x-api-key': 'demo' }, query: '', body: { Error: false } })
  t.ok(waits.every((milliseconds) => milliseconds === 200))
  t.equal((await read()).length, calls.length - 1, 'without a session, what needs one is left out')
})

void t.test('a reply that asks to wait is waited for', async (t) => {
  const { box, read, waits } = await serve(t)
  await box.fault.add({ operation: 'listWorkgroups', times: 2, effect: { status: 429, retry_after: 7 } })
  const statuses = (await read()).map(({ status }) => status)
  t.strictSame(statuses, [429, 429, 200, 200])
  t.strictSame(waits, [7000, 200, 7000, 200, 200])
})

void t.test('a credential that is refused at first ends it, and a right that is lacking later does not', async (t) => {
  const { box, read } = await serve(t, { auth: 'strict', apiKeys: ['own=demo'] })
  const called: string[] = []
  const onCall = (operation: string) => called.push(operation)
  await t.rejects(read({ key: 'wrong', onCall }), { name: 'LiveError', credential: 'key', message: /401/ })
  t.strictSame(called, ['listWorkgroups'])
  await t.rejects(read({ session: 'wrong' }), { name: 'LiveError', credential: 'session' })
  await box.fault.add({ operation: 'getMetadata', effect: { status: 403 } })
  t.ok((await read()).some(({ status }) => status === 403))
  await box.fault.add({ operation: 'listWorkgroups', effect: { status: 403 } })
  await t.rejects(read(), { name: 'LiveError', credential: 'key' })
})

void t.test('a service that does not answer, or cannot list, is told as such', async (t) => {
  const { mock, box, read } = await serve(t)
  await box.fault.add({ operation: 'listWorkgroups', effect: { status: 500 } })
  await t.rejects(read(), new LiveError('listWorkgroups had no result: status 500'))
  await mock.close()
  await t.rejects(read(), { message: /listWorkgroups.*ECONNREFUSED/ })
})

void t.test('a service is called at the paths of the profile, and with its names of fields', async (t) => {
  const renamed = {
    profile: 1,
    name: 'renamed',
    names: { fields: { workgroup_id: 'group_id', workspace_id: 'space_id' } },
    routes: [
      { operation: 'listWorkgroups', off: true },
      { operation: 'listWorkgroups', method: 'GET', path: '/teams' },
      { operation: 'getMetadata', off: true }
    ]
  } as const
  const { box, read } = await serve(t, { profile: renamed })
  await box.state.replace(FULL)
  const exchanges = await read({ profile: await openProfile(renamed) })
  const paths = exchanges.map(({ path }) => path)
  t.ok(paths.includes('/teams'))
  t.ok(paths.some((path) => path.endsWith('/main/workspaces/writer')))
  t.ok(exchanges.every(({ status }) => status === 200 || status === 404))
})

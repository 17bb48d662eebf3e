import t from 'tap'
import { Api } from '../../src/fidelity/api.js'
import { conform } from '../../src/fidelity/conform.js'
import { adoptPath } from '../../src/fidelity/replay/adoption.js'
import { Session } from '../../src/fidelity/replay/session.js'
import { sightsIn } from '../../src/fidelity/sights.js'
import { Twin } from '../../src/fidelity/twin.js'
import { MASKED } from '../../src/lib/secrets.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { idsOf, ROOT, service } from './asked-service.js'

void t.test('adopted resources have the times that replies show, in each form', async (t) => {
  const { ask, box, exchanges } = await service(t)
  const time = '2026-01-31T10:00:00.000Z'
  await box.state.replace({
    workgroups: [
      {
        id: 'g',
        databases: [{ id: 'd', create_time: time }],
        workspaces: [{ id: 'w', database: 'd', created_at: time }]
      }
    ]
  })
  const shown = [await ask('GET', `${ROOT}/g/databases/d`), await ask('GET', `${ROOT}/g/workspaces/w`)].map(
    ({ create_time, created_at }) => create_time ?? created_at
  )
  const twin = await Twin.open()
  t.teardown(() => twin.close())
  const api = new Api(BUILT_IN, await twin.document())
  const calls = exchanges.map((exchange) => ({ exchange, call: api.recognise(exchange)! }))
  const session = new Session(
    twin,
    BUILT_IN,
    api,
    calls.flatMap((called) => sightsIn(api, called))
  )
  const adopted: unknown[] = []
  for (const { exchange, call } of calls) {
    await adoptPath(session, exchange, call)
    const { body } = await session.send(exchange, call)
    const { create_time, created_at } = (body as { Result: Record<string, string> }).Result
    adopted.push(create_time ?? created_at)
  }
  t.strictSame(shown, ['2026-01-31T10:00:00Z', '2026-01-31 10:00:00 +0000 UTC'])
  t.strictSame(adopted, shown)
})

void t.test('a workspace stops when the auto-stop that replies show says so', async (t) => {
  for (const [asked, given] of [
    [0, 30],
    [10, 30],
    [10, 0]
  ] as const) {
    const { ask, wait, exchanges } = await service(t)
    const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
    const body = { name: 'w', auto_stop_minutes: given }
    const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, body)
    for (const minutes of [0, 20, 20]) {
      wait(minutes)
      await ask('GET', `${ROOT}/${group}/workspaces/${space}`)
    }
    const others = exchanges.with(1, { ...exchanges[1]!, requestBody: { ...body, auto_stop_minutes: asked } })
    const { facts } = await conform(others)
    const differing = facts.filter(({ differences }) => differences > 0).map(({ key }) => key.field ?? key.subject)
    t.strictSame(differing, ['auto_stop_minutes'], `${asked} ${given}`)
  }
})

void t.test('a workspace that exists before the recording may stop at any time', async (t) => {
  const { ask, wait, box, exchanges } = await service(t)
  const workspaces = [{ id: 'w', auto_stop_minutes: 30, last_active: '2026-03-01T11:50:00Z' }]
  await box.state.replace({
    workgroups: [{ id: 'g', workspaces }],
    clock: { mode: 'frozen', now: '2026-03-01T12:00:00Z' }
  })
  for (const status of ['Active', 'Stopped']) {
    t.equal((await ask('GET', `${ROOT}/g/workspaces/w`)).status, status)
    wait(25)
  }
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), [])
})

void t.test('a stopped workspace that exists before the recording is as replies in each form show it', async (t) => {
  const fields = { RequestID: 'request', Result: 'data' }
  for (const form of [{}, { names: { fields } }, { replies: { envelope: 'none' } }] as const) {
    const profile = { profile: 1, name: 'service', ...form } as const
    const { ask, box, exchanges } = await service(t, { profile })
    const workspace = { id: 'w', name: 'w', database: 'd', status: 'Stopped' } as const
    const group = { id: 'g', name: 'g', region: 'eu-west-1', databases: [{ id: 'd', name: 'd' }] }
    await box.state.replace({ workgroups: [{ ...group, workspaces: [workspace] }] })
    await ask('GET', `${ROOT}/g/workspaces/w`)
    await ask('POST', `${ROOT}/g/workspaces/w/resume`)
    await ask('PUT', `${ROOT}/g/workspaces/w`, { workspace_name: 'other' })
    await ask('GET', ROOT)
    const { counts, facts } = await conform(exchanges, { profile })
    t.match(counts, { compared: 4 })
    const differing = facts.filter(({ differences }) => differences > 0).map(({ key }) => key)
    t.strictSame(differing, [{ aspect: 'duration', subject: 'workspace.resume' }], JSON.stringify(form))
  }
})

void t.test('what a service had before the recording explains its refusals, unless replies show it', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space, database_id: database } = await ask('POST', `${ROOT}/${group}/workspaces`, { name: 'w' })
  const { id } = await ask('POST', `${ROOT}/${group}/allow_list`, { cidr: '10.0.0.1', note: 'before' })
  const users = `${ROOT}/${group}/workspaces/${space}/dbuser`
  const user = { username: 'ann', password: 'a secret' }
  await ask('POST', users, user)
  exchanges.length = 0
  const refused = async () => {
    await ask('POST', users, user)
    await ask('POST', `${ROOT}/${group}/workspaces`, { svc_database_id: database })
    await ask('DELETE', `${ROOT}/${group}/databases/${database}`)
    await ask('DELETE', `${ROOT}/${group}`)
  }
  await refused()
  t.ok(exchanges.every(({ status }) => status === 400))
  const before = await conform(exchanges)
  t.strictSame(idsOf(before, 'contradicted'), [])
  await ask('GET', users)
  await ask('GET', ROOT)
  await refused()
  await ask('POST', users, { username: 'ben', password: 5 })
  Object.assign(exchanges.at(-1)!, { requestBody: { username: 'ben', password: MASKED } })
  const after = await conform(exchanges)
  t.strictSame(idsOf(after, 'contradicted'), [])
  const about = ['P-179', 'P-181', 'P-194']
  for (const [conformance, wanted] of [
    [before, []],
    [after, about]
  ] as const)
    t.strictSame(
      idsOf(conformance, 'confirmed').filter((id) => about.includes(id)),
      wanted
    )
  await ask('PUT', `${ROOT}/${group}/allow_list/${id}`, { cidr: '10.0.0.2', note: 'after' })
  t.strictSame(idsOf(await conform(exchanges.slice(-1)), 'contradicted'), [], 'an entry of the allow list')
})

void t.test('resources that a page of a list lacks are still there', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, { name: 'w' })
  const page = await ask('GET', ROOT)
  const { database_id: database, ...shown } = await ask('GET', `${ROOT}/${group}/workspaces/${space}`)
  await ask('DELETE', `${ROOT}/${group}`)
  const whole = await ask('GET', `${ROOT}/${group}/databases/${database}`)
  await ask('GET', `${ROOT}/${group}/databases/${database}`)
  await ask('DELETE', `${ROOT}/${group}/workspaces/${space}`)
  const withoutSizes = {
    database_id: database,
    ...shown,
    folder_statistics: { ...(shown['folder_statistics'] as unknown as object), workspaces: [] }
  }
  exchanges[4] = { ...exchanges[4]!, body: { ...(exchanges[4]!.body as object), Result: withoutSizes } }
  exchanges[3] = { ...exchanges[3]!, body: { ...(exchanges[3]!.body as object), Result: [page[0]] } }
  exchanges[6] = { ...exchanges[6]!, body: { ...(exchanges[6]!.body as object), Result: { ...whole, workspaces: [] } } }
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), ['P-007'])
})

void t.test('a workspace created in a workgroup from before the recording shows the values of both', async (t) => {
  const { ask, box, exchanges } = await service(t)
  await box.state.replace({ workgroups: [{ id: 'g', name: 'G', region: 'eu-west-1', cloud_provider_id: 'account' }] })
  await ask('POST', `${ROOT}/g/workspaces`, {})
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), [])
})

void t.test('a workspace stays as it is if the service lacks one of its schedules', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, { name: 'w' })
  const path = `${ROOT}/${group}/workspaces/${space}`
  const schedule = { workspace_id: space, repeat: 'daily', time: '08:00', timezone: 'UTC' }
  await ask('POST', `${path}/backups/schedule`, schedule)
  await ask('GET', `${path}/schedules`)
  const shown = await ask('GET', path)
  const showing = (index: number, Result: unknown) => ({
    ...exchanges[index]!,
    body: { ...(exchanges[index]!.body as object), Result }
  })
  const { facts } = await conform([
    ...exchanges.slice(0, 3),
    showing(3, '[]'),
    showing(4, { ...shown, auto_stop_minutes: 7 })
  ])
  t.ok(facts.some(({ key, differences }) => key.field === 'auto_stop_minutes' && differences > 0))
})

void t.test('a value that a request sets is known from then on, in an adopted resource too', async (t) => {
  const { ask, box, exchanges } = await service(t)
  const entry = { id: 'e', cidr: '192.0.2.0/24', note: 'old' }
  const schedule = { id: 's', repeat: 'daily', time: '08:00', timezone: 'UTC' } as const
  const workspace = { id: 'w', name: 'w', database: 'd', schedules: [schedule] }
  const allow_list = { enabled: true, entries: [entry] }
  const group = { id: 'g', name: 'g', allow_list, databases: [{ id: 'd', name: 'd' }], workspaces: [workspace] }
  await box.state.replace({ workgroups: [group] })
  const [inGroup, inSpace] = [`${ROOT}/g`, `${ROOT}/g/workspaces/w`]
  const cases: [method: string, path: string, accepted: object, ignored: object, read: string][] = [
    ['PUT', inGroup, {}, { workgroup_name: 'new' }, inGroup],
    ['PUT', `${inGroup}/allow_list/e`, entry, { note: 'new' }, `${inGroup}/allow_list`],
    [
      'PUT',
      `${inGroup}/databases/d`,
      { svc_database_name: 'd' },
      { svc_database_name: 'new' },
      `${inGroup}/databases/d`
    ],
    ['PUT', inSpace, { enable_auto_start: true, workspace_name: 'new' }, { auto_stop_minutes: 7 }, inSpace],
    ['PUT', inSpace, {}, { agent_config: { heartbeat_interval_seconds: 7 } }, inSpace],
    [
      'POST',
      `${inSpace}/backups/schedule`,
      { ...schedule, workspace_id: 'w', time: '08:30' },
      { time: '09:00' },
      `${inSpace}/schedules`
    ],
    ['PUT', `${inGroup}/allow_list/disable`, {}, {}, inGroup]
  ]
  const changes = new Map<number, object>()
  for (const [method, path, accepted, ignored, read] of cases) {
    await ask('GET', read)
    changes.set(exchanges.length, { ...accepted, ...ignored })
    await ask(method, path, accepted)
    await ask('GET', read)
  }
  const refused = exchanges.filter(({ status }) => status !== 200)
  t.strictSame(refused, [])
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), [])

  const others = exchanges.map((exchange, index) => {
    const requestBody = changes.get(index)
    return requestBody === undefined ? exchange : { ...exchange, requestBody }
  })
  const stillEnabled = { ...others.at(-1)!, body: others.at(-3)!.body }
  const { facts } = await conform(others.with(-1, stillEnabled))
  const differing = facts.filter(({ differences }) => differences > 0).map(({ key }) => `${key.schema} ${key.field}`)
  t.strictSame([...new Set(differing)].sort(), [
    'AgentConfig heartbeat_interval_seconds',
    'AllowedIP note',
    'SvcDatabase name',
    'Workgroup enable_allow_list',
    'Workgroup name',
    'Workspace auto_stop_minutes',
    'WorkspaceSchedule time'
  ])

  // Without the reply, nobody knows whether the change took place.
  const lost = others.map((one, index) => (changes.has(index) ? { ...one, status: null } : one))
  t.strictSame(idsOf(await conform(lost), 'contradicted'), [])
})

void t.test('requests are recognised under other names of their fields', async (t) => {
  const fields = { svc_database_id: 'base', is_rw: 'writable', backup_id: 'copy', schedule: 'cron' }
  const profile = { profile: 1, name: 'service', names: { fields } } as const
  const { ask, box, exchanges } = await service(t, { profile })
  const backups = [{ id: 'b', status: 'Succeeded' as const, time: '2026-03-01T11:00:00.000Z' }]
  await box.state.replace({
    workgroups: [{ id: 'g', databases: [{ id: 'd' }, { id: 'e' }], workspaces: [{ id: 'w', database: 'd', backups }] }],
    quotas: { ro_workspaces: 0 }
  })
  await ask('POST', `${ROOT}/g/workspaces`, { base: 'e' })
  await ask('POST', `${ROOT}/g/workspaces`, { base: 'e', writable: false })
  await ask('POST', `${ROOT}/g/workspaces/w/backups/schedule`, { cron: '0 3 * * *' })
  await ask('DELETE', `${ROOT}/g/workspaces/w/backups`, { copy: 'b' })
  const { calls, facts } = await conform(exchanges, { profile })
  const operations = ['createWorkspace', 'createWorkspace', 'setBackupSchedule', 'deleteBackup']
  t.strictSame(
    calls.map(({ call }) => call.operation),
    operations
  )
  const differing = facts.filter(({ differences }) => differences > 0).map(({ key }) => key)
  t.strictSame(differing, [{ aspect: 'quota', operation: 'createWorkspace', subject: 'ro_workspaces' }])
})

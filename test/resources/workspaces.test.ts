import t from 'tap'
import { type Speed, SPEEDS } from '../../src/profile/durations.js'
import {
  WORKSPACE_STATES,
  WORKSPACE_TRANSITIONS,
  type WorkspaceState
} from '../../src/resources/workspaces/lifecycle.js'
import { type Body, buildMock, matchError, matchSuccess, pluck, type Reply, UUID } from '../helper.js'
import { type Fields, LENGTH, oneOf, wrongType } from '../messages.js'
import {
  at,
  type Calls,
  goTime,
  NONE,
  openSandbox,
  seconds,
  SIZES,
  type TestSandbox,
  testsIn,
  workspaceIn
} from '../sandbox.js'

const mocks = {
  instant: await buildMock(t, { transitions: 'instant' }),
  fast: await buildMock(t),
  realistic: await buildMock(t, { transitions: 'realistic' })
}
const open = (speed: Speed = 'fast') => openSandbox(mocks[speed])
const testIn = testsIn(mocks.fast)
const STATES = Object.keys(WORKSPACE_STATES) as WorkspaceState[]

/** Everything that a refused call must leave unchanged. */
async function everything({ call, events, timeline }: TestSandbox, url: string) {
  const [group] = url.split('/workspaces/')
  return {
    read: (await call('GET', url)).body.Result,
    group: (await call('GET', group!)).body.Result,
    events: await events(),
    timeline: await timeline()
  }
}

/** Creates a workspace that is Active at once. */
async function active(b: TestSandbox, body: object = {}) {
  const workgroup = await b.createWorkgroup()
  const { workspace_id: id } = await b.createActive(workgroup, body)
  return { id: id as string, url: `/workgroups/${workgroup}/workspaces/${id}` }
}

/** The due events, one per line. */
const dueIn = async ({ events }: TestSandbox) => (await events()).map(({ due, event }) => `${due} ${event}`)

const statusOf = async ({ result }: TestSandbox, url: string) => (await result('GET', url)).status as string

/** The timeline of a workspace, one line per entry. */
const lines = async ({ timeline }: TestSandbox, id: string) =>
  (await timeline(id)).map(
    ({ at, transition, attribute, from, to, reason }: Body) =>
      `${at} ${transition}: ${attribute} ${from} > ${to}${reason === null ? '' : ` (${reason})`}`
  )

// ---------------------------------------------------------------------------------------------------------------------
// What a workspace is

/** Default settings of the agent. */
const AGENT = {
  enable_topology_force_update: true,
  heartbeat_interval_seconds: 60,
  topology_update_interval_seconds: 30,
  catalog_activity_update_interval_seconds: 1,
  query_activity_update_interval_seconds: 30
}

testIn('operation 16 answers the workspace with every field as given', async (t, b) => {
  const workgroup = await b.result('POST', '/workgroups', {
    cloud_provider_id: 'account-1',
    name: 'group',
    region: 'eu-west-1'
  })
  const addon = {
    addons_id: 'a',
    enable: true,
    enable_configuration: { deep: { x: [1, null] } },
    unique_name: 'u',
    is_free: false,
    workspace_id: 'w'
  }
  const reply = await b.call('POST', `/workgroups/${workgroup.workgroup_id}/workspaces`, {
    name: 'Ümläut 🚀',
    workspace_type_name: 'SVC-16',
    svc_version: '4.1.3',
    is_rw: true,
    enable_ha: true,
    enable_auto_start: true,
    auto_stop_minutes: 30,
    addons: [addon],
    solution_install_request: { name: 's', solution_catalog_id: 'c', data_source_origin: 'd', addons: [addon] }
  })
  const { workspace_id, database_id } = reply.body.Result
  t.match(workspace_id, UUID)
  t.match(database_id, UUID)
  matchSuccess(t, reply, 'Successfully created the workspace.', {
    workspace_id,
    name: 'Ümläut 🚀',
    workgroup_id: workgroup.workgroup_id,
    workgroup_name: 'group',
    database_id,
    org_id: workgroup.org_id,
    org_name: '',
    creator: 'owner@svc.test',
    cloud_provider_id: 'account-1',
    region: 'eu-west-1',
    status: 'Creating',
    refresh_status: '',
    refresh_message: '',
    svc_version: '4.1.3',
    version_number: 0,
    workspace_type: { typeName: 'SVC-16', cpu: '128', memory: '1024Gi', partition: 2, ha: 2 },
    is_rw: true,
    enable_ha: true,
    enable_auto_start: true,
    enable_copilot: false,
    auto_stop_minutes: 30,
    nginx_host: `${workspace_id}.workspaces.svc.test`,
    addons: [addon],
    agent_config: AGENT,
    solution_catalog_id: 'c',
    folder_statistics: {
      backup_size: 0,
      billed_size: 0,
      log_size: 0,
      total_size: 0,
      milvus_size: 0,
      workspaces: [{ workspace_id, size: 0 }]
    },
    created_at: goTime(at(0)),
    last_modified_time: seconds(at(0))
  })
  const read = await b.call('GET', `/workgroups/${workgroup.workgroup_id}/workspaces/${workspace_id}`)
  matchSuccess(t, read, 'Successfully got the workspace.', reply.body.Result)
})

testIn('operation 16 fills in defaults', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const workspace = await b.result('POST', `/workgroups/${workgroup}/workspaces`, {})
  t.equal(workspace.name, `workspace-${(workspace.workspace_id as string).slice(0, 8)}`)
  t.match(workspace, {
    svc_version: '4.2.2',
    version_number: 0,
    workspace_type: { typeName: 'SVC-00', cpu: '2', memory: '16Gi', partition: 1, ha: 3 },
    is_rw: true,
    enable_ha: false,
    enable_auto_start: false,
    auto_stop_minutes: 0,
    addons: null,
    agent_config: AGENT,
    solution_catalog_id: ''
  })
  t.equal('snapshot_time' in workspace, false)
  const database = await b.result('GET', `/workgroups/${workgroup}/databases/${workspace.database_id}`)
  t.equal(database.name, `database-${(workspace.database_id as string).slice(0, 8)}`)
  t.equal(database.svc_version, '4.2.2')
})

testIn('operations 16 and 18 name every invalid field, however deep it is, and do nothing', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  const before = await everything(b, url)
  const both: [body: object, fields: Fields][] = [
    [{ workspace_type_name: 'svc-00' }, { workspace_type_name: oneOf(...SIZES) }],
    [{ auto_stop_minutes: 2 ** 53 }, { auto_stop_minutes: ['atMost', { limit: 9007199254740991 }] }],
    [
      { addons: [{ addons_id: '', enable: null, enable_configuration: [] }] },
      {
        'addons.0.addons_id': LENGTH,
        'addons.0.enable': wrongType('boolean', 'null'),
        'addons.0.enable_configuration': wrongType('object', 'array')
      }
    ]
  ]
  const ofNew: typeof both = [
    [{ svc_version: '1.0.0' }, { svc_version: oneOf('4.2.2', '4.2.1', '4.2.0', '4.1.3') }],
    [
      { solution_install_request: { name: 5, addons: [{ addons_id: 'a' }] } },
      {
        'solution_install_request.name': wrongType('string', 'number'),
        'solution_install_request.addons.0.enable': 'required'
      }
    ]
  ]
  const ofChange: typeof both = [
    [
      { agent_config: { heartbeat_interval_seconds: -1, enable_topology_force_update: 'no' } },
      {
        'agent_config.heartbeat_interval_seconds': ['atLeast', { limit: 0 }],
        'agent_config.enable_topology_force_update': wrongType('boolean', 'string')
      }
    ]
  ]
  for (const [method, path, own] of [
    ['POST', url.slice(0, url.lastIndexOf('/')), ofNew],
    ['PUT', url, ofChange]
  ] as const)
    for (const [body, fields] of [...both, ...own])
      matchError(t, await b.call(method, path, body), 'invalidBody', fields)
  t.strictSame(await everything(b, url), before)
})

void t.test('the add-ons of all workspaces take at most 16 MiB, so that a list fits into memory', async (t) => {
  const b = await open()
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const withAddons = (size: number) => ({
    addons: [{ addons_id: 'a', enable: true, enable_configuration: { x: 'x'.repeat(size) } }]
  })
  const { workspace_id: id } = await b.result('POST', path, withAddons(1_000_000))
  for (let made = 1; made < 16; made++) await b.result('POST', path, withAddons(1_000_000))
  matchError(t, await b.call('POST', path, withAddons(1_000_000)), 'notAllowed', { addons: 'addonsSize' })
  await b.result('POST', path, withAddons(100))
  await b.result('PUT', `${path}/${id as string}`, withAddons(1_040_000))
})

void t.test('nginx_host follows the template', async (t) => {
  for (const [template, expected] of [
    ['localhost:9000', () => 'localhost:9000'],
    ['{workspace_id}.a/{workspace_id}', (id: string) => `${id}.a/${id}`],
    [
      '{workspace_id}.{workgroup_id}.{org_id}.{region}.test:443',
      (id: string, group: string, org: string) => `${id}.${group}.${org}.us-east-1.test:443`
    ]
  ] as const) {
    const b = await openSandbox(await buildMock(t, { workspaceHostTemplate: template }))
    const workspace = await b.createActive(await b.createWorkgroup())
    t.equal(workspace.nginx_host, expected(workspace.workspace_id, workspace.workgroup_id, workspace.org_id))
    const [listed] = await b.result('GET', '/workgroups')
    t.equal(listed.workspaces[0].nginx_host, workspace.nginx_host)
    t.equal((await b.controlResult('GET', '/overview')).workspaces[0].host, workspace.nginx_host)
  }
})

testIn('operation 18 changes settings at once, and answers the whole workspace', async (t, b) => {
  const { url, workspace } = await workspaceIn(b, 'Active')
  await b.advance('PT10S')
  const addons = [{ addons_id: 'a', enable: false }]
  const reply = await b.call('PUT', url, {
    workspace_name: 'new',
    enable_auto_start: true,
    auto_stop_minutes: 7,
    addons,
    agent_config: { heartbeat_interval_seconds: 5 }
  })
  const changed = {
    ...workspace,
    name: 'new',
    enable_auto_start: true,
    auto_stop_minutes: 7,
    addons,
    agent_config: { ...AGENT, heartbeat_interval_seconds: 5 },
    last_modified_time: seconds(at(10))
  }
  matchSuccess(t, reply, 'Successfully updated the workspace.', { ...changed, workgroup_name: '' })
  t.strictSame(await b.result('GET', url), changed)
  await b.advance('PT1S')
  t.strictSame(
    await b.result('PUT', url, { addons: [], agent_config: { enable_topology_force_update: false } }),
    {
      ...changed,
      workgroup_name: '',
      addons: null,
      agent_config: { ...AGENT, heartbeat_interval_seconds: 5, enable_topology_force_update: false },
      last_modified_time: seconds(at(11))
    },
    'add-ons are replaced, agent settings are added to'
  )
})

testIn('an update without changes is accepted', async (t, b) => {
  const { url, workspace } = await workspaceIn(b, 'Active')
  await b.advance('PT10S')
  for (const body of [{}, { workspace_type_name: 'SVC-00', enable_ha: false }, { unknown: 1 }])
    t.strictSame(await b.result('PUT', url, body), {
      ...workspace,
      workgroup_name: '',
      last_modified_time: seconds(at(10))
    })
})

void t.test('condition_type follows from the state', async (t) => {
  const expected: Partial<Record<WorkspaceState, string>> = {
    Active: 'Normal',
    Pausing: 'PausePre',
    Stopped: 'Paused',
    Idle: 'Paused',
    Failed: 'Failed'
  }
  const b = await open()
  for (const state of STATES) t.equal((await workspaceIn(b, state)).workspace.condition_type, expected[state], state)
})

// ---------------------------------------------------------------------------------------------------------------------
// The transitions, one by one

type Begin = (b: TestSandbox, url: string) => Promise<Reply>
interface Row {
  readonly transition: string
  readonly from: readonly WorkspaceState[]
  readonly begin: Begin
  readonly during: string
  /** Where it ends, if it starts in the first of `from`. */
  readonly to: string
  readonly failsTo: string
  readonly ms: Readonly<Record<Speed, number>>
}

/** The specified transitions, written out so that the code does not test itself. */
const TABLE: readonly Row[] = [
  {
    transition: 'workspace.pause',
    from: ['Active'],
    begin: (b, url) => b.call('POST', `${url}/pause`),
    during: 'Pausing',
    to: 'Stopped',
    failsTo: 'Active',
    ms: { instant: 0, fast: 1000, realistic: 142_000 }
  },
  {
    transition: 'workspace.resume',
    from: ['Stopped', 'Idle', 'Failed'],
    begin: (b, url) => b.call('POST', `${url}/resume`),
    during: 'Resuming',
    to: 'Active',
    failsTo: 'Stopped',
    ms: { instant: 0, fast: 2000, realistic: 78_000 }
  },
  {
    transition: 'workspace.resize',
    from: ['Active'],
    begin: (b, url) => b.call('PUT', url, { workspace_type_name: 'SVC-2', enable_ha: true }),
    during: 'Resizing',
    to: 'Active',
    failsTo: 'Active',
    ms: { instant: 0, fast: 2000, realistic: 120_000 }
  },
  {
    transition: 'workspace.delete',
    from: ['Creating', 'Active', 'Pausing', 'Stopped', 'Idle', 'Resuming', 'Resizing', 'Restoring', 'Failed'],
    begin: (b, url) => b.call('DELETE', url),
    during: 'Terminating',
    to: 'gone',
    failsTo: 'Failed',
    ms: { instant: 0, fast: 1000, realistic: 60_000 }
  }
]
const CREATE_MS: Readonly<Record<Speed, number>> = { instant: 0, fast: 2000, realistic: 240_000 }
const REFRESH_MS: Readonly<Record<Speed, number>> = { instant: 0, fast: 1000, realistic: 60_000 }

const iso = (ms: number) => `PT${ms / 1000}S`
const later = (ms: number) => at(ms / 1000)

/** The state of a workspace in each of the four reads that show it. */
async function allReads(b: TestSandbox, url: string): Promise<(string | undefined)[]> {
  const [group] = url.split('/workspaces/') as [string]
  const read = await b.call('GET', url)
  const { svc_databases: databases, workspaces } = await b.result('GET', group)
  const database = await b.result('GET', `${group}/databases/${databases[0].database_id}`)
  const all = (await b.result('GET', '/workgroups')) as Body[]
  const listed = all.find(({ workgroup_id }) => group.endsWith(workgroup_id as string))
  return [[read.body.Result ?? undefined], workspaces, database.workspaces, listed.workspaces].map(
    ([one]: Body[]) => (one?.status as string | undefined) ?? 'gone'
  )
}

for (const profile of SPEEDS) {
  const ms = CREATE_MS[profile]
  void t.test(`${profile}: workspace.create goes through Creating to Active in ${ms} ms`, async (t) => {
    const b = await open(profile)
    const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
    const reply = await b.call('POST', path, {})
    const id = reply.body.Result.workspace_id as string
    const url = `${path}/${id}`
    if (ms === 0) {
      t.equal(reply.body.Result.status, 'Active', 'the reply itself shows the final state')
    } else {
      t.equal(reply.body.Result.status, 'Creating')
      await b.advance(iso(ms - 1))
      t.strictSame(await allReads(b, url), ['Creating', 'Creating', 'Creating', 'Creating'])
      await b.advance('PT0.001S')
    }
    t.strictSame(await allReads(b, url), ['Active', 'Active', 'Active', 'Active'])
    t.strictSame(await lines(b, id), [
      `${at(0)} workspace.create: status null > Creating`,
      `${later(ms)} workspace.create: status Creating > Active`
    ])
    t.equal((await b.result('GET', url)).last_modified_time, seconds(later(ms)))
    t.strictSame(pluck(await b.timeline(id), 'request_id'), Array(2).fill(reply.body.RequestID))
    t.strictSame(await b.events(), [])
  })

  for (const {
    transition,
    from,
    begin,
    during,
    to,
    ms: { [profile]: ms }
  } of TABLE) {
    void t.test(
      `${profile}: ${transition} goes through ${during} to ${to} in ${ms} ms, from each of its states`,
      async (t) => {
        for (const state of from) {
          const b = await open(profile)
          const { id, url } = await workspaceIn(b, state)
          const before = (await b.timeline(id)).length
          const reply = await begin(b, url)
          t.equal(reply.status, 200, state)
          if (ms > 0) {
            if (reply.body.Result !== null) t.equal(reply.body.Result.status, during)
            t.strictSame(await allReads(b, url), [during, during, during, during])
            t.match(await b.events(), [
              { due: later(ms), held: false, event: transition, resource_id: id, request_id: reply.body.RequestID }
            ])
            await b.advance(iso(ms - 1))
            t.strictSame(await allReads(b, url), [during, during, during, during], 'not a millisecond earlier')
            await b.advance('PT0.001S')
          } else if (reply.body.Result !== null) {
            t.equal(reply.body.Result.status, to, 'the reply itself shows the final state')
          }
          t.strictSame(await allReads(b, url), [to, to, to, to])
          t.strictSame((await lines(b, id)).slice(before), [
            `${at(0)} ${transition}: status ${state} > ${during}`,
            `${later(ms)} ${transition}: status ${during} > ${to}`
          ])
          t.strictSame(pluck((await b.timeline(id)).slice(before), 'request_id'), Array(2).fill(reply.body.RequestID))
          t.strictSame(await b.events(), [])
        }
      }
    )
  }

  void t.test(
    `${profile}: workspace.refresh shows Refreshing and then Refreshed in ${REFRESH_MS[profile]} ms, and stays Active`,
    async (t) => {
      const ms = REFRESH_MS[profile]
      const b = await open(profile)
      const { id, url } = await workspaceIn(b, 'Active')
      matchSuccess(t, await b.call('POST', `${url}/refresh`), 'Successfully refreshed the workspace.')
      if (ms > 0) {
        t.match(await b.result('GET', url), { status: 'Active', refresh_status: 'Refreshing', refresh_message: '' })
        await b.advance(iso(ms - 1))
        t.match(await b.result('GET', url), { status: 'Active', refresh_status: 'Refreshing' })
        await b.advance('PT0.001S')
      }
      t.match(await b.result('GET', url), {
        status: 'Active',
        refresh_status: 'Refreshed',
        refresh_message: '',
        last_modified_time: seconds(later(ms))
      })
      t.strictSame((await lines(b, id)).slice(2), [
        `${at(0)} workspace.refresh: refresh_status  > Refreshing`,
        `${later(ms)} workspace.refresh: refresh_status Refreshing > Refreshed`
      ])
    }
  )
}

testIn(
  'a creation that fails leaves the workspace Failed, with the reason in the timeline; it can be resumed',
  async (t, b) => {
    const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
    await b.setRules({ transition: 'workspace.create', outcome: 'fail', reason: 'No capacity.' })
    const { workspace_id: id } = await b.result('POST', path, {})
    t.equal(await statusOf(b, `${path}/${id}`), 'Creating')
    await b.advance('PT2S')
    t.equal(await statusOf(b, `${path}/${id}`), 'Failed')
    t.strictSame((await lines(b, id as string)).slice(1), [
      `${at(2)} workspace.create: status Creating > Failed (No capacity.)`
    ])
    matchSuccess(t, await b.call('POST', `${path}/${id}/resume`), 'Successfully resumed the workspace.')
    await b.advance('PT2S')
    t.equal(await statusOf(b, `${path}/${id}`), 'Active')
  }
)

for (const { transition, from, begin, during, failsTo, ms } of TABLE) {
  void t.test(`a ${transition} that fails ends in ${failsTo}, with the reason in the timeline`, async (t) => {
    for (const state of from) {
      const b = await open()
      const { id, url, workspace } = await workspaceIn(b, state)
      await b.setRules({ transition, outcome: 'fail', reason: `No luck with ${state}.`, times: 1 })
      t.equal((await begin(b, url)).status, 200)
      t.equal(await statusOf(b, url), during)
      await b.advance(iso(ms.fast))
      const after = await b.result('GET', url)
      t.equal(after.status, failsTo)
      t.strictSame(after.workspace_type, workspace.workspace_type, 'the size is the old one')
      t.equal(after.enable_ha, false)
      const last = (await lines(b, id)).at(-1)
      t.equal(last, `${later(ms.fast)} ${transition}: status ${during} > ${failsTo} (No luck with ${state}.)`)
    }
  })
}

testIn('a pause ends in Idle if enable_auto_start is set when it ends', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  for (const [before, during, end] of [
    [true, undefined, 'Idle'],
    [false, undefined, 'Stopped'],
    [false, true, 'Idle'],
    [true, false, 'Stopped']
  ] as const) {
    const { workspace_id: id } = await b.createActive(workgroup, { enable_auto_start: before })
    const url = `/workgroups/${workgroup}/workspaces/${id}`
    await b.result('POST', `${url}/pause`)
    if (during !== undefined) await b.result('PUT', url, { enable_auto_start: during })
    await b.advance('PT1S')
    t.equal(await statusOf(b, url), end)
  }
})

testIn('a resize shows the old size until it ends, then the new one', async (t, b) => {
  const { url, workspace } = await workspaceIn(b, 'Active')
  const asked = { workspace_type_name: 'SVC-24', enable_ha: true, workspace_name: 'renamed' }
  const begun = await b.result('PUT', url, asked)
  const { workspace_type } = workspace
  t.match(begun, { status: 'Resizing', name: 'renamed', workspace_type, enable_ha: false })
  const renamed = await b.result('PUT', url, { workspace_name: 'renamed again' })
  t.strictSame(renamed, { ...begun, name: 'renamed again' }, 'settings can be changed meanwhile')
  await b.advance('PT2S')
  t.strictSame(await b.result('GET', url), {
    ...begun,
    workgroup_name: workspace.workgroup_name,
    status: 'Active',
    condition_type: 'Normal',
    name: 'renamed again',
    enable_ha: true,
    workspace_type: { typeName: 'SVC-24', cpu: '192', memory: '1536Gi', partition: 3, ha: 2 },
    last_modified_time: seconds(at(2))
  })
})

void t.test('the size of a stopped workspace changes at once, with no transition', async (t) => {
  for (const state of ['Stopped', 'Idle'] as const) {
    const b = await open()
    const { id, url, workspace } = await workspaceIn(b, state)
    const before = await b.timeline(id)
    const changed = await b.result('PUT', url, { workspace_type_name: 'SVC-2', enable_ha: true })
    const expected = {
      ...workspace,
      workspace_type: { typeName: 'SVC-2', cpu: '16', memory: '128Gi', partition: 1, ha: 3 },
      enable_ha: true
    }
    t.strictSame(changed, { ...expected, workgroup_name: '' })
    t.strictSame(await b.result('GET', url), expected)
    t.strictSame(await b.timeline(id), before)
    t.strictSame(await b.events(), [])
  }
})

// ---------------------------------------------------------------------------------------------------------------------
// Every state and every operation

const POSSIBLE = 'Creating, Active, Pausing, Stopped, Idle, Resuming, Resizing, Restoring, Failed'
const PAUSE = ['workspace.pause', 'Active', 'Pausing, Stopped, Idle'] as const
const RESUME = ['workspace.resume', 'Stopped, Idle, Failed', 'Resuming, Active'] as const

/** Requests, the states that allow them, and those in which they change nothing. */
const REQUESTS: readonly (readonly [
  name: string,
  states: string,
  already: string,
  ...send: Parameters<Calls['call']>
])[] = [
  [...PAUSE, 'POST', '/pause'],
  [...PAUSE, 'PUT', '', { pause: true }],
  [...RESUME, 'POST', '/resume'],
  [...RESUME, 'PUT', '', { pause: false }],
  ['workspace.refresh', 'Active', '', 'POST', '/refresh'],
  ['workspace.resize', 'Active, Stopped, Idle', '', 'PUT', '', { workspace_type_name: 'SVC-8', workspace_name: 'new' }],
  ['workspace.delete', POSSIBLE, '', 'DELETE', ''],
  ['an update', POSSIBLE, '', 'PUT', '', { workspace_name: 'new', auto_stop_minutes: 9, enable_auto_start: true }]
]

for (const [name, states, already, method, end, body] of REQUESTS) {
  void t.test(`${name} by ${method} is refused with the states that allow it, and without a change`, async (t) => {
    for (const state of STATES) {
      const b = await open()
      const { id, url } = await workspaceIn(b, state)
      const isUpdate = method === 'PUT'
      // An update changes the time of the last update.
      if (!isUpdate) await b.advance('PT1S')
      const before = await everything(b, url)
      const reply = await b.call(method, url + end, body)
      const after = await everything(b, url)
      if (isUpdate && state === 'Terminating') {
        matchError(t, reply, 'notAllowed', 'state', { values: { id, state, name: 'an update', states: POSSIBLE } })
      } else if (already.includes(state)) t.equal(reply.status, 200, state)
      else if (!states.includes(state)) {
        matchError(t, reply, 'notAllowed', 'state', { values: { id, state, name, states } })
      } else {
        t.equal(reply.status, 200, state)
        if (isUpdate)
          t.strictSame(reply.body.Result, { ...after.read, workgroup_name: '' }, 'it shows what a read does')
        continue
      }
      t.strictSame(after, before, `${state}: nothing was changed`)
    }
  })
}

// ---------------------------------------------------------------------------------------------------------------------
// Pause within an update

testIn('pause true in an update pauses, false resumes, and the settings of the same update hold', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  t.match(await b.result('PUT', url, { pause: true, workspace_name: 'paused', enable_auto_start: true }), {
    status: 'Pausing',
    name: 'paused'
  })
  await b.advance('PT1S')
  t.equal(await statusOf(b, url), 'Idle')
  t.match(await b.result('PUT', url, { pause: false, workspace_type_name: 'SVC-1' }), {
    status: 'Resuming',
    workspace_type: { typeName: 'SVC-1' }
  })
  await b.advance('PT2S')
  t.match(await b.result('GET', url), { status: 'Active', name: 'paused', workspace_type: { typeName: 'SVC-1' } })
})

testIn('a resize and a pause in one update are refused, unless the resize takes no time', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  const before = await everything(b, url)
  const reply = await b.call('PUT', url, { workspace_type_name: 'SVC-1', pause: true, workspace_name: 'x' })
  matchError(t, reply, 'notAllowed', { pause: 'pauseAndResize' })
  t.strictSame(await everything(b, url), before)
  const instant = await open('instant')
  const other = await workspaceIn(instant, 'Active')
  t.match(await instant.result('PUT', other.url, { workspace_type_name: 'SVC-1', pause: true }), {
    status: 'Stopped',
    workspace_type: { typeName: 'SVC-1' }
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// Auto-stop

void t.test(
  'auto-stop pauses auto_stop_minutes after the workspace became Active, to Stopped or to Idle',
  async (t) => {
    for (const [enable_auto_start, end] of [
      [false, 'Stopped'],
      [true, 'Idle']
    ] as const) {
      const b = await open()
      const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
      const created = await b.call('POST', path, { auto_stop_minutes: 5, enable_auto_start })
      const { workspace_id: id } = created.body.Result
      await b.advance('PT2S')
      t.match(await b.events(), [{ due: at(302), event: 'workspace.auto-stop', resource_id: id }])
      await b.advance('PT4M59.999S')
      t.equal(await statusOf(b, `${path}/${id}`), 'Active')
      const fired = await b.advance('PT0.001S')
      t.match(fired, [{ at: at(302), event: 'workspace.auto-stop' }])
      t.equal(await statusOf(b, `${path}/${id}`), 'Pausing')
      await b.advance('PT1S')
      t.equal(await statusOf(b, `${path}/${id}`), end)
      t.strictSame((await lines(b, id as string)).slice(2), [
        `${at(302)} workspace.pause: status Active > Pausing`,
        `${at(303)} workspace.pause: status Pausing > ${end}`
      ])
      const { request_id: cause } = (await b.timeline(id as string)).at(-1)
      t.equal(cause, created.body.RequestID, 'the request that set it up is the cause')
      t.strictSame(await b.events(), [])
    }
  }
)

testIn(
  'becoming Active restarts the countdown of the auto-stop: after a resume, a resize and a failed pause',
  async (t, b) => {
    const { url } = await active(b, { auto_stop_minutes: 1 })
    t.strictSame(await dueIn(b), [`${at(60)} workspace.auto-stop`])
    await b.advance('PT30S')
    await b.result('POST', `${url}/pause`)
    t.strictSame(await dueIn(b), [`${at(31)} workspace.pause`], 'there is none while it is not Active')
    await b.advance('PT5M')
    await b.result('POST', `${url}/resume`)
    await b.advance('PT2S')
    t.strictSame(await dueIn(b), [`${at(392)} workspace.auto-stop`])
    await b.advance('PT30S')
    await b.result('PUT', url, { workspace_type_name: 'SVC-1' })
    await b.advance('PT2S')
    t.strictSame(await dueIn(b), [`${at(424)} workspace.auto-stop`])
    await b.setRules({ transition: 'workspace.pause', outcome: 'fail', times: 1 })
    await b.advance('PT1M')
    t.equal(await statusOf(b, url), 'Pausing')
    await b.advance('PT1S')
    t.strictSame(await dueIn(b), [`${at(485)} workspace.auto-stop`])
  }
)

testIn(
  'calls of the interface are not activity: reads, a refresh and other updates do not move the auto-stop',
  async (t, b) => {
    const { url } = await active(b, { auto_stop_minutes: 1 })
    await b.advance('PT30S')
    const before = await b.events()
    t.match(before, [{ due: at(60), event: 'workspace.auto-stop' }])
    for (const [method, path, body] of [
      ['GET', url],
      ['POST', `${url}/resume`],
      ['POST', `${url}/refresh`],
      ['PUT', url, { workspace_name: 'x', auto_stop_minutes: 1, pause: false }]
    ] as const)
      await b.result(method, path, body)
    await b.advance('PT10S')
    t.strictSame(await b.events(), before, 'the event is the same')
  }
)

testIn(
  'data-plane activity puts off the auto-stop, starts an idle workspace, and is refused where a workspace ' +
    'does not serve',
  async (t, b) => {
    const { id, url } = await active(b, { auto_stop_minutes: 1, enable_auto_start: true })
    const activity = () => b.control('POST', `/workspaces/${id}/activity`)
    await b.advance('PT30S')
    const before = await b.result('GET', url)
    matchSuccess(t, await activity(), 'The workspace is Active.', { status: 'Active' })
    t.strictSame(await dueIn(b), [`${at(90)} workspace.auto-stop`])
    t.strictSame(await b.result('GET', url), before, 'it is no change of the workspace')
    await b.advance('PT1M')
    matchError(t, await activity(), 'notAllowed', 'state', {
      values: { id, state: 'Pausing', name: 'data-plane activity', states: 'Active, Idle' }
    })
    await b.advance('PT1S')
    t.equal(await statusOf(b, url), 'Idle')
    matchSuccess(t, await activity(), 'The workspace is Resuming.', { status: 'Resuming' })
    t.strictSame(await dueIn(b), [`${at(93)} workspace.resume`])
  }
)

testIn('last_active does not change while a workspace is not Active', async (t, b) => {
  const { url } = await active(b)
  const lastActive = async () =>
    (await b.controlResult('GET', '/state')).workgroups[0].workspaces[0].last_active as string
  await b.advance('PT30S')
  await b.result('POST', `${url}/pause`)
  await b.advance('PT1S')
  t.equal(await lastActive(), at(0))
  await b.result('POST', `${url}/resume`)
  await b.advance('PT2S')
  t.equal(await lastActive(), at(33))
})

testIn('an update whose auto-stop is due at once may request the pause as well', async (t, b) => {
  const { id, url } = await active(b)
  await b.advance('PT5M')
  t.equal((await b.result('PUT', url, { auto_stop_minutes: 5, pause: true })).status, 'Pausing')
  const pauses = (await lines(b, id)).filter((line) => line.includes('workspace.pause'))
  t.equal(pauses.length, 1, 'it is paused once')
})

testIn('an update may resize an active workspace and set pause to false', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  t.match(await b.result('PUT', url, { workspace_type_name: 'SVC-2', pause: false }), { status: 'Resizing' })
})

testIn(
  'an update moves the auto-stop, which counts from when the workspace became Active, but never into the past',
  async (t, b) => {
    const { id, url } = await active(b)
    await b.advance('PT10M')
    t.strictSame(await b.events(), [])
    for (const auto_stop_minutes of [30, 20]) {
      await b.result('PUT', url, { auto_stop_minutes })
      t.strictSame(await dueIn(b), [`${at(auto_stop_minutes * 60)} workspace.auto-stop`])
    }
    await b.result('PUT', url, { auto_stop_minutes: 0 })
    t.strictSame(await b.events(), [])
    await b.result('PUT', url, { auto_stop_minutes: Number.MAX_SAFE_INTEGER })
    t.strictSame(await b.events(), [], 'no event is due after the last time')
    await b.result('PUT', url, { auto_stop_minutes: 5 })
    t.equal(await statusOf(b, url), 'Pausing', 'it is overdue')
    t.equal((await lines(b, id)).at(-1), `${at(600)} workspace.pause: status Active > Pausing`)
  }
)

testIn('an auto-stop set while the workspace is stopped counts from its next start', async (t, b) => {
  const { url } = await workspaceIn(b, 'Stopped')
  await b.result('PUT', url, { auto_stop_minutes: 1 })
  t.strictSame(await b.events(), [])
  await b.advance('PT1H')
  await b.result('POST', `${url}/resume`)
  await b.advance('PT2S')
  t.match(await b.events(), [{ due: at(3662), event: 'workspace.auto-stop' }])
})

void t.test('instant: a workspace that is Active in the reply is stopped later, and at once', async (t) => {
  const b = await open('instant')
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const { workspace_id: id } = await b.result('POST', path, { auto_stop_minutes: 1 })
  await b.advance('PT59.999S')
  t.equal(await statusOf(b, `${path}/${id}`), 'Active')
  t.match(await b.advance('PT0.001S'), [{ event: 'workspace.auto-stop' }])
  t.equal(await statusOf(b, `${path}/${id}`), 'Stopped')
})

// ---------------------------------------------------------------------------------------------------------------------
// Read-write and read-only, refresh

/** A read-write workspace and a read-only one of the same database, both Active. */
async function pair(b: TestSandbox) {
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  const rw = await b.createActive(workgroup)
  await b.advance('PT10S')
  const ro = await b.createActive(workgroup, { svc_database_id: rw.database_id, is_rw: false })
  return { workgroup, path, rw, ro, rwUrl: `${path}/${rw.workspace_id}`, roUrl: `${path}/${ro.workspace_id}` }
}

testIn(
  'a read-only workspace has a snapshot_time from its creation, moved by each refresh that succeeds; a ' +
    'read-write one has none',
  async (t, b) => {
    const { rw, ro, rwUrl, roUrl } = await pair(b)
    t.equal('snapshot_time' in rw, false)
    t.equal(ro.snapshot_time, seconds(at(10)))
    await b.advance('PT10S')
    for (const url of [rwUrl, roUrl]) await b.result('POST', `${url}/refresh`)
    t.equal((await b.result('GET', roUrl)).snapshot_time, seconds(at(10)), 'not before the refresh ends')
    await b.advance('PT1S')
    t.equal((await b.result('GET', roUrl)).snapshot_time, seconds(at(21)))
    t.equal('snapshot_time' in (await b.result('GET', rwUrl)), false)
    t.equal((await b.result('GET', rwUrl)).refresh_status, 'Refreshed')
    await b.setRules({ transition: 'workspace.refresh', outcome: 'fail', reason: 'No source.' })
    await b.result('POST', `${roUrl}/refresh`)
    await b.advance('PT1S')
    t.match(await b.result('GET', roUrl), {
      status: 'Active',
      refresh_status: 'Failed',
      refresh_message: 'No source.',
      snapshot_time: seconds(at(21))
    })
    const last = (await lines(b, ro.workspace_id as string)).at(-1)
    t.equal(last, `${at(22)} workspace.refresh: refresh_status Refreshing > Failed (No source.)`)
    await b.setRules()
    await b.result('POST', `${roUrl}/refresh`)
    const again = await b.result('GET', roUrl)
    t.match(again, { refresh_status: 'Refreshing', refresh_message: '' }, 'a new one clears the message')
    await b.advance('PT1S')
    t.match(await b.result('GET', roUrl), {
      refresh_status: 'Refreshed',
      refresh_message: '',
      snapshot_time: seconds(at(23))
    })
  }
)

for (const { transition, begin, during } of TABLE.filter(({ from }) => from.includes('Active'))) {
  testIn(`a refresh is interrupted by a ${transition}, and does not end later`, async (t, b) => {
    const { rw, rwUrl } = await pair(b)
    await b.setRules({ transition, outcome: 'hold' })
    await b.result('POST', `${rwUrl}/refresh`)
    await begin(b, rwUrl)
    const interrupted = { status: during, refresh_status: 'Failed', refresh_message: `Interrupted by ${transition}.` }
    t.match(await b.result('GET', rwUrl), interrupted)
    await b.advance('PT1M')
    t.match(await b.result('GET', rwUrl), interrupted)
    t.strictSame((await lines(b, rw.workspace_id as string)).slice(3), [
      `${at(10)} workspace.refresh: refresh_status Refreshing > Failed (Interrupted by ${transition}.)`,
      `${at(10)} ${transition}: status Active > ${during}`
    ])
  })
}

testIn('a read-only workspace cannot be resized in any state', async (t, b) => {
  const { roUrl } = await pair(b)
  const refused = async () => {
    const before = await everything(b, roUrl)
    for (const body of [{ workspace_type_name: 'SVC-1' }, { enable_ha: true, workspace_name: 'x' }])
      matchError(t, await b.call('PUT', roUrl, body), 'notAllowed', 'readOnly', { values: { verb: 'resized' } })
    t.strictSame(await everything(b, roUrl), before)
  }
  await refused()
  await b.result('POST', `${roUrl}/pause`)
  await b.advance('PT1S')
  await refused()
  const same = await b.call('PUT', roUrl, { workspace_type_name: 'SVC-00', workspace_name: 'x' })
  t.equal(same.status, 200, 'the size it has is no change')
})

testIn('a database has at most one read-write workspace, and any number of read-only ones', async (t, b) => {
  const { path, rw, rwUrl } = await pair(b)
  const create = (is_rw?: boolean) =>
    b.call('POST', path, { svc_database_id: rw.database_id, ...(is_rw === undefined ? {} : { is_rw }) })
  const values = { other: rw.workspace_id as string }
  for (const is_rw of [true, undefined])
    matchError(t, await create(is_rw), 'notAllowed', { is_rw: 'secondWriter' }, { values })
  t.equal((await create(false)).status, 200)
  await b.setRules({ transition: 'workspace.delete', after: 'PT5S' })
  await b.result('DELETE', rwUrl)
  t.equal((await create(true)).status, 400, 'while it is being deleted there still is one')
  await b.advance('PT5S')
  t.match((await create(true)).body.Result, { is_rw: true, database_id: rw.database_id })
})

testIn('a new database needs a read-write workspace', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  matchError(t, await b.call('POST', `/workgroups/${workgroup}/workspaces`, { is_rw: false }), 'notAllowed', {
    is_rw: 'newDatabase'
  })
  t.match(await b.result('GET', `/workgroups/${workgroup}`), { svc_databases: [], workspaces: [] })
})

testIn('svc_database_id must name a database of the same workgroup', async (t, b) => {
  const { path } = await pair(b)
  const elsewhere = await b.createActive(await b.createWorkgroup())
  const other = await open()
  const foreign = await other.createActive(await other.createWorkgroup())
  for (const id of [NONE, 'x', elsewhere.database_id, foreign.database_id] as string[]) {
    const reply = await b.call('POST', path, { svc_database_id: id, is_rw: false })
    matchError(t, reply, 'notAllowed', { svc_database_id: 'notDatabase' }, { values: { id } })
  }
})

// ---------------------------------------------------------------------------------------------------------------------
// Workgroups and databases

void t.test(
  'deleting a workgroup or a database that still holds something says how many, and deletes nothing',
  async (t) => {
    const b = await open('instant')
    const { workgroup, rw, rwUrl, roUrl } = await pair(b)
    const [group, database] = [`/workgroups/${workgroup}`, `/workgroups/${workgroup}/databases/${rw.database_id}`]
    const isRefused = async (databases: number, workspaces: number) => {
      const values = { id: workgroup, databases, workspaces }
      matchError(t, await b.call('DELETE', group), 'notAllowed', 'workgroupInUse', { values })
    }
    for (const [workspaces, next] of [
      [2, rwUrl],
      [1, roUrl]
    ] as const) {
      matchError(t, await b.call('DELETE', database), 'notAllowed', 'databaseInUse', {
        values: { id: rw.database_id, workspaces }
      })
      await isRefused(1, workspaces)
      t.equal((await b.result('GET', group)).workspaces.length, workspaces)
      await b.result('DELETE', next)
    }
    await isRefused(1, 0)
    await b.result('DELETE', database)
    t.equal((await b.call('DELETE', group)).status, 200)
    t.equal((await b.call('GET', group)).status, 404)
  }
)

testIn('concurrent renames of a workgroup each answer their own name, in its workspaces too', async (t, b) => {
  const { workgroup, rwUrl } = await pair(b)
  const names = ['one', 'two', 'three', 'four']
  const renamed = await Promise.all(
    names.map((workgroup_name) => b.result('PUT', `/workgroups/${workgroup}`, { workgroup_name }))
  )
  t.strictSame(
    renamed.map(({ name, workspaces }) => [
      name,
      ...(workspaces as Body[]).map(({ workgroup_name }): unknown => workgroup_name)
    ]),
    names.map((name) => [name, name, name])
  )
  t.equal((await b.result('GET', rwUrl)).workgroup_name, 'four')
})

// ---------------------------------------------------------------------------------------------------------------------
// Quotas

testIn(
  'an exhausted quota is a 403, separately for read-write and read-only workspaces, until one is gone',
  async (t, b) => {
    const { workgroup, path, rw, rwUrl } = await pair(b)
    const used = (quota: string, maximum: number) => ({ values: { quota, maximum, what: 'workspace' } })
    t.equal((await b.control('PUT', '/quotas', { rw_workspaces: 1, ro_workspaces: 2 })).status, 200)
    const before = await b.result('GET', `/workgroups/${workgroup}`)
    matchError(t, await b.call('POST', path, {}), 'quotaExceeded', 'quotaOf', used('rw_workspaces', 1))
    t.strictSame(await b.result('GET', `/workgroups/${workgroup}`), before, 'no database is left behind')
    const createRo = () => b.call('POST', path, { svc_database_id: rw.database_id, is_rw: false })
    t.equal((await createRo()).status, 200)
    matchError(t, await createRo(), 'quotaExceeded', 'quotaOf', used('ro_workspaces', 2))
    await b.result('DELETE', rwUrl)
    t.equal((await b.call('POST', path, {})).status, 403, 'while it is being deleted it still counts')
    await b.advance('PT1S')
    t.equal((await b.call('POST', path, {})).status, 200)
    t.equal((await b.control('PUT', '/quotas', { rw_workspaces: null })).status, 200)
    t.equal((await b.call('POST', path, {})).status, 200)
    t.equal((await createRo()).status, 403, 'the other quota stays')
  }
)

void t.test('each transition has its own transient state, from which a document continues it', async (t) => {
  const states = Object.values(WORKSPACE_TRANSITIONS).map(({ during }) => during)
  t.equal(new Set(states).size, states.length)
})

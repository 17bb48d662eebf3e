import t from 'tap'
import { WORKSPACE_STATES, type WorkspaceState } from '../../src/resources/workspaces/lifecycle.js'
import { type Body, buildMock, CONTROLLER, matchSuccess, pluck, type Reply } from '../helper.js'
import { messageOf } from '../messages.js'
import { at, NONE, openSandbox, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)
const testIn = testsIn(mock)
const idOf = (reply: Reply) => reply.headers['x-request-id'] as string

async function findings(b: TestSandbox): Promise<Body[]> {
  return (await b.controlResult('GET', '/report')).findings as Body[]
}

const rulesOf = async (b: TestSandbox) => (await findings(b)).map(({ rule }) => rule as string)

async function leftBehind(b: TestSandbox): Promise<Record<string, string[]>> {
  const { left_behind: list } = await b.controlResult('GET', '/report')
  return Object.fromEntries((list as Body[]).map(({ kind, ids }) => [kind, ids]))
}

/** Creates a workspace, whose creation is all that its client has seen of it. */
async function create(b: TestSandbox) {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const created = await b.call('POST', path, {})
  const id = created.body.Result.workspace_id as string
  return { created, id, url: `${path}/${id}` }
}

const TAKEN_FOR_END = ['transient-state-taken-for-end']

testIn('an unused sandbox has nothing to report', async (t, b) => {
  matchSuccess(t, await b.control('GET', '/report'), 'Done.', { findings: [], left_behind: [] })
})

void t.test('repetitions that are too early or useless are found, with their requests', async (t) => {
  const body = { cloud_provider_id: 'account' }
  const fault = (rule: object) => (b: TestSandbox) => b.controlResult('POST', '/faults', rule)
  const error = messageOf('invalidBody', { cloud_provider_id: 'required' })
  for (const [rule, begin, times, call, message] of [
    [
      'polling-too-fast',
      () => undefined,
      4,
      ['GET', `/workgroups/${NONE}`, undefined],
      /^GET .* was called 4 times in a row; wait at least a second /
    ],
    [
      'no-back-off',
      fault({ operation: 'createWorkgroup', times: 2, effect: { status: 503 } }),
      3,
      ['POST', '/workgroups', body],
      /^POST .* was repeated \(3 calls\) within a second of a 503; wait longer before each new try\.$/
    ],
    [
      'retry-after-ignored',
      fault({ operation: 'createWorkgroup', times: 1, effect: { status: 429, retry_after: 5 } }),
      2,
      ['POST', '/workgroups', body],
      /^POST .* was repeated \(2 calls\) before the 5 s in the Retry-After of a 429 had passed; wait that long/
    ],
    [
      'error-ignored',
      () => undefined,
      2,
      ['POST', '/workgroups', { name: 'a' }],
      `(2 calls) unchanged after a 400 (${error}), with the same error again; correct the request, or stop.`
    ]
  ] as const) {
    const b = await open()
    await begin(b)
    const replies: Reply[] = []
    for (let i = 0; i < times; i++) replies.push(await b.call(call[0], call[1], call[2]))
    const found = (await findings(b)).find((one) => one.rule === rule)
    t.match(found, { message, requests: replies.map(idOf) }, rule)
    t.ok((found?.message as string).includes(`${CONTROLLER}${call[1]}`))
  }
})

testIn('ignored input is reported once per operation and name', async (t, b) => {
  const body = { cloud_provider_id: 'a', workgroup_name: 'main' }
  const created = [await b.call('POST', '/workgroups', body), await b.call('POST', '/workgroups', body)]
  const refused = await b.call('POST', '/workgroups', { workgroup_name: 'main' })
  t.equal(refused.status, 400, 'which says itself what is wrong')
  const filtered = await b.call('GET', '/workgroups?operation=3')
  const lost = await b.mock.call('GET', '/workgroups', { key: b.key, prefix: '' })
  t.strictSame(pluck(await findings(b), 'rule', 'requests'), [
    ['unknown-path', [idOf(lost)]],
    ['ignored-input', created.map(idOf)],
    ['ignored-input', [idOf(filtered)]]
  ])
  const [path, field, parameter] = (await findings(b)).map(({ message }) => message as string)
  t.match(path, `There is one at ${CONTROLLER}/workgroups.`)
  t.match(field, /^createWorkgroup ignores the field workgroup_name: its body has .*\bname\b/)
  t.match(parameter, /^listWorkgroups ignores the query parameter operation:/)
  const group = created[0]!.body.Result.workgroup_id as string
  await b.control('DELETE', '/requests')
  const addon = { addons_id: 'a', enable: true, colour: 'red', enable_configuration: { anything: true } }
  await b.call('POST', `/workgroups/${group}/workspaces`, { addons: [addon] })
  await b.call('PUT', `/workgroups/${group}/allow_list/enable`, { force: true })
  t.match(
    await findings(b),
    [
      { message: /^createWorkspace ignores the field addons\.0\.colour:/ },
      { message: 'enableAllowList ignores the field force: it has no body.' }
    ],
    'deeper, too, and where there is no body'
  )
})

void t.test('ignored input has the names of the profile, which are those that the client knows', async (t) => {
  const names = { fields: { name: 'title', addons: 'extras', enable: 'on' } }
  const b = await openSandbox(await buildMock(t, { profile: { profile: 1, names } }))
  await b.call('POST', '/workgroups', { cloud_provider_id: 'a', name: 'main' })
  const extras = [{ addons_id: 'a', on: true, enable: true }]
  await b.call('POST', `/workgroups/${await b.createWorkgroup()}/workspaces`, { extras })
  t.match(await findings(b), [
    { message: /^createWorkgroup ignores the field name: its body has title,/ },
    { message: /^createWorkspace ignores the field extras\.0\.enable: its body has .*\bextras\b/ }
  ])
})

testIn('a refused call after a transient state is found', async (t, b) => {
  const { created, id, url } = await create(b)
  const refused = [await b.call('POST', `${url}/pause`), await b.call('POST', `${url}/refresh`)]
  const expected = [
    {
      rule: 'transient-state-taken-for-end',
      message:
        `The workspace ${id} was last seen Creating, a transient state, and pauseWorkspace, refreshWorkspace ` +
        'was refused after that; read it until the state has ended.',
      requests: [created, ...refused].map(idOf)
    }
  ]
  t.strictSame(await findings(b), expected)
  await b.advance('PT5S')
  await b.call('GET', url)
  await b.call('POST', `${url}/resume`)
  t.strictSame(await findings(b), expected, 'having looked later does not mend it')
})

testIn('a transient state that the client never read again is found', async (t, b) => {
  const { created, id, url } = await create(b)
  await b.advance('PT11S')
  t.strictSame(await findings(b), [], 'it ended only just now')
  await b.advance('PT1S')
  t.strictSame(await findings(b), [
    {
      rule: 'transient-state-taken-for-end',
      message:
        `The workspace ${id} was last seen Creating, which ended at ${at(2)} with Active, and the client did ` +
        'not look again; poll it until the state has ended.',
      requests: [idOf(created)]
    }
  ])
  await b.call('GET', '/workgroups')
  t.strictSame(await findings(b), [], 'a list shows it too')
  await b.call('GET', url)
  t.strictSame(await findings(b), [])
})

testIn(
  'a call that is refused for another reason than the state, or shows no workspace, is not a finding',
  async (t, b) => {
    const { url } = await create(b)
    t.equal((await b.call('PUT', url, { workspace_name: '' })).status, 400)
    t.equal((await b.call('GET', `${url}x`)).status, 404)
    t.strictSame(await rulesOf(b), [])
    t.equal((await b.call('POST', `${url}/pause`)).status, 400)
    t.strictSame(await rulesOf(b), TAKEN_FOR_END)
  }
)

testIn('a HEAD shows no state', async (t, b) => {
  const { url } = await create(b)
  await b.advance('PT1H')
  await b.control('DELETE', '/requests')
  await b.call('POST', `${url}/pause`)
  await b.call('HEAD', url)
  await b.advance('PT1H')
  t.strictSame(await findings(b), [])
})

testIn('a refused call after a stable state is not a finding', async (t, b) => {
  const { url } = await create(b)
  await b.advance('PT5S')
  t.equal((await b.result('GET', url)).status, 'Active')
  await b.setRules({ transition: 'workspace.pause', outcome: 'hold' })
  await b.result('POST', `${url}/pause`)
  t.equal((await b.call('POST', `${url}/resume`)).status, 400)
  t.strictSame(await rulesOf(b), [])
})

void t.test('a reply with many workspaces may have shown each of them', async (t) => {
  for (let which = 0; which < 5; which++) {
    const b = await open()
    const { url: workspace } = await create(b)
    const { database_id: database } = await b.result('GET', workspace)
    const workgroup = workspace.split('/').slice(0, 3).join('/')
    const databaseUrl = `${workgroup}/databases/${database}`
    const [method, url, body] = (
      [
        ['GET', '/workgroups'],
        ['GET', workgroup],
        ['PUT', workgroup, { workgroup_name: 'a' }],
        ['GET', databaseUrl],
        ['PUT', databaseUrl, { svc_database_name: 'a' }]
      ] as const
    )[which]!
    await b.result(method, url, body)
    t.equal((await b.call('POST', `${workspace}/pause`)).status, 400)
    await b.advance('PT1H')
    t.strictSame(await rulesOf(b), [], `${method} ${url}`)
  }
})

testIn('a state that has not ended, or that a call followed, is not a finding', async (t, b) => {
  await b.setRules({ transition: 'workspace.create', outcome: 'hold' })
  const { url } = await create(b)
  await b.advance('P1D')
  t.strictSame(await rulesOf(b), [])
  await b.control('POST', '/transitions/release')
  await b.setRules()
  await b.advance('PT1H')
  t.strictSame(await rulesOf(b), TAKEN_FOR_END)
  t.equal((await b.call('POST', `${url}/pause`)).status, 200)
  await b.advance('PT1H')
  t.strictSame(await rulesOf(b), [])
})

testIn('only an end after the state was seen counts', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  const update = async (pause: boolean, status: string) => {
    t.equal((await b.result('PUT', url, { pause })).status, status)
  }
  await update(true, 'Pausing')
  await b.advance('PT5S')
  await update(false, 'Resuming')
  await b.advance('PT5S')
  t.equal((await b.result('GET', url)).status, 'Active')
  await b.setRules({ transition: 'workspace.pause', outcome: 'hold' })
  await update(true, 'Pausing')
  await b.advance('P1D')
  t.strictSame(await rulesOf(b), [])
  await b.control('POST', '/transitions/release')
  await b.advance('PT10S')
  t.strictSame(await rulesOf(b), TAKEN_FOR_END)
})

void t.test('a workspace is left running in each state that costs money', async (t) => {
  const free = ['Stopped', 'Idle', 'Terminating', 'Failed']
  for (const state of Object.keys(WORKSPACE_STATES) as WorkspaceState[]) {
    const b = await open()
    const { id } = await workspaceIn(b, state)
    t.strictSame((await leftBehind(b))['running-workspaces'], free.includes(state) ? undefined : [id], state)
  }
})

testIn('leftovers are listed with their ids', async (t, b) => {
  const running = await workspaceIn(b, 'Active')
  await workspaceIn(b, 'Stopped')
  const resuming = await workspaceIn(b, 'Resuming')
  t.strictSame(await leftBehind(b), {
    'running-workspaces': [running.id, resuming.id],
    'transitions-under-way': [resuming.id]
  })
  const backup = (await b.controlResult('POST', `/workspaces/${running.id}/backups`)).id as string
  t.match(await leftBehind(b), { 'transitions-under-way': [running.id, resuming.id], 'running-backups': [backup] })
  await b.advance('PT5S')
  const job = await b.result('POST', `${running.url}/backups/restore`, { backup_id: backup })
  t.match(await leftBehind(b), { 'restore-jobs': [job] })
  await b.advance('PT5S')
  t.strictSame(Object.keys(await leftBehind(b)), ['running-workspaces', 'transitions-under-way'], 'the resume is held')
})

testIn('an enabled allow list that admits everybody is left behind', async (t, b) => {
  const path = `/workgroups/${await b.createWorkgroup()}/allow_list`
  const { id: four } = await b.result('POST', path, { cidr: '0.0.0.0/0' })
  const { id: six } = await b.result('POST', path, { cidr: '::/0' })
  await b.result('POST', path, { cidr: '10.0.0.0/8' })
  t.strictSame(await leftBehind(b), {}, 'a list that is off is not looked at')
  await b.result('PUT', `${path}/enable`)
  t.strictSame(await leftBehind(b), { 'open-allow-list-entries': [four, six] })
  t.match((await b.controlResult('GET', '/report')).left_behind, [
    { message: 'Entries of allow lists admit everybody; list only the addresses that need access.' }
  ])
})

void t.test('the report covers one sandbox, and lists a workspace with several transitions once', async (t) => {
  const [b, other] = [await open(), await open()]
  const { id, url } = await workspaceIn(b, 'Active')
  await b.controlResult('POST', `/workspaces/${id}/backups`)
  await b.result('POST', `${url}/refresh`)
  t.strictSame((await leftBehind(b))['transitions-under-way'], [id])
  await b.advance('PT1M')
  t.strictSame(await leftBehind(b), { 'running-workspaces': [id] })
  for (let i = 0; i < 3; i++) await b.call('GET', `/workgroups/${NONE}`)
  t.strictSame([await rulesOf(b), await rulesOf(other)], [['polling-too-fast', 'error-ignored'], []])
})

import t from 'tap'
import { type Body, buildMock, CONTROLLER, matchSuccess, type Reply } from '../helper.js'
import { messageOf } from '../messages.js'
import { at, NONE, openSandbox, type TestSandbox, workspaceIn } from '../sandbox.js'

const idOf = (reply: Reply) => reply.headers['x-request-id'] as string

async function findings(b: TestSandbox): Promise<Body[]> {
  return (await b.controlResult('GET', '/report')).findings as Body[]
}

async function leftBehind(b: TestSandbox): Promise<Record<string, string[]>> {
  const { left_behind: list } = await b.controlResult('GET', '/report')
  return Object.fromEntries((list as Body[]).map(({ kind, ids }) => [kind, ids]))
}

void t.test('a sandbox in which nothing happened has nothing to report', async (t) => {
  const b = await openSandbox(await buildMock(t))
  matchSuccess(t, await b.control('GET', '/report'), 'Findings: 0; left behind: 0.', { findings: [], left_behind: [] })
})

void t.test(
  'reads of one URL in a row are too fast, unless a second goes by on one of the clocks, or something else is called',
  async (t) => {
    const b = await openSandbox(await buildMock(t))
    const url = `/workgroups/${await b.createWorkgroup()}`
    const replies = []
    for (let i = 0; i < 4; i++) replies.push(await b.call('GET', url))
    const [finding, ...others] = await findings(b)
    t.strictSame(others, [])
    t.strictSame([finding.rule, finding.requests], ['polling-too-fast', replies.map(idOf)])
    t.match(
      finding.message,
      new RegExp(
        `^GET ${CONTROLLER}${url} was called 4 times in a row, once only \\d+ ms after the call before; wait ` +
          `at least a second between two reads, by the clock of the machine or of the sandbox\\.$`
      )
    )

    await b.control('DELETE', '/requests')
    for (let i = 0; i < 4; i++) {
      await b.call('GET', url)
      await b.advance('PT1S')
    }
    t.strictSame(await findings(b), [], 'a second by the clock of the sandbox')
    await b.control('DELETE', '/requests')
    for (let i = 0; i < 4; i++) {
      await b.call('GET', url)
      await b.call('PUT', url, {})
    }
    t.strictSame(await findings(b), [], 'a change in between')
    await b.control('DELETE', '/requests')
    for (let i = 0; i < 4; i++) await b.call('GET', `${url}?operation=${i}`)
    for (let i = 0; i < 2; i++) await b.call('GET', '/workgroups')
    t.strictSame(await findings(b), [], 'other URLs, and two reads only')
  }
)

void t.test('what a client says in vain is told, once for each operation and name', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const body = { cloud_provider_id: 'a', workgroup_name: 'main' }
  const created = [await b.call('POST', '/workgroups', body), await b.call('POST', '/workgroups', body)]
  const refused = await b.call('POST', '/workgroups', { workgroup_name: 'main' })
  t.equal(refused.status, 400, 'which says itself what is wrong')
  const filtered = await b.call('GET', '/workgroups?region=us-east-1')
  const lost = await b.mock.call('GET', '/workgroups', { key: b.key, prefix: '' })
  t.strictSame(
    (await findings(b)).map(({ rule, requests }) => [rule, requests]),
    [
      ['unknown-path', [idOf(lost)]],
      ['ignored-input', created.map(idOf)],
      ['ignored-input', [idOf(filtered)]]
    ]
  )
  const [path, field, parameter] = (await findings(b)).map(({ message }) => message as string)
  t.match(path, `There is one at ${CONTROLLER}/workgroups.`)
  t.match(field, /^createWorkgroup ignores the field workgroup_name: its body has .*\bname\b/)
  t.match(parameter, /^listWorkgroups ignores the query parameter region:/)
  const group = created[0]!.body.Result.workgroup_id as string
  await b.control('DELETE', '/requests')
  const addon = { addons_id: 'a', enable: true, colour: 'red', enable_configuration: { anything: true } }
  await b.call('POST', `/workgroups/${group}/workspaces`, { addons: [addon] })
  t.match(await findings(b), [{ message: /^createWorkspace ignores the field addons\.0\.colour:/ }], 'deeper, too')
})

void t.test('a call that is repeated at once after a 429 or a 503 has no back-off', async (t) => {
  const b = await openSandbox(await buildMock(t))
  await b.control('POST', '/faults', { operation: 'createWorkgroup', times: 2, effect: { status: 503 } })
  const replies = []
  for (let i = 0; i < 3; i++) replies.push(await b.call('POST', '/workgroups', { cloud_provider_id: 'account' }))
  t.strictSame(await findings(b), [
    {
      rule: 'no-back-off',
      message:
        `POST ${CONTROLLER}/workgroups was repeated 2 times within a second of a 503; wait longer before each ` +
        'new try.',
      requests: replies.map(idOf)
    }
  ])
  await b.control('DELETE', '/requests')
  await b.control('POST', '/faults', { operation: 'createWorkgroup', times: 1, effect: { status: 429 } })
  await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  await b.advance('PT1S')
  await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  t.strictSame(await findings(b), [])
})

void t.test('Retry-After is to be kept', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const fault = { operation: 'listWorkgroups', times: 1, effect: { status: 429, retry_after: 5 } }
  await b.control('POST', '/faults', fault)
  const first = await b.call('GET', '/workgroups')
  await b.advance('PT4S')
  const second = await b.call('GET', '/workgroups')
  t.strictSame(await findings(b), [
    {
      rule: 'retry-after-ignored',
      message:
        `GET ${CONTROLLER}/workgroups was repeated once before the 5 s were over that Retry-After of a 429 ` +
        'asked for; wait as long as it says.',
      requests: [first, second].map(idOf)
    }
  ])
  await b.control('DELETE', '/requests')
  await b.control('POST', '/faults', fault)
  await b.call('GET', '/workgroups')
  await b.advance('PT5S')
  await b.call('GET', '/workgroups')
  t.strictSame(await findings(b), [])
})

void t.test('an error is ignored where the identical call meets it again', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const replies = [
    await b.call('POST', '/workgroups', { name: 'a' }),
    await b.call('POST', '/workgroups', { name: 'a' })
  ]
  await b.call('POST', '/workgroups', { name: 'b' })
  await b.call('POST', '/workgroups?again=1', { name: 'b' })
  const error = messageOf('invalidBody', { cloud_provider_id: 'required' })
  t.strictSame(await findings(b), [
    {
      rule: 'error-ignored',
      message:
        `POST ${CONTROLLER}/workgroups was repeated once as it was after a 400 (${error}), ` +
        'with the same error again; mend the request, or stop.',
      requests: replies.map(idOf)
    }
  ])
})

void t.test('a transient state is not the end: a call that is refused after it', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const created = await b.call('POST', path, {})
  const id = created.body.Result.workspace_id as string
  const refused = [await b.call('POST', `${path}/${id}/pause`), await b.call('POST', `${path}/${id}/refresh`)]
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
  await b.call('GET', `${path}/${id}`)
  await b.call('POST', `${path}/${id}/resume`)
  t.strictSame(await findings(b), expected, 'having looked later does not mend it')
})

void t.test('a transient state is not the end: nobody looks again', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const created = await b.call('POST', path, {})
  await b.advance('PT11S')
  t.strictSame(await findings(b), [], 'it ended only just now')
  await b.advance('PT1S')
  const id = created.body.Result.workspace_id as string
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
  await b.call('GET', `${path}/${id}`)
  t.strictSame(await findings(b), [])
})

void t.test('what is left behind is listed with its ids', async (t) => {
  const b = await openSandbox(await buildMock(t))
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

void t.test('an allow list that is on and lets everybody in is left behind', async (t) => {
  const b = await openSandbox(await buildMock(t))
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

void t.test('the report is of one sandbox', async (t) => {
  const mock = await buildMock(t)
  const [a, b] = [await openSandbox(mock), await openSandbox(mock)]
  for (let i = 0; i < 3; i++) await a.call('GET', `/workgroups/${NONE}`)
  t.equal((await findings(a)).length, 2)
  t.strictSame(await findings(b), [])
})

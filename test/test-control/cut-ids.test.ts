import t from 'tap'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

const ID = '1f0c2d3e-0000-4000-8000-000000000001'
const WORKSPACES = [
  { id: ID },
  { id: '5ca1ab1e-0000-4000-8000-000000000001' },
  { id: '5ca1ab1e-0000-4000-8000-000000000002' },
  { id: 'writer-of-reports' }
]

/** A sandbox whose workspaces, and one backup, came with a document. */
async function seeded() {
  const b = await openSandbox(mock)
  const backups = [{ id: 'bac0bac0-0000-4000-8000-000000000001', status: 'Succeeded' }]
  const [first, ...others] = WORKSPACES
  await b.controlResult('PUT', '/state', {
    clock: { mode: 'frozen', now: '2026-01-01T00:00:00Z' },
    workgroups: [{ id: 'main', workspaces: [{ ...first, backups }, ...others] }]
  })
  return b
}

void t.test('an id may be shortened as in a table, or as in git', async (t) => {
  const b = await seeded()
  for (const cut of [ID, '1f0c2d3e…', '1f0c2d3e', '1f0c', ID.slice(0, 20)]) {
    t.match(await b.controlResult('GET', `/workspaces/${encodeURIComponent(cut)}`), { backups: [{}] }, cut)
    t.equal((await b.control('POST', `/workspaces/${encodeURIComponent(cut)}/activity`)).status, 200)
    t.match(await b.controlResult('POST', `/workspaces/${encodeURIComponent(cut)}/backups`), { status: 'Running' })
  }
  t.equal((await b.control('GET', `/workspaces/${encodeURIComponent('writer-of…')}`)).status, 200)
  for (const other of ['1f0', 'writer-of', '0bad', '0bad…', '…'])
    t.equal((await b.control('GET', `/workspaces/${encodeURIComponent(other)}`)).status, 404, other)
})

void t.test('a shortened id names a resource in every call', async (t) => {
  const b = await seeded()
  await b.setRules({ transition: 'workspace.pause', resource_id: '1f0c2d3e…', outcome: 'hold' })
  t.match(await b.controlResult('GET', '/transitions'), { rules: [{ resource_id: ID }] })
  t.match(await b.controlResult('POST', '/faults', { workspace_id: '1f0c', times: 1, effect: { status: 503 } }), {
    workspace_id: ID
  })
  t.equal((await b.call('GET', `/workgroups/main/workspaces/${ID}`)).status, 503)
  const where = { workspace_id: '1f0c2d3e' }
  t.match(await b.controlResult('POST', '/requests/verify', { operation: 'getWorkspace', where }), { count: 1 })
  const pause = await b.call('POST', `/workgroups/main/workspaces/${ID}/pause`)
  t.equal(pause.status, 200)
  t.match(await b.controlResult('GET', '/timeline?workspace_id=1f0c2d3e'), [{ resource_id: ID, to: 'Pausing' }])
  t.match(await b.controlResult('POST', '/transitions/release', { resource_id: '1f0c2d3e' }), {
    fired: [{ resource_id: ID }]
  })
  await b.call('POST', `/workgroups/main/workspaces/${ID}/resume`)
  await b.controlResult('POST', '/clock/advance', { until: { workspace_id: '1f0c2d3e', status: 'Active' } })
})

void t.test('a shortened RequestID names a request, also one that only the timeline has', async (t) => {
  const b = await seeded()
  const { body } = await b.call('POST', `/workgroups/main/workspaces/${ID}/pause`)
  const { RequestID: id } = body as { RequestID: string }
  const cut = `${id.slice(0, 8)}…`
  t.match(await b.controlResult('GET', `/requests/${encodeURIComponent(cut)}`), { request: { request_id: id } })
  t.match(await b.controlResult('GET', `/requests?request_id=${encodeURIComponent(cut)}`), {
    requests: [{ request_id: id }]
  })
  await b.controlResult('DELETE', '/requests')
  t.match(await b.controlResult('GET', `/requests/${id.slice(0, 8)}`), {
    request: null,
    timeline: [{ request_id: id }]
  })
})

void t.test('a shortened id that several resources have is refused, and lists them', async (t) => {
  const b = await seeded()
  for (const [method, path, body] of [
    ['GET', '/workspaces/5ca1ab1e'],
    ['POST', '/workspaces/5ca1/backups', {}],
    ['GET', '/timeline?workspace_id=5ca1ab1e'],
    ['POST', '/transitions/release', { resource_id: '5ca1ab1e' }],
    ['POST', '/clock/advance', { until: { workspace_id: '5ca1ab1e', status: 'Stopped' } }]
  ] as const) {
    const { status, body: reply } = await b.control(method, path, body)
    t.equal(status, 400, path)
    for (const { id } of WORKSPACES.slice(1, 3)) t.ok((reply as { Message: string }).Message.includes(id), path)
  }
})

void t.test('an id that is also the beginning of others names itself', async (t) => {
  const b = await openSandbox(mock)
  await b.controlResult('PUT', '/state', {
    workgroups: [{ id: 'main', workspaces: [{ id: 'cafe' }, { id: 'cafe-2' }] }]
  })
  t.equal((await b.control('GET', '/workspaces/cafe')).status, 200)
})

import t from 'tap'
import { type Body, buildMock, matchError, matchSuccess } from '../helper.js'
import { type Fields, oneOf, wrongType } from '../messages.js'
import { at, seconds, testsIn, workspaceIn } from '../sandbox.js'

const testIn = testsIn(await buildMock(t))
const TRANSITIONS = [
  { name: 'workspace.create', min_ms: 2000, max_ms: 2000 },
  { name: 'workspace.pause', min_ms: 1000, max_ms: 1000 },
  { name: 'workspace.resume', min_ms: 2000, max_ms: 2000 },
  { name: 'workspace.resize', min_ms: 2000, max_ms: 2000 },
  { name: 'restore.run', min_ms: 3000, max_ms: 3000 },
  { name: 'workspace.delete', min_ms: 1000, max_ms: 1000 },
  { name: 'workspace.refresh', min_ms: 1000, max_ms: 1000 },
  { name: 'backup.run', min_ms: 2000, max_ms: 2000 }
]
const KNOWN = oneOf(...TRANSITIONS.map(({ name }) => name))

testIn(
  'PUT replaces all rules, keeps their order, and returns them with their defaults and all transitions, as GET does',
  async (t, b) => {
    const rules = [
      { transition: 'workspace.pause', resource_id: 'a', after: 'P1M', outcome: 'fail', reason: 'No.', times: 3 },
      { transition: 'workspace.resume' },
      { transition: 'workspace.create', outcome: 'fail' },
      { transition: 'workspace.delete', outcome: 'hold' }
    ]
    const expected = [
      rules[0],
      { transition: 'workspace.resume', outcome: 'complete' },
      { transition: 'workspace.create', outcome: 'fail', reason: 'Simulated failure.' },
      rules[3]
    ]
    matchSuccess(t, await b.control('PUT', '/transitions', { rules }), 'The rules were replaced.', {
      rules: expected,
      transitions: TRANSITIONS
    })
    matchSuccess(t, await b.control('GET', '/transitions'), 'Done.', {
      rules: expected,
      transitions: TRANSITIONS
    })
    t.strictSame((await b.controlResult('PUT', '/transitions', { rules: [] })).rules, [])
  }
)

testIn('PUT names every error of every rule, and the known names, and keeps the old rules', async (t, b) => {
  const old = { transition: 'workspace.pause', outcome: 'hold' }
  await b.setRules(old)
  const cases: [rules: unknown, fields: Fields][] = [
    [
      [{ transition: 'workspace.create' }, { transition: 'x', after: '5', outcome: 'complete', reason: 'r' }],
      {
        'rules.1.transition': KNOWN,
        'rules.1.after': 'duration',
        'rules.1.reason': 'onlyWithFail'
      }
    ],
    [[{ transition: 'workspace.create', after: 'PT1S', outcome: 'hold' }], { 'rules.0.after': 'afterHeld' }],
    [[{ transition: 'workspace.create', after: '5', outcome: 'hold' }], { 'rules.0.after': 'afterHeld' }],
    [[{ transition: 'workspace.create', reason: 'r' }], { 'rules.0.reason': 'onlyWithFail' }],
    [
      [{ transition: 'workspace.create', times: 0 }, 5, { transition: 'workspace.create', after: '5' }],
      {
        'rules.0.times': ['atLeast', { limit: 1 }],
        'rules.1': wrongType('object', 'number'),
        'rules.2.after': 'duration'
      }
    ],
    [Array(1001).fill({ transition: 'x' }), { rules: ['maxItems', { limit: 1000 }] }]
  ]
  for (const [rules, fields] of cases)
    matchError(t, await b.control('PUT', '/transitions', { rules }), 'invalidBody', fields)
  t.strictSame((await b.controlResult('GET', '/transitions')).rules, [old])
})

testIn('a rule applies to later transitions, as often as times allows', async (t, b) => {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const create = async () => (await b.result('POST', path, {})).workspace_id as string
  const first = await create()
  await b.setRules(
    { transition: 'workspace.create', after: 'P1M', times: 1 },
    { transition: 'workspace.create', outcome: 'fail', after: 'PT1M', times: 2 }
  )
  const ids = [first]
  for (let i = 0; i < 4; i++) ids.push(await create())
  t.strictSame((await b.controlResult('GET', '/transitions')).rules, [], 'used up')
  const due = new Map((await b.events()).map(({ resource_id, due }) => [resource_id as string, due as string]))
  const all = ids.map((id) => due.get(id))
  t.strictSame(all, [at(2), '2026-02-01T00:00:00.000Z', at(60), at(60), at(2)])
  await b.advance('P1M')
  t.strictSame(await Promise.all(ids.map(async (id) => (await b.result('GET', `${path}/${id}`)).status as string)), [
    'Active',
    'Active',
    'Failed',
    'Failed',
    'Active'
  ])
  t.equal((await b.timeline(ids[2])).at(-1).reason, 'Simulated failure.')
})

testIn('each use counts down times, and a refused operation does not', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  await b.setRules({ transition: 'workspace.pause', after: 'PT0S', times: 2 })
  const times = async () =>
    ((await b.controlResult('GET', '/transitions')).rules as Body[]).map(({ times }) => times as number)
  await b.result('POST', `${url}/pause`)
  t.strictSame(await times(), [1])
  await b.result('POST', `${url}/pause`)
  t.equal((await b.call('PUT', url, { pause: false, workspace_name: '' })).status, 400)
  t.equal((await b.call('POST', `${url}/refresh`)).status, 400)
  t.strictSame(await times(), [1])
  await b.result('POST', `${url}/resume`)
  t.equal((await b.call('PUT', url, { pause: true })).status, 400)
  t.strictSame(await times(), [1])
})

testIn('a rule for one workspace wins over one for all, and does not affect others', async (t, b) => {
  const [one, other] = [await workspaceIn(b, 'Active'), await workspaceIn(b, 'Active')]
  await b.setRules(
    { transition: 'workspace.pause', after: 'PT30S' },
    { transition: 'workspace.pause', resource_id: one.id, outcome: 'fail', reason: 'Only this one.' }
  )
  for (const { url } of [one, other]) await b.result('POST', `${url}/pause`)
  await b.advance('PT1M')
  t.match(await b.result('GET', one.url), { status: 'Active', last_modified_time: seconds(at(1)) })
  t.match(await b.result('GET', other.url), { status: 'Stopped', last_modified_time: seconds(at(30)) })
})

testIn('a held transition ends, or fails, at the time of its release', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Pausing')
  const held = await b.events()
  await b.advance('P30D')
  t.equal((await b.result('GET', url)).status, 'Pausing')
  const now = await b.now()
  matchSuccess(t, await b.control('POST', '/transitions/release'), 'Events run: 1.', {
    fired: [{ at: now, event: 'workspace.pause', resource_id: id, request_id: held[0].request_id }]
  })
  t.match(await b.result('GET', url), { status: 'Stopped', last_modified_time: seconds(now) })
  matchSuccess(t, await b.control('POST', '/transitions/release', {}), 'Events run: 0.', { fired: [] })
})

testIn('release ends all held transitions, or those of one name, one workspace, or both', async (t, b) => {
  const states = ['Creating', 'Pausing', 'Resuming', 'Resuming', 'Terminating'] as const
  const all: string[] = []
  for (const state of states) all.push((await workspaceIn(b, state)).id)
  const release = async (body: object) =>
    ((await b.controlResult('POST', '/transitions/release', body)).fired as Body[]).map(({ resource_id }) =>
      all.indexOf(resource_id as string)
    )
  t.strictSame(await release({ transition: 'workspace.resize' }), [])
  t.strictSame(await release({ transition: 'workspace.pause', resource_id: all[0] }), [])
  t.strictSame(await release({ transition: 'workspace.resume', resource_id: all[3] }), [3])
  t.strictSame(await release({ transition: 'workspace.resume' }), [2])
  t.strictSame(await release({ resource_id: all[4] }), [4])
  t.strictSame(await release({}), [0, 1], 'in the order in which they began')
})

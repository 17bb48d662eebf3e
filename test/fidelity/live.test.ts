import t, { type Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import type { Plan } from '../../src/fidelity/live/plan.js'
import { PlanError } from '../../src/fidelity/live/plan-error.js'
import { LIFE_CYCLE, READ_ONLY } from '../../src/fidelity/live/plans.js'
import { readPlan } from '../../src/fidelity/live/read-plan.js'
import { runPlan } from '../../src/fidelity/live/run-plan.js'
import { startMock } from '../../src/node/mock.js'
import { openProfile } from '../../src/profile/file.js'
import { builtInWording } from '../../src/resources/vocabulary.js'

type RunOptions = Parameters<typeof runPlan>[0]

/** A server whose clock moves as far as the plan waits. */
async function serve(t: Test, options: Parameters<typeof startMock>[0] = {}) {
  const mock = await startMock({ transitions: 'realistic', ...options })
  t.teardown(() => mock.close())
  const box = mock.sandbox('demo')
  await box.clock.freeze()
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    await box.clock.advance({ by: `PT${milliseconds / 1000}S` })
  }
  const run = async (plan: Plan, options: Partial<RunOptions> = {}) => {
    const exchanges: Exchange[] = []
    for await (const exchange of runPlan({ url: mock.url, key: 'demo', plan, wait, ...options }))
      exchanges.push(exchange)
    return exchanges
  }
  return { mock, box, waits, run }
}

const statuses = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ body }) => {
    const { Result: result } = (body ?? {}) as { Result?: { workspace_id?: string; status?: string } }
    return result?.workspace_id === undefined ? [] : [result.status]
  })

void t.test('the read-only plan reads everything that exists, and changes nothing', async (t) => {
  const { box, run, waits } = await serve(t)
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  await box.call('createWorkspace', { workgroupID, body: {} })
  const calls: string[] = []
  const exchanges = await run(READ_ONLY, { session: 'demo', onStep: ({ operation }) => calls.push(operation) })
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
  t.strictSame(
    exchanges.map(({ number }) => number),
    calls.map((_, index) => index + 1)
  )
  t.match(exchanges[0], { requestHeaders: { 'x-api-key': 'demo' }, query: '', body: { Error: false } })
  t.ok(waits.every((milliseconds) => milliseconds === 200))

  const without = await run(READ_ONLY)
  t.equal(without.length, calls.length - 1, 'without a session, what needs one is left out')
  t.equal((await run(READ_ONLY, { maxCalls: 3 })).length, 3)
})

void t.test('the life-cycle plan leads a workspace through its states, and removes what it made', async (t) => {
  const { box, run } = await serve(t)
  const exchanges = await run(LIFE_CYCLE, { values: { cloud_provider_id: 'account' } })
  const seen = statuses(exchanges).filter((status, index, all) => status !== all[index - 1])
  t.strictSame(seen.slice(0, 6), ['Creating', 'Active', 'Stopping', 'Stopped', 'Resuming', 'Active'])
  const { requestBody } = exchanges.find(({ method }) => method === 'POST')!
  t.match(requestBody, { name: /^svc-mock-/, cloud_provider_id: 'account', region: 'us-east-1' })
  t.strictSame(await box.call('listWorkgroups'), [])
})

void t.test('what was made is removed after an error, a signal, and when nobody reads on', async (t) => {
  const { box, mock, run, waits } = await serve(t)
  const values = { cloud_provider_id: 'account' }
  const kept = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a', name: 'mine' } })
  const rest = async () => (await box.call('listWorkgroups')).map(({ workgroup_id: id }) => id)

  await box.transitions.replace([{ transition: 'workspace.pause', outcome: 'fail' }])
  await t.rejects(run(LIFE_CYCLE, { values }), { name: 'PlanError' })
  t.strictSame(await rest(), [kept.workgroup_id])

  await box.transitions.replace([])
  const stop = new AbortController()
  await run(LIFE_CYCLE, {
    values,
    signal: stop.signal,
    onStep: ({ operation }) => {
      if (operation === 'getWorkspace') stop.abort()
    }
  })
  t.strictSame(await rest(), [kept.workgroup_id])

  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    await box.clock.advance({ by: `PT${milliseconds / 1000}S` })
  }
  for await (const { method, path } of runPlan({ url: mock.url, key: 'demo', plan: LIFE_CYCLE, values, wait }))
    if (method === 'POST' && path.endsWith('/workspaces')) break
  t.strictSame(await rest(), [kept.workgroup_id])

  await box.fault.add({ operation: 'createWorkgroup', times: 1, phase: 'after-commit', effect: { reply: 'drop' } })
  await t.rejects(run(LIFE_CYCLE, { values }), { name: 'PlanError' })
  t.strictSame(await rest(), [kept.workgroup_id], 'also if the reply to its creation was lost')
})

void t.test('a reply that asks to wait is waited for', async (t) => {
  const { box, run, waits } = await serve(t)
  await box.fault.add({ operation: 'listWorkgroups', times: 2, effect: { status: 429, retry_after: 7 } })
  const exchanges = await run({ plan: 1, steps: [{ operation: 'listWorkgroups' }] })
  t.strictSame(
    exchanges.map(({ status }) => status),
    [429, 429, 200]
  )
  t.strictSame(waits, [7000, 200, 7000, 200])
})

void t.test('a plan may be a file', async (t) => {
  const plan = await readPlan(`
plan: 1
steps:
  - name: groups
    operation: listWorkgroups
  - operation: getWorkspace
    each: groups.workspaces
    params: { workgroupID: '{{each.workgroup_id}}', workspaceID: '{{each.workspace_id}}' }
    until: { field: status, in: [Active], every: 5s, within: PT30M }
finally:
  - operation: getMetadata
`)
  const { run, box } = await serve(t)
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  await box.call('createWorkspace', { workgroupID, body: {} })
  const exchanges = await run(plan)
  t.equal(statuses(exchanges).at(-1), 'Active')
  t.ok(exchanges.at(-1)!.path.endsWith('/meta'))
  for (const text of [
    '',
    'plan: 2',
    'plan: 1\nsteps: []',
    'plan: 1\nsteps: [{operation: dance}]',
    'plan: 1\nsteps: [{operation: getMetadata, until: {every: 1s, within: 1m}}]',
    'plan: 1\nsteps: [{operation: getMetadata, until: {status: [200], every: soon, within: 1m}}]'
  ])
    await t.rejects(readPlan(text), PlanError, text)
})

/** Runs a plan that fails. @returns how */
async function failureOf(running: Promise<unknown>): Promise<PlanError> {
  const error: unknown = await running.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (!(error instanceof PlanError)) throw new Error('the plan has not failed', { cause: error })
  return error
}

void t.test('a credential that is refused at first ends the plan', async (t) => {
  const { run } = await serve(t, { auth: 'strict', apiKeys: ['own=demo'] })
  const called: string[] = []
  const onStep = ({ operation }: { readonly operation: string }) => called.push(operation)
  for (const plan of [READ_ONLY, LIFE_CYCLE]) {
    const error = await failureOf(run(plan, { key: 'wrong', onStep }))
    t.match(error, { credential: 'key' })
    t.match(error.message, '401')
    t.strictSame(called.splice(0), ['listWorkgroups'])
  }
  t.match(await failureOf(run(READ_ONLY, { session: 'wrong' })), { credential: 'session' })
})

void t.test(
  'a caller without the right to the first operation is refused, but not one who lacks it later',
  async (t) => {
    const { box, run } = await serve(t)
    await box.fault.add({ operation: 'getMetadata', effect: { status: 403 } })
    t.ok((await run(READ_ONLY)).some(({ status }) => status === 403))
    await box.fault.add({ operation: 'listWorkgroups', effect: { status: 403 } })
    t.match(await failureOf(run(READ_ONLY)), { credential: 'key' })
  }
)

const RUNNING = { profile: 1, name: 'running', states: { workspace: { Active: 'Running', Stopped: 'Off' } } } as const

void t.test('states are awaited in the words of the profile', async (t) => {
  const { box, run } = await serve(t, { profile: RUNNING })
  const profile = await openProfile(RUNNING, builtInWording)
  const seen: unknown[] = []
  const exchanges = await run(LIFE_CYCLE, {
    values: { cloud_provider_id: 'account' },
    profile,
    onStep: (progress) => seen.push(progress)
  })
  const words = statuses(exchanges).filter((status, index, all) => status !== all[index - 1])
  t.strictSame(words.slice(0, 6), ['Creating', 'Running', 'Stopping', 'Off', 'Resuming', 'Running'])
  t.match(
    seen.find((progress) => (progress as { waited?: number }).waited === 10_000),
    { operation: 'getWorkspace', seen: 'Creating' }
  )
  t.strictSame(await box.call('listWorkgroups'), [])
})

void t.test('a word that no profile has is not awaited for ever', async (t) => {
  const { box, waits, run } = await serve(t, { profile: RUNNING })
  const remarks: string[] = []
  const onRemark = (remark: string) => remarks.push(remark)
  const error = await failureOf(run(LIFE_CYCLE, { values: { cloud_provider_id: 'account' }, onRemark }))
  t.match(error.message, /getWorkspace .*Running.*states\.workspace\.Active/)
  t.match(remarks, [/getWorkspace.*Running/])
  const waited = waits.reduce((sum, one) => sum + one, 0)
  t.ok(waited < 15 * 60_000, `${waited / 1000} s`)
  t.strictSame(await box.call('listWorkgroups'), [], 'what it has made is removed')
})

void t.test('a step without whose result others cannot run fails the plan', async (t) => {
  const { box, run } = await serve(t)
  const error = await failureOf(run(LIFE_CYCLE))
  t.match(error, { missing: ['cloud_provider_id'] })
  t.match(error.message, /createWorkgroup.*400.*cloud_provider_id/)

  await box.fault.add({ operation: 'pauseWorkspace', effect: { status: 409, reason: 'Not now.' } })
  const values = { cloud_provider_id: 'account' }
  const later = await failureOf(run(LIFE_CYCLE, { values }))
  t.match(later.message, /pauseWorkspace.*409/)
  t.strictSame(await box.call('listWorkgroups'), [])
})

void t.test('a service that does not answer is told as such', async (t) => {
  const { mock, run } = await serve(t)
  await mock.close()
  t.match((await failureOf(run(READ_ONLY))).message, /listWorkgroups.*ECONNREFUSED/)
})

void t.test('a step that cannot be run is told', async (t) => {
  const { box, run } = await serve(t)
  await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  const remarks: string[] = []
  const plan = await readPlan(`
plan: 1
steps:
  - { name: groups, operation: listWorkgroups }
  - { operation: getWorkgroup, each: groups, params: { workgroupID: '{{each.workgroup_idx}}' } }
  - { operation: getMetadata, each: groups.spaces }
  - { operation: getMetadata, each: groups.workspaces }
`)
  const exchanges = await run(plan, { onRemark: (remark) => remarks.push(remark) })
  t.equal(exchanges.length, 1)
  t.match(remarks, [/step 2 .*getWorkgroup.*each\.workgroup_idx/, /step 3 .*getMetadata.*spaces/])
  t.equal(remarks.length, 2, 'an empty list is none to tell of')
})

void t.test('a plan that cannot be right is refused, with the place', async (t) => {
  for (const [steps, says] of [
    ['[{operation: listWorkgroup}]', /listWorkgroup\b.*listWorkgroups.*line 2/],
    ['[{operation: getMetadata}, {operation: getWorkgroup}]', /step 2 .*getWorkgroup.*workgroupID.*line 2/],
    ['[{operation: getWorkgroup, params: {workgroupId: a}}]', /step 1 .*workgroupId\b.*workgroupID/],
    ['[{name: groups, operation: listWorkgroups}, {operation: getMetadata, each: group}]', /step 2 .*group\b.*groups/]
  ] as const) {
    const { message } = await failureOf(readPlan(`plan: 1\nsteps: ${steps}`))
    t.match(message, says)
  }
})

void t.test('a service is called at the paths of the profile, and with its names of fields', async (t) => {
  const renamed = {
    profile: 1,
    name: 'renamed',
    names: { fields: { workgroup_id: 'group_id', cloud_provider_id: 'account', name: 'title', status: 'phase' } },
    routes: [
      { operation: 'listWorkgroups', off: true },
      { operation: 'listWorkgroups', method: 'GET', path: '/teams' },
      { operation: 'pauseWorkspace', off: true },
      { operation: 'pauseWorkspace', method: 'PUT', path: '/teams/{team}/spaces/{space}/halt' },
      { operation: 'getMetadata', off: true },
      { operation: 'getCurrentIP', off: true }
    ]
  } as const
  const { box, run } = await serve(t, { profile: renamed })
  const profile = await openProfile(renamed, builtInWording)
  const values = { cloud_provider_id: 'a', workspace_type_name: 'SVC-00', svc_version: '4.2.1' }
  const remarks: string[] = []
  const exchanges = await run(LIFE_CYCLE, { profile, values, onRemark: (remark) => remarks.push(remark) })
  t.match(remarks, [/step 2 \(getMetadata\)/])
  const paths = exchanges.map(({ method, path }) => `${method} ${path}`)
  t.ok(paths.includes('GET /teams'))
  t.ok(paths.some((path) => /^PUT \/teams\/[^/]+\/spaces\/[^/]+\/halt$/.test(path)))
  t.match(exchanges.find(({ method }) => method === 'POST')!.requestBody, { title: /^svc-mock-/, account: 'a' })
  t.strictSame(await box.call('listWorkgroups'), [])

  await box.state.replace({ workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] })
  const read = await run(READ_ONLY, { profile })
  t.ok(read.some(({ path }) => path.endsWith('/main/workspaces/writer')))
  t.ok(read.every(({ status }) => status === 200 || status === 404))
})

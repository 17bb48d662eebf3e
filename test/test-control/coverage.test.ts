import t from 'tap'
import { WORKSPACE_STATES, type WorkspaceState } from '../../src/resources/workspaces/lifecycle.js'
import { coverageAsJUnit, DIMENSIONS } from '../../src/test-control/coverage/coverage.js'
import { type Body, buildMock, matchSuccess } from '../helper.js'
import { readOperations } from '../operations.js'
import { NONE, openSandbox, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const testIn = testsIn(await buildMock(t))

const read = (b: TestSandbox) => b.controlResult('GET', '/coverage')

/** What was exercised, with its counts. */
function exercised(items: Body[]): Record<string, number> {
  return Object.fromEntries(items.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}

const names = (items: Body[]) => items.map(({ name }) => name as string)

testIn('at first, all operations are listed, and none is exercised', async (t, b) => {
  const coverage = await read(b)
  const operations = readOperations()
  t.strictSame(names(coverage.operations).sort(), operations.map(({ operationId }) => operationId).sort())
  for (const dimension of DIMENSIONS) {
    t.strictSame(coverage.summary[dimension], { exercised: 0, total: coverage[dimension].length }, dimension)
    t.strictSame(new Set(names(coverage[dimension])).size, coverage[dimension].length, `${dimension} has no name twice`)
  }
  const statusesOf = (id: string) =>
    names(coverage.statuses)
      .filter((name) => name.startsWith(`${id} `))
      .map((name) => Number(name.split(' ')[1]))
  for (const { operationId, success } of operations) t.equal(statusesOf(operationId)[0], success, operationId)
  t.strictSame(statusesOf('createWorkgroup'), [200, 400, 413, 415])
  t.strictSame(statusesOf('listWorkgroups'), [200])
  t.strictSame(statusesOf('getWorkgroup'), [200, 404])
  t.strictSame(statusesOf('pauseWorkspace'), [200, 400, 404])
  t.strictSame(statusesOf('createWorkspace'), [200, 400, 403, 404, 413, 415])
  t.strictSame(statusesOf('updateOrgUserRoles'), [204, 400, 403, 404, 413, 415])
  t.strictSame(statusesOf('deleteWorkspaceSchedule'), [200, 400, 404, 413, 415])
  t.strictSame(
    operations
      .filter(({ operationId, body }) => body === undefined && statusesOf(operationId).includes(400))
      .map(({ operationId }) => operationId),
    [
      'deleteWorkgroup',
      'deleteDatabase',
      'deleteWorkspace',
      'listDatabaseUsers',
      'pauseWorkspace',
      'refreshWorkspace',
      'resumeWorkspace'
    ],
    'those that a state or a dependant refuses, without a body that could be wrong'
  )
  const edgesOf = (transition: string) =>
    names(coverage.transitions).flatMap((name) => (name.startsWith(`${transition}: `) ? [name.split(': ')[1]!] : []))
  t.strictSame(edgesOf('workspace.create'), ['(none) → Creating', 'Creating → Active', 'Creating → Failed'])
  const ofPause = ['Active → Pausing', 'Pausing → Stopped', 'Pausing → Idle', 'Pausing → Active']
  t.strictSame(edgesOf('workspace.pause'), ofPause)
  t.match(edgesOf('workspace.delete').slice(-2), ['Terminating → gone', 'Terminating → Failed'])
  t.ok(names(coverage.guards).includes('workspace.pause in Resizing'))
  t.notOk(names(coverage.guards).includes('workspace.resize in Terminating'), 'an update is refused before')
  t.strictSame(names(coverage.errors), [
    'invalidBody',
    'notAllowed',
    'forbidden',
    'quotaExceeded',
    'notFound',
    'methodNotAllowed',
    'bodyTooLarge',
    'unsupportedMediaType',
    'databaseFull',
    'unavailable'
  ])
})

testIn('coverage counts operations, statuses, transitions, guards and errors', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  const { workspace_id: id } = await b.result('POST', path, {})
  await b.call('POST', `${path}/${id}/pause`)
  await b.advance('PT5S')
  await b.call('POST', `${path}/${id}/pause`)
  await b.call('GET', `/workgroups/${NONE}`)
  await b.call('POST', `${path}/${id}/backups/schedule`, { schedule: 'x' })
  await b.call('GET', '/nowhere')
  await b.control('PUT', '/quotas', { rw_workspaces: 'x' })
  const coverage = await read(b)
  t.strictSame(exercised(coverage.operations), {
    createWorkgroup: 1,
    getWorkgroup: 1,
    createWorkspace: 1,
    pauseWorkspace: 2,
    setBackupSchedule: 1
  })
  t.strictSame(exercised(coverage.statuses), {
    'createWorkgroup 200': 1,
    'getWorkgroup 404': 1,
    'createWorkspace 200': 1,
    'pauseWorkspace 200': 1,
    'pauseWorkspace 400': 1,
    'setBackupSchedule 400': 1
  })
  t.strictSame(exercised(coverage.transitions), {
    'workspace.create: (none) → Creating': 1,
    'workspace.create: Creating → Active': 1,
    'workspace.pause: Active → Pausing': 1
  })
  t.strictSame(exercised(coverage.guards), { 'workspace.pause in Creating': 1 })
  const errors = exercised(coverage.errors)
  t.strictSame(errors, { invalidBody: 1, notAllowed: 1, notFound: 2 }, 'calls of the control API do not count')
  t.strictSame(coverage.summary.guards.exercised, 1)
})

void t.test('the listed guards are exactly those that requests can meet', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  for (const state of Object.keys(WORKSPACE_STATES) as WorkspaceState[]) {
    const { url } = await workspaceIn(b, state)
    // What is refused by the state changes nothing, so all of it can be tried on one workspace until something is
    // accepted.
    for (const [method, path, body] of [
      ['PUT', '', { workspace_name: 'a', workspace_type_name: 'SVC-4' }],
      ['POST', '/refresh'],
      ['POST', '/backups/restore', { backup_id: NONE }],
      ['POST', '/backups/schedule', { schedule: '0 3 * * *' }],
      ['GET', '/dbuser']
    ] as const)
      await b.call(method, `${url}${path}`, body)
    for (const verb of ['pause', 'resume']) await b.call('POST', `${(await workspaceIn(b, state)).url}/${verb}`)
    await b.call('DELETE', url)
  }
  const workgroup = await b.createWorkgroup()
  const { database_id } = await b.createActive(workgroup)
  const readOnly = await b.createActive(workgroup, { svc_database_id: database_id, is_rw: false })
  const url = `/workgroups/${workgroup}/workspaces/${readOnly.workspace_id}`
  await b.call('PUT', url, { workspace_type_name: 'SVC-4' })
  await b.call('POST', `${url}/backups/restore`, { backup_id: NONE })
  await b.call('POST', `${url}/backups/schedule`, { schedule: '0 3 * * *' })
  const { guards } = await read(b)
  t.strictSame(Object.keys(exercised(guards)), names(guards), 'all of them were met')
  t.strictSame(new Set(b.sandbox.coverage.of('guards').keys()), new Set(names(guards)), 'and no others')
})

testIn('a request with an injected fault counts only as a fault', async (t, b) => {
  await b.control('POST', '/faults', { operation: 'listWorkgroups', effect: { status: 503 } })
  await b.call('GET', '/workgroups')
  const coverage = await read(b)
  t.strictSame(exercised(coverage.faults), { listWorkgroups: 1 })
  for (const dimension of ['operations', 'statuses', 'errors'])
    t.strictSame(exercised(coverage[dimension]), {}, dimension)
})

void t.test('coverage belongs to one sandbox, outlives the journal, and can be cleared', async (t) => {
  const mock = await buildMock(t, { journalRequests: 1 })
  const [a, b] = [await openSandbox(mock), await openSandbox(mock)]
  for (let i = 0; i < 3; i++) await a.call('GET', '/workgroups')
  await a.control('DELETE', '/requests')
  t.strictSame(exercised((await read(a)).operations), { listWorkgroups: 3 })
  t.strictSame(exercised((await read(b)).operations), {})
  matchSuccess(t, await a.control('DELETE', '/coverage'), 'The coverage was reset.')
  t.strictSame(exercised((await read(a)).operations), {})
})

testIn('JUnit XML has a suite per dimension, and skips items that were not exercised', async (t, b) => {
  await b.call('GET', '/workgroups')
  await b.call('GET', `/workgroups/${NONE}`)
  const { summary } = await read(b)
  const { status, body, headers } = await b.control('GET', '/coverage?format=junit')
  t.equal(status, 200)
  t.equal(headers['content-type'], 'application/xml; charset=utf-8')
  const text = body as string
  t.match(text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/)
  t.match(text, '    <testcase classname="operations" name="listWorkgroups"/>\n')
  t.match(text, '<testcase classname="operations" name="createWorkgroup"><skipped message="not exercised"/></testcase>')
  const tags = [...text.matchAll(/<(testsuites?) name="([^"]+)" tests="(\d+)" [^>]*skipped="(\d+)">/g)]
  const [whole, ...suites] = tags.map(([, tag, name, tests, skipped]) => ({
    tag,
    name,
    tests: Number(tests),
    skipped: Number(skipped)
  }))
  t.strictSame(
    suites,
    DIMENSIONS.map((name) => {
      const { total, exercised } = summary[name] as { total: number; exercised: number }
      return { tag: 'testsuite', name, tests: total, skipped: total - exercised }
    })
  )
  const sum = (field: 'tests' | 'skipped') => suites.reduce((total, suite) => total + suite[field], 0)
  t.match(whole, { tag: 'testsuites', tests: sum('tests'), skipped: sum('skipped') })
  const report = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, [{ name: `<&>"'`, count: 1 }]]))
  t.match(coverageAsJUnit(report as never), 'name="&lt;&amp;&gt;&quot;&apos;"')
})

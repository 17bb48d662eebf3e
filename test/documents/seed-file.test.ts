import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { type Body, CONTROLLER } from '../helper.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/seed.yaml', import.meta.url))

void t.test('examples/seed.yaml is what every new sandbox begins with, as the interface shows it', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const mock = await startMock({ seedFile: EXAMPLE, db })
  t.teardown(mock.close)
  const send = async (path: string, key: string) => {
    const reply = await fetch(`${mock.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    t.equal(reply.status, 200, path)
    const answer = (await reply.json()) as Body
    return Array.isArray(answer) ? answer : answer.Result
  }
  const get = (path: string, key = 'a') => send(`${CONTROLLER}${path}`, key)

  const groups = (await get('/workgroups')) as Body[]
  t.match(groups, [
    {
      workgroup_id: 'production',
      name: 'Production',
      org_id: 'demo-org',
      org_name: 'Demo Org',
      platform: 'aws',
      region: 'us-east-1',
      enable_allow_list: true
    },
    {
      workgroup_id: 'staging',
      name: 'Staging',
      platform: 'azure',
      region: 'eu-west-1',
      enable_allow_list: false,
      svc_databases: [{ database_id: 'playground' }]
    }
  ])
  t.equal(groups.length, 2)
  t.strictSame(
    groups
      .flatMap(({ workspaces }) => workspaces as Body[])
      .map(
        ({ workspace_id, status, is_rw, database_id, workspace_type: { typeName } }) =>
          [workspace_id, status, is_rw, database_id, typeName] as unknown[]
      ),
    [
      ['fraud-writer', 'Active', true, 'fraud', 'SVC-4'],
      ['fraud-reader', 'Active', false, 'fraud', 'SVC-1'],
      ['supply-writer', 'Stopped', true, 'supply', 'SVC-00'],
      ['playground-writer', 'Active', true, 'playground', 'SVC-00'],
      ['playground-idle', 'Idle', false, 'playground', 'SVC-00'],
      ['playground-broken', 'Failed', false, 'playground', 'SVC-00']
    ]
  )
  t.strictSame(await get('/workgroups/production/allow_list'), [
    { id: 'office', cidr: '203.0.113.0/24', note: 'Office' },
    { id: 'ci', cidr: '198.51.100.7/32', note: 'Build machines' }
  ])
  t.match(await get('/workspaces/fraud-writer/backups'), [
    { id: 'backup-monday', type: 'automatic', status: 'Succeeded', size_bytes: '7340032' },
    { id: 'backup-before-upgrade', type: 'manual' },
    { id: 'backup-broken', status: 'Failed' }
  ])
  t.match(await get('/workspaces/fraud-writer/backups/restore-monday/status'), {
    name: 'restore-monday',
    status: 'Succeeded',
    output: 'Restored automatic-monday.\n'
  })
  t.match(await get('/workgroups/production/workspaces/fraud-writer/dbuser'), [
    { id: 'user-app', username: 'app' },
    { id: 'user-reports', username: 'reports' }
  ])
  t.match(await send('/users', 'a'), [{ id: 'olive', email: 'owner@svc.test' }, { id: 'ada' }, { id: 'max' }])
  t.match(await get('/workgroups/production/workspaces/fraud-reader'), { refresh_status: 'Refreshed', is_rw: false })
  t.match((await get('/workgroups/staging/workspaces/playground-writer')).addons, [
    { addons_id: 'insights', enable: true }
  ])
  t.strictSame(
    ((await send('/_mock/events', 'a')) as Body[]).map(({ event, resource_id }) => `${event} ${resource_id}`).sort(),
    [
      'backup.schedule fraud-writer',
      'workspace.auto-stop playground-writer',
      'workspace.schedule fraud-reader',
      'workspace.schedule fraud-reader'
    ]
  )
  t.match(
    await get('/workgroups', 'b'),
    groups.map(({ workgroup_id, name, org_id }) => ({ workgroup_id, name, org_id })),
    'another sandbox begins with the same'
  )
  for (const file of [db, `${db}-wal`]) t.notMatch(readFileSync(file, 'latin1'), /change-me/)
  t.notMatch(JSON.stringify(await send('/_mock/state', 'a')), /change-me/)
})

void t.test('a seed file in JSON will do, and what a sandbox was before stays', async (t) => {
  const path = t.testdir({ 'seed.json': JSON.stringify({ org: { name: 'From JSON' } }), 'a.db': '' })
  const db = join(path, 'b.db')
  const nameOf = async (seedFile?: string) => {
    const mock = await startMock({ db, ...(seedFile === undefined ? {} : { seedFile }) })
    try {
      const names = []
      for (const key of ['first', seedFile === undefined ? 'second' : 'third']) {
        names.push(
          ((await (await fetch(`${mock.url}/_mock/state`, { headers: { 'x-api-key': key } })).json()) as Body).Result
            .org.name as string
        )
      }
      return names
    } finally {
      await mock.close()
    }
  }
  t.strictSame(await nameOf(), ['', ''])
  t.strictSame(await nameOf(join(path, 'seed.json')), ['', 'From JSON'])
})

void t.test('no server starts with a seed file that cannot be used', async (t) => {
  const path = join(t.testdir({ 'text.yaml': 'just a text' }), 'text.yaml')
  await t.rejects(startMock({ seedFile: path }), { name: 'SeedFileError' })
})

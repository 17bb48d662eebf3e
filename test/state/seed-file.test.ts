import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startMock } from '../../src/index.js'
import { readSeedFile, SeedFileError } from '../../src/state/file.js'
import { type Body, buildMock, CONTROLLER } from '../helper.js'
import { type Fields, oneOf, sentenceOf, wrongType } from '../messages.js'
import { REGIONS } from '../sandbox.js'

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
  t.strictSame(await nameOf(), ['Mock Org', 'Mock Org'])
  t.strictSame(await nameOf(join(path, 'seed.json')), ['Mock Org', 'From JSON'])
})

void t.test('a seed file that cannot be used is refused in one line that names what is wrong', async (t) => {
  const { plane } = await buildMock(t)
  const files = {
    'broken.yaml': 'org:\n  name: [unclosed\nworkgroups: []\n',
    'twice.yaml': 'org: { name: a }\nclock: { mode: frozen }\norg: { name: b }\n',
    'twice.json': '{\n  "format": 1,\n  "format": 1\n}\n',
    'several.yaml': 'org: { name: a }\n---\norg: { name: b }\n',
    'fields.yaml': 'workgroups:\n  - { nmae: x, region: nowhere, databases: [{ id: a }, { id: a }] }\n',
    'newline.yaml': 'workgroups:\n  - workspaces: [{ database: "a\\nb" }]\n',
    'tagged.yaml': 'org: !unknown { name: a }\nother: 1\n',
    'empty.yaml': '',
    'text.yaml': 'just a text',
    'newer.yaml': 'format: 99\n',
    'bomb.yaml':
      'a0: &a0 ' +
      `[x]\n${Array.from(
        { length: 9 },
        (_, i) => `a${i + 1}: &a${i + 1} ` + `[${Array(9).fill(`*a${i}`).join(', ')}]`
      ).join('\n')}\n`,
    folder: {}
  }
  const directory = t.testdir(files)
  const invalid = (fields: Fields) => `the seed file PATH is not valid: ${sentenceOf(fields, {}, 'it')}`
  const cases: Record<string, RegExp | string> = {
    'missing.yaml': 'the seed file PATH cannot be read (ENOENT)',
    folder: 'the seed file PATH cannot be read (EISDIR)',
    'broken.yaml': /^the seed file PATH is neither JSON nor YAML: .+ at line 3, column 1$/,
    'twice.yaml': 'the seed file PATH is neither JSON nor YAML: Map keys must be unique at line 3, column 1',
    'twice.json': 'the seed file PATH is neither JSON nor YAML: Map keys must be unique at line 3, column 3',
    'several.yaml': /^the seed file PATH is neither JSON nor YAML: Source contains multiple documents/,
    'fields.yaml': invalid({
      'workgroups.0.nmae': 'unknown',
      'workgroups.0.region': oneOf(...REGIONS),
      'workgroups.0.databases.1.id': ['taken', { field: 'workgroups.0.databases.0.id' }]
    }),
    'newline.yaml': invalid({ 'workgroups.0.workspaces.0.database': ['databaseId', { id: 'a b' }] }),
    'tagged.yaml': invalid({ other: 'unknown' }),
    'empty.yaml': invalid({ '': 'noBody' }),
    'text.yaml': invalid({ '': wrongType('object', 'string') }),
    'newer.yaml': invalid({ format: ['newerFormat', { known: 1, format: 99 }] }),
    'bomb.yaml': /^the seed file PATH is neither JSON nor YAML: Excessive alias count/
  }
  t.strictSame(Object.keys(cases).sort(), [...Object.keys(files), 'missing.yaml'].sort())
  for (const [name, expected] of Object.entries(cases)) {
    const path = join(directory, name)
    const error: unknown = await readSeedFile(path, plane).then(
      () => undefined,
      (thrown: unknown) => thrown
    )
    t.type(error, SeedFileError, name)
    const message = (error as Error).message.replaceAll(path, 'PATH')
    if (typeof expected === 'string') t.equal(message, expected)
    else t.match(message, expected)
    t.notMatch(message, '\n')
  }
  await t.rejects(startMock({ seedFile: join(directory, 'text.yaml') }), { name: 'SeedFileError' })
})

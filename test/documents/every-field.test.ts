import t from 'tap'
import { StateSchema } from '../../src/documents/schemas.js'
import { type Body, buildMock, pluck } from '../helper.js'
import type { Schema } from '../json-schema.js'
import { at, openSandbox, seconds, testsIn } from '../sandbox.js'
import { holdWall } from '../wall.js'
import { row } from './parts.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)
const testIn = testsIn(mock)

/** A document in which no field has the value that it would get if it were left out. */
const FULL = {
  format: 1,
  org: { id: 'org', name: 'Org' },
  random: { seed: 'c'.repeat(24), draws: 100 },
  clock: { mode: 'frozen', now: at(0), rate: 2 },
  quotas: { rw_workspaces: 5, ro_workspaces: null, manual_backups: 0, automatic_backups: 9 },
  transitions: [
    { transition: 'workspace.pause', resource_id: 'w', after: 'PT5S', outcome: 'fail', reason: 'No.', times: 2 },
    { transition: 'workspace.resume', outcome: 'hold' }
  ],
  faults: [
    {
      id: 'fault-3',
      operation: 'updateWorkspace',
      workspace_id: 'w',
      workgroup_id: 'g',
      body: { pause: true },
      after: 1,
      times: 2,
      probability: 0.5,
      phase: 'after-commit',
      effect: { reply: 'empty' },
      seen: 4,
      hits: 1
    }
  ],
  org_users: [
    {
      id: 'one',
      username: 'first',
      email: 'one@svc.test',
      first_name: 'One',
      last_name: 'First',
      enabled: false,
      auth_id: 'auth-1',
      last_login: at(-60),
      roles: ['billing-admin', 'org-admin'],
      created: at(-120),
      updated: at(-90)
    },
    {
      id: 'two',
      username: 'second',
      email: 'two@svc.test',
      first_name: 'Two',
      last_name: 'Second',
      enabled: true,
      auth_id: 'auth-2',
      roles: ['org-admin'],
      created: at(-110),
      updated: at(-80)
    }
  ],
  workgroups: [
    {
      id: 'g',
      name: 'Group',
      creator: 'creator@svc.test',
      cloud_provider_id: 'account',
      platform: 'gcp',
      region: 'eu-west-1',
      allow_list: {
        enabled: true,
        entries: [
          { id: 'office', cidr: '10.0.0.0/8', note: 'Office' },
          { id: 'home', cidr: '2001:db8::/32', note: 'Home' }
        ]
      },
      databases: [{ id: 'd', name: 'Data', svc_version: '4.1.3', create_time: at(-500) }],
      workspaces: [
        {
          id: 'w',
          name: 'Writer',
          database: 'd',
          creator: 'writer@svc.test',
          status: 'Restoring',
          refresh_status: 'Failed',
          refresh_message: 'No.',
          svc_version: '4.2.0',
          version_number: 7,
          workspace_type_name: 'SVC-2',
          is_rw: true,
          enable_ha: true,
          enable_auto_start: false,
          auto_stop_minutes: 30,
          addons: [
            {
              addons_id: 'a',
              enable: true,
              enable_configuration: { deep: [1, null] },
              unique_name: 'n',
              is_free: false,
              workspace_id: 'w'
            }
          ],
          agent_config: {
            heartbeat_interval_seconds: 5,
            topology_update_interval_seconds: 6,
            catalog_activity_update_interval_seconds: 7,
            query_activity_update_interval_seconds: 8,
            enable_topology_force_update: true
          },
          solution_catalog_id: 'solution',
          last_active: at(-30),
          created_at: at(-400),
          last_modified_time: at(-20),
          status_since: at(-25),
          backups: [
            {
              id: 'failed',
              tag: 'tag',
              time: at(-300),
              is_automatic: true,
              status: 'Failed',
              size_bytes: 5,
              version: '4.1.3'
            },
            {
              id: 'running',
              tag: '',
              time: at(-10),
              is_automatic: false,
              status: 'Running',
              size_bytes: 0,
              version: '4.2.0'
            }
          ],
          restore_jobs: [
            { id: 'old', status: 'Failed', output: 'Begun.\nNo.\n', created_at: at(-200) },
            { id: 'new', status: 'Running', output: 'Begun.\n', created_at: at(-5) }
          ],
          backup_schedule: {
            schedule: '0 3 * * *',
            pause: true,
            max_backup_files: 3,
            max_reserved_days: 4,
            max_retry: 5
          },
          schedules: [
            {
              id: 'weekly',
              repeat: 'weekly',
              repeat_on: 'Mon,Fri',
              time: '08:00',
              timezone: 'Europe/Berlin',
              workspace_type_name: 'SVC-1'
            },
            { id: 'once', repeat: 'none', date: '2026-02-01', time: '09:30', timezone: 'UTC' },
            { id: 'daily', repeat: 'daily', time: '18:00', timezone: 'Asia/Tokyo' }
          ],
          users: [{ id: 'u', username: 'app', password_hash: 'hash', created: at(-9), updated: at(-8) }]
        },
        {
          id: 'r',
          name: 'Reader',
          database: 'd',
          creator: 'reader@svc.test',
          status: 'Resuming',
          refresh_status: 'Refreshed',
          refresh_message: '',
          snapshot_time: at(-350),
          svc_version: '4.1.3',
          version_number: 2,
          workspace_type_name: 'SVC-4',
          is_rw: false,
          enable_ha: false,
          enable_auto_start: true,
          auto_stop_minutes: 0,
          addons: [],
          agent_config: {},
          last_active: at(-40),
          created_at: at(-390),
          last_modified_time: at(-15),
          status_since: at(-15),
          backups: [],
          restore_jobs: [],
          schedules: [],
          users: []
        }
      ]
    },
    {
      id: 'a',
      name: 'Other',
      creator: 'other@svc.test',
      cloud_provider_id: 'another',
      platform: 'azure',
      region: 'us-west-2',
      allow_list: { enabled: false, entries: [] },
      databases: [{ id: 'c', name: 'More', svc_version: '4.2.0', create_time: at(-600) }],
      workspaces: []
    }
  ],
  // What is due last comes first, and what is held is between the others.
  events: [
    { event: 'restore.run', workspace_id: 'w', due: at(90), payload: { job: 'new' }, request_id: 'r-1' },
    {
      event: 'workspace.resume',
      workspace_id: 'r',
      due: null,
      payload: { failed: true, reason: 'No.' },
      request_id: 'r-2'
    },
    { event: 'backup.run', workspace_id: 'w', due: at(60), payload: { backup: 'running' }, request_id: 'r-3' },
    { event: 'restore.step', workspace_id: 'w', due: at(30), payload: { job: 'new' }, request_id: 'r-4' }
  ],
  timeline: [
    { ...row(-400), transition: 'workspace.create', from: null, to: 'Creating', request_id: 'r-5' },
    { ...row(-20), attribute: 'refresh_status', from: 'Refreshing', to: 'Failed', reason: 'No.', request_id: 'r-6' }
  ]
}

/** The fields of a schema that no value has, by path. */
function absentFrom({ items, properties = {} }: Schema, values: readonly Body[], path = ''): string[] {
  if (items !== undefined) return absentFrom(items, values.flat(), path)
  return Object.entries(properties).flatMap(([name, schema]) => {
    const given = values.flatMap((value) => (value[name] === undefined ? [] : [value[name]]))
    return given.length === 0 ? [`${path}/${name}`] : absentFrom(schema, given, `${path}/${name}`)
  })
}

/** Fields that need a profile, and those that exclude others. */
const OTHERS = /^\/(?:profile|stub_items|clock\/wall|faults\/effect\/.*)$|\/(?:extra|password)$/

void t.test('the full document has every field', async (t) => {
  const absent = absentFrom(StateSchema as Schema, [FULL]).filter((path) => !OTHERS.test(path))
  t.strictSame(absent, [])
})

testIn('an export has every field of the imported document, in the same order', async (t, b) => {
  await b.controlResult('PUT', '/state', FULL)
  t.strictSame(await b.controlResult('GET', '/state'), FULL)
})

testIn('every omitted field has its default', async (t, b) => {
  await b.controlResult('PUT', '/state', {
    clock: { mode: 'frozen', now: at(0) },
    org_users: [{ email: 'a@svc.test', roles: ['org-admin'], created: at(-30) }],
    workgroups: [
      { id: 'empty' },
      {
        id: 'g',
        allow_list: { entries: [{ id: 'e', cidr: '10.1.2.3/8' }] },
        databases: [{ id: 'd' }],
        workspaces: [
          { id: 'plain', database: 'd' },
          {
            id: 'w',
            created_at: at(-60),
            backups: [{ id: 'a', is_automatic: true }, { id: 'm' }],
            restore_jobs: [{ id: 'j' }],
            backup_schedule: { schedule: '0 3 * * *' },
            // The date is of no use for one that repeats.
            schedules: [
              { id: 's', repeat: 'daily', date: '2026-03-01', time: '08:00', timezone: 'UTC' },
              { id: 't', repeat: 'weekly', time: '08:00', timezone: 'UTC' }
            ],
            users: [{ id: 'u', username: 'app', password_hash: 'hash', created: at(-30) }]
          },
          { id: 'r', database: 'd', is_rw: false, created_at: at(-60) }
        ]
      }
    ],
    events: []
  })
  const state = await b.controlResult('GET', '/state')
  const [{ id: user, auth_id: authId, ...admin }] = state.org_users as [Body]
  t.match(user, /^[0-9a-f-]{36}$/)
  t.match(authId, /^auth\|[0-9a-f-]{36}$/)
  t.strictSame(admin, {
    username: 'a@svc.test',
    email: 'a@svc.test',
    first_name: '',
    last_name: '',
    enabled: true,
    roles: ['org-admin'],
    created: at(-30),
    updated: at(-30)
  })
  const [empty, group] = state.workgroups as [Body, Body]
  t.strictSame(empty, {
    id: 'empty',
    name: 'empty',
    creator: 'owner@svc.test',
    cloud_provider_id: 'my-account',
    platform: 'aws',
    region: 'us-east-1',
    allow_list: { enabled: false, entries: [] },
    databases: [],
    workspaces: []
  })
  t.strictSame(group.allow_list, { enabled: false, entries: [{ id: 'e', cidr: '10.0.0.0/8', note: '' }] })
  const [plain, writer, reader] = group.workspaces as [Body, Body, Body]
  t.strictSame(plain, {
    id: 'plain',
    name: 'plain',
    database: 'd',
    creator: 'owner@svc.test',
    status: 'Active',
    refresh_status: '',
    refresh_message: '',
    svc_version: '4.2.2',
    version_number: 0,
    workspace_type_name: 'SVC-00',
    is_rw: true,
    enable_ha: false,
    enable_auto_start: false,
    auto_stop_minutes: 0,
    addons: [],
    agent_config: {},
    last_active: at(0),
    created_at: at(0),
    last_modified_time: at(0),
    status_since: at(0),
    backups: [],
    restore_jobs: [],
    schedules: [],
    users: []
  })
  const began = { created_at: at(-60), last_modified_time: at(-60), status_since: at(-60) }
  t.strictSame(reader, { ...plain, id: 'r', name: 'r', is_rw: false, snapshot_time: at(-60), ...began })
  const { database } = writer
  t.strictSame(writer, {
    ...plain,
    id: 'w',
    name: 'w',
    database,
    ...began,
    backups: [
      { id: 'a', tag: `automatic-${at(0)}`, is_automatic: true },
      { id: 'm', tag: `manual-${at(0)}`, is_automatic: false }
    ].map((backup) => ({ ...backup, time: at(0), status: 'Succeeded', size_bytes: 0, version: '4.2.2' })),
    restore_jobs: [{ id: 'j', status: 'Succeeded', output: '', created_at: at(0) }],
    backup_schedule: { schedule: '0 3 * * *', pause: false, max_backup_files: 7, max_reserved_days: 7, max_retry: 0 },
    schedules: [
      { id: 's', repeat: 'daily', time: '08:00', timezone: 'UTC' },
      { id: 't', repeat: 'weekly', repeat_on: 'Thu', time: '08:00', timezone: 'UTC' }
    ],
    users: [{ id: 'u', username: 'app', password_hash: 'hash', created: at(-30), updated: at(-30) }]
  })
  t.strictSame(
    group.databases,
    [
      { id: 'd', name: 'd', svc_version: '4.2.2', create_time: at(0) },
      {
        id: database,
        name: `database-${(database as string).slice(0, 8)}`,
        svc_version: '4.2.2',
        create_time: at(-60)
      }
    ],
    'a new database is as old as the workspace that brings it along'
  )
})

testIn('an empty document has only its org and three users', async (t, b) => {
  await b.controlResult('PUT', '/state', FULL)
  await b.controlResult('PUT', '/state', {})
  const { org_users: users, org, random, ...rest } = await b.controlResult('GET', '/state')
  t.strictSame(rest, {
    format: 1,
    clock: { mode: 'real', rate: 1 },
    quotas: { rw_workspaces: null, ro_workspaces: null, manual_backups: null, automatic_backups: null },
    transitions: [],
    faults: [],
    workgroups: [],
    events: [],
    timeline: []
  })
  t.strictSame(pluck(users, 'email'), ['owner@svc.test', 'ada@svc.test', 'max@svc.test'])
  t.equal(org.name, '')
  t.equal(random.seed, b.sandbox.ownSeed)
})

void t.test('last logins and databases without workspaces come from the document', async (t) => {
  const session = { key: null, headers: { authorization: 'Bearer every-field' }, prefix: '' }
  const document = {
    org_users: FULL.org_users,
    workgroups: [{ id: 'g', databases: [{ id: 'd' }, { id: 'unused' }], workspaces: [{ id: 'w', database: 'd' }] }]
  }
  t.equal((await mock.call('PUT', '/_mock/state', { ...session, body: document })).status, 200)
  const users = (await mock.call('GET', '/users', session)).body as Body[]
  t.strictSame(pluck(users, 'metadata'), [{ lastLogin: seconds(at(-60)), attachedTo: [] }, { attachedTo: [] }])
  const path = '/controller/v4/v2/workgroups'
  const rename = { ...session, body: { workgroup_name: 'new' } }
  for (const group of [
    (await mock.call('GET', `${path}/g`, session)).body.Result,
    (await mock.call('GET', path, session)).body.Result[0],
    (await mock.call('PUT', `${path}/g`, rename)).body.Result
  ]) {
    t.strictSame(
      (group.svc_databases as Body[]).map(({ database_id, folder_statistics: { workspaces } }): unknown[] => [
        database_id,
        workspaces
      ]),
      [
        ['d', [{ workspace_id: 'w', size: 0 }]],
        ['unused', []]
      ]
    )
  }
})

void t.test('a clock without a time begins with that of the machine', async (t) => {
  const wall = holdWall(t)
  const b = await open()
  const clockOf = async (clock: object) => {
    await b.controlResult('PUT', '/state', { clock })
    const exported = (await b.controlResult('GET', '/state')).clock
    wall.now += 2000
    return { exported, later: await b.now() }
  }
  t.strictSame(await clockOf({ mode: 'frozen' }), {
    exported: { mode: 'frozen', now: at(0), rate: 1 },
    later: at(0)
  })
  t.strictSame(await clockOf({ mode: 'poll', rate: 3 }), {
    exported: { mode: 'poll', now: at(2), rate: 3 },
    later: at(2)
  })
  t.strictSame(await clockOf({ rate: 60 }), {
    exported: { mode: 'real', now: at(4), wall: at(4), rate: 60 },
    later: at(124)
  })
  t.strictSame(await clockOf({ rate: 1 }), { exported: { mode: 'real', rate: 1 }, later: at(8) })
  t.strictSame(
    await clockOf({ now: at(500) }),
    { exported: { mode: 'real', now: at(500), wall: at(8), rate: 1 }, later: at(502) },
    'or else runs from the time that it has'
  )
})

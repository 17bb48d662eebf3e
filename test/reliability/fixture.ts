import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { sandboxIdOf } from '../../src/sandboxes/keys.js'
import { type Body, buildMock, type BuiltMock, close, CONTROLLER } from '../helper.js'

/** What a version has left behind: what it says of each sandbox of its database, by key. */
export type Documents = Readonly<
  Record<string, { readonly state: Body; readonly snapshots: Readonly<Record<string, Body>> }>
>

/** The two files of a fixture. */
export const DATABASE = 'world.db'
export const DOCUMENTS = 'states.json'

const FORK = `fork_${'0'.repeat(24)}`
const WRITER = 'production-writer'
const READER = 'production-reader'

/** Nothing of this depends on the machine: ids that are left out come from the seed, passwords are hashed already. */
const BEGINNING = {
  org: { id: 'fixture-org', name: 'Fixture Org' },
  clock: { mode: 'frozen', now: '2026-03-02T12:00:00Z' },
  quotas: { rw_workspaces: 20, automatic_backups: 5 },
  org_users: [
    {
      id: 'olive',
      email: 'owner@svc.test',
      first_name: 'Olive',
      last_login: '2026-03-01T08:00:00Z',
      roles: ['org-admin']
    },
    { id: 'max', email: 'max@svc.test', enabled: false, roles: ['workspace-member', 'billing-viewer'] }
  ],
  workgroups: [
    {
      id: 'production',
      name: 'Production',
      platform: 'azure',
      region: 'eu-west-1',
      allow_list: {
        enabled: true,
        entries: [
          { id: 'office', cidr: '203.0.113.0/24', note: 'Office' },
          { id: 'six', cidr: '2001:db8::/32', note: '' }
        ]
      },
      databases: [
        { id: 'orders', name: 'orders', svc_version: '4.2.0' },
        { id: 'unused', name: 'unused' }
      ],
      workspaces: [
        {
          id: WRITER,
          database: 'orders',
          workspace_type_name: 'SVC-4',
          enable_ha: true,
          agent_config: { heartbeat_interval_seconds: 5 },
          addons: [{ addons_id: 'insights', enable: true, enable_configuration: { level: 2 } }],
          backup_schedule: { schedule: '0 3 * * *', max_backup_files: 5, max_reserved_days: 14, max_retry: 2 },
          backups: [
            { id: 'monday', tag: 'monday', time: '2026-03-02T03:00:00Z', is_automatic: true, size_bytes: 7340032 },
            { id: 'broken', tag: '', time: '2026-03-01T03:00:00Z', status: 'Failed' }
          ],
          restore_jobs: [{ id: 'restored', output: 'Restored.\n', created_at: '2026-03-01T09:00:00Z' }],
          schedules: [
            {
              id: 'morning',
              repeat: 'weekdays',
              time: '08:00',
              timezone: 'Europe/Berlin',
              workspace_type_name: 'SVC-2'
            },
            { id: 'once', repeat: 'none', date: '2026-03-20', time: '19:00', timezone: 'Asia/Tokyo' }
          ],
          users: [{ id: 'app', username: 'app', password_hash: `scrypt$16384$8$1$${'A'.repeat(22)}$${'B'.repeat(43)}` }]
        },
        {
          id: READER,
          database: 'orders',
          is_rw: false,
          snapshot_time: '2026-03-02T11:00:00Z',
          refresh_status: 'Refreshed',
          auto_stop_minutes: 600
        },
        { id: 'restored-one', backups: [{ id: 'good', time: '2026-03-02T03:00:00Z' }] },
        { id: 'held-one' },
        { id: 'stopped-one', status: 'Stopped' },
        { id: 'idle-one', status: 'Idle', enable_auto_start: true, svc_version: '4.1.3' },
        { id: 'broken-one', status: 'Failed' },
        { id: 'creating-one', status: 'Creating', solution_catalog_id: 'catalogue-7' },
        { id: 'stopping-one', status: 'Stopping' },
        { id: 'resuming-one', status: 'Resuming' },
        { id: 'terminating-one', status: 'Terminating' }
      ]
    }
  ]
}

/**
 * Writes what this version leaves behind into a folder: a database with something of everything, and what it says of
 * it.
 */
export async function writeFixture(t: Test, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const db = join(folder, DATABASE)
  const mock = await buildMock(t, { db, seed: 1, transitions: 'realistic' })
  const before = await live(mock)
  await mock.plane.sandboxes.create(sandboxIdOf(FORK))
  await send(mock, FORK, 'PUT', '/_mock', '/seed', before)
  await send(mock, FORK, 'PUT', '/_mock', '/clock', { mode: 'poll' })
  await send(mock, 'running', 'PUT', '/_mock', '/state', {
    clock: { mode: 'real', now: '2030-01-01T00:00:00Z', wall: '2026-01-01T00:00:00Z', rate: 60 },
    events: []
  })
  const documents: Documents = {
    main: { state: await stateOf(mock, 'main'), snapshots: { before } },
    [FORK]: { state: await stateOf(mock, FORK), snapshots: {} },
    running: { state: await stateOf(mock, 'running'), snapshots: {} }
  }
  await close(mock)
  const sqlite = new Sqlite(db)
  sqlite.exec('VACUUM')
  sqlite.close()
  writeFileSync(join(folder, DOCUMENTS), `${JSON.stringify(documents, null, 1)}\n`)
}

/** What a sandbox is, as its document says. */
export const stateOf = (mock: BuiltMock, key: string): Promise<Body> => send(mock, key, 'GET', '/_mock', '/state')

/** Calls an operation that must succeed. @returns its Result */
export async function send(
  mock: BuiltMock,
  key: string,
  method: string,
  prefix: string,
  url: string,
  body?: unknown
): Promise<Body> {
  const reply = await mock.call(method, url, { key, prefix, body })
  if (reply.status !== 200) throw new Error(`${method} ${url}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.Result
}

/**
 * Lets the sandbox `main` live by requests, until something of everything is there and under way.
 * @returns what it was at its snapshot
 */
async function live(mock: BuiltMock): Promise<Body> {
  const call = (method: string, url: string, body?: unknown) => send(mock, 'main', method, CONTROLLER, url, body)
  const control = (method: string, url: string, body?: unknown) => send(mock, 'main', method, '/_mock', url, body)
  const path = '/workgroups/production/workspaces'
  await control('PUT', '/seed', BEGINNING)
  await control('PUT', '/transitions', {
    rules: [
      { transition: 'workspace.resize', outcome: 'hold' },
      { transition: 'backup.run', outcome: 'fail', reason: 'Disk full.', times: 1 }
    ]
  })
  await control('POST', '/faults', {
    operation: 'getWorkspace',
    workspace_id: 'nobody',
    times: 3,
    effect: { status: 503, retry_after: 2 }
  })
  await control('POST', '/faults', {
    operation: 'getMetadata',
    after: 1,
    probability: 0.5,
    effect: { delay: { min: 'PT0S', max: 'PT0.001S' } }
  })
  await control('PUT', '/snapshots/before')
  const before = await stateOf(mock, 'main')
  await call('POST', `${path}/broken-one/resume`)
  await control('POST', '/clock/advance', { by: 'PT10M' })
  const { workgroup_id: group } = await call('POST', '/workgroups', {
    cloud_provider_id: 'account',
    name: 'Staging',
    region: 'us-east-1'
  })
  await call('POST', `/workgroups/${group}/workspaces`, { enable_auto_start: true, auto_stop_minutes: 30 })
  await call('POST', '/workgroups/production/allow_list', { cidr: '198.51.100.7', note: 'Build machines' })
  await call('POST', `${path}/${READER}/refresh`)
  await call('PUT', `${path}/held-one`, { workspace_type_name: 'SVC-1' })
  await call('POST', `${path}/restored-one/backups/restore`, { backup_id: 'good' })
  await control('POST', `/workspaces/${WRITER}/backups`, { tag: 'by hand' })
  await call('POST', `${path}/stopped-one/resume`)
  return before
}

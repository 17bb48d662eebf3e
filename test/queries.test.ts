import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { buildMock, doInOneSlice, replaceMethod } from './helper.js'
import { openSandbox } from './sandbox.js'

/** Records the SQL of every statement, by wrapping the driver. */
function watchStatements(t: Test): string[] {
  const run: string[] = []
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its database below
  const { prepare } = Sqlite.prototype
  const watched = function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql)
    for (const name of ['run', 'get', 'all', 'iterate'] as const) {
      const original = statement[name].bind(statement) as (...args: unknown[]) => unknown
      const noted = (...args: unknown[]) => {
        run.push(sql)
        return original(...args)
      }
      Object.assign(statement, { [name]: noted })
    }
    return statement
  }
  replaceMethod(t, Sqlite.prototype, 'prepare', watched as typeof prepare)
  return run
}

void t.test(
  'listing workgroups runs the same few statements for any number of workgroups and workspaces',
  async (t) => {
    const run = watchStatements(t)
    doInOneSlice(t)
    const b = await openSandbox(await buildMock(t, { transitions: 'instant' }))
    const counts: number[] = []
    let workgroups = 0
    for (const target of [10, 100]) {
      for (; workgroups < target; workgroups++) {
        const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
        const { database_id } = await b.result('POST', path, {})
        await Promise.all(
          Array.from({ length: 4 }, () => b.result('POST', path, { svc_database_id: database_id, is_rw: false }))
        )
      }
      t.not(run.length, 0, 'writes are seen')
      // After a commit, the server checks whether the file can shrink.
      await new Promise(setImmediate)
      run.length = 0
      const list = await b.result('GET', '/workgroups')
      counts.push(run.length)
      t.equal(list.length, target)
      t.ok((list as { workspaces: unknown[] }[]).every(({ workspaces }) => workspaces.length === 5))
      t.equal(run.filter((sql) => /FROM workspaces/.test(sql)).length, 1)
      run.length = 0
      await b.result('GET', '/workgroups')
      t.equal(run.length, 0, 'nothing was written since, so nothing is read')
    }
    t.strictSame(counts, [3, 3])
  }
)

void t.test('an event runs the same statements, and reads no lists, in a sandbox of any size', async (t) => {
  doInOneSlice(t)
  const run = watchStatements(t)
  const b = await openSandbox(await buildMock(t, { transitions: 'realistic' }))
  const perRun: Record<string, string[]>[] = []
  for (const count of [3, 60]) {
    const backups = Array.from({ length: count }, (_, i) => ({
      id: `b${i}`,
      is_automatic: true,
      time: '2026-01-01T00:00:00Z'
    }))
    const others = Array.from({ length: count }, (_, i) => ({ id: `w${i}`, status: 'Creating' as const }))
    const state = {
      clock: { mode: 'frozen', now: '2026-01-01T00:00:00Z' },
      workgroups: [
        {
          workspaces: [
            { id: 'w', backups, backup_schedule: { schedule: '* * * * *', max_backup_files: 1_000_000 } },
            ...others
          ]
        }
      ],
      transitions: Array.from({ length: count }, () => ({ transition: 'workspace.pause', after: 'PT1S' }))
    }
    const seen: Record<string, string[]> = {}
    for (const [name, body] of [
      ['by', { by: 'PT10M' }],
      ['until', { until: { workspace_id: 'w', status: 'Stopped' }, max: 'PT10M' }],
      ['idle', { until: 'idle', max: 'PT3M' }]
    ] as const) {
      await b.control('PUT', '/state', state)
      // Statements of other events are not counted.
      if (name !== 'idle') await b.advance('PT4M')
      run.length = 0
      await b.control('POST', '/clock/advance', body)
      seen[name] = [...run]
    }
    perRun.push(seen)
  }
  t.strictSame(perRun[1], perRun[0])
  t.ok(perRun[0]!['by']!.length > 50)
})

import { join } from 'node:path'
import t from 'tap'
import { buildMock, type BuiltMock, close, CONTROLLER, pluck } from './helper.js'
import { at, callsOf, openSandbox, seconds, workspaceIn } from './sandbox.js'
import { holdWall } from './wall.js'

void t.test(
  'a transition in progress, its rule and the clock survive a restart, and it ends at its time',
  async (t) => {
    const db = join(t.testdir(), 'a.db')
    const first = await buildMock(t, { db })
    const b = await openSandbox(first, { key: 'kept' })
    const { id, url } = await workspaceIn(b, 'Stopped')
    const held = await workspaceIn(b, 'Resizing')
    const path = url.slice(0, url.lastIndexOf('/'))
    await b.advance('PT10S')
    await b.setRules(
      { transition: 'workspace.resume', after: 'PT1M' },
      { transition: 'workspace.pause', outcome: 'fail', times: 3 }
    )
    await b.result('POST', `${url}/resume`)
    const { workspace_id: lazy } = await b.createActive(path.split('/')[2]!, { auto_stop_minutes: 5 })
    await b.advance('PT20S')
    const reads = async (call: BuiltMock['call']) => {
      const replies = []
      for (const [prefix, target] of [
        [CONTROLLER, '/workgroups'],
        [CONTROLLER, url],
        ...['clock', 'events', 'timeline', 'transitions', 'quotas'].map((name) => ['/_mock', `/${name}`])
      ] as [string, string][]) {
        replies.push((await call('GET', target, { key: 'kept', prefix })).body.Result)
      }
      return replies
    }
    const before = await reads(first.call)
    await close(first)

    const second = await buildMock(t, { db })
    t.strictSame(await reads(second.call), before)
    const { result, controlResult } = callsOf(second, 'kept')
    const status = async (target: string) => (await result('GET', target)).status as string
    await controlResult('POST', '/clock/advance', { by: 'PT39.999S' })
    t.equal(await status(url), 'Resuming')
    const { fired } = await controlResult('POST', '/clock/advance', { by: 'PT0.001S' })
    t.match(fired, [{ at: at(70), event: 'workspace.resume', resource_id: id }])
    t.equal(await status(url), 'Active')
    t.equal((await controlResult('POST', '/transitions/release')).fired.length, 1)
    t.match(
      await result('GET', held.url),
      { status: 'Active', workspace_type: { typeName: 'SVC-2' } },
      'the size that it was to get is not forgotten'
    )
    await controlResult('POST', '/clock/advance', { to: at(310) })
    t.equal(await status(`${path}/${lazy}`), 'Pausing')
  }
)

void t.test(
  'events due while the server was down run before the first read after it, at their own times',
  async (t) => {
    const db = join(t.testdir(), 'a.db')
    const wall = holdWall(t)
    const first = await buildMock(t, { db })
    const b = await openSandbox(first, { key: 'real' })
    await b.control('PUT', '/clock', { mode: 'real' })
    const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
    const { workspace_id: id } = await b.result('POST', path, { auto_stop_minutes: 1 })
    await close(first)
    wall.now += 3_600_000
    const second = await buildMock(t, { db })
    const { result, controlResult } = callsOf(second, 'real')
    t.match(await result('GET', `${path}/${id}`), {
      status: 'Stopped',
      last_modified_time: seconds(at(63))
    })
    t.strictSame(pluck(await controlResult('GET', '/timeline'), 'at'), [at(0), at(2), at(62), at(63)])
  }
)

import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { effort } from '../effort.js'
import { buildMock, close, type Reply } from '../helper.js'
import { at, openSandbox, type TestSandbox, testsIn } from '../sandbox.js'

const mock = await buildMock(t)
const testIn = testsIn(mock)

/** A reply without what differs between two equal reads. */
const shown = ({ status, body }: Reply) => JSON.stringify({ status, ...body, RequestID: undefined })

const fault = (b: TestSandbox, stale: object, rule: object = {}) =>
  b.controlResult('POST', '/faults', { times: 1, effect: { stale }, ...rule })

testIn('a new object is not there yet, and a deleted one still is', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  await fault(b, { writes: 1 }, { operation: 'getWorkgroup', times: 2 })
  for (const method of ['GET', 'HEAD']) t.equal((await b.call(method, `/workgroups/${workgroup}`)).status, 404, method)
  t.equal((await b.call('GET', `/workgroups/${workgroup}`)).status, 200, 'the present is as it was')
  await b.advance('PT10S')
  await b.result('DELETE', `/workgroups/${workgroup}`)
  const other = await openSandbox(mock)
  const taken = await other.createWorkgroup()
  await fault(b, { by: 'PT2S' }, { operation: 'listWorkgroups' })
  t.equal(((await b.result('GET', '/workgroups')) as unknown[]).length, 1)
  t.equal(((await b.result('GET', '/workgroups')) as unknown[]).length, 0)
  t.match(await other.result('GET', '/workgroups'), [{ workgroup_id: taken }], 'another one has its row')
})

testIn('what no client can see does not count as a write', async (t, b) => {
  const workspaces = [{ id: 'w' }, { id: 'v', status: 'Stopped', backup_schedule: { schedule: '0 * * * *' } }]
  await b.control('PUT', '/state', {
    clock: { mode: 'frozen', now: at(0) },
    transitions: [{ transition: 'workspace.pause', outcome: 'hold' }],
    workgroups: [{ id: 'g', workspaces }]
  })
  const path = '/workgroups/g/workspaces/w'
  await b.result('POST', `${path}/pause`)
  await b.control('POST', '/transitions/release')
  const statusAgo = async (writes: number) => {
    await fault(b, { writes }, { operation: 'getWorkspace' })
    return (await b.result('GET', path)).status
  }
  t.strictSame([await statusAgo(1), await statusAgo(2)], ['Pausing', 'Active'], 'a release only lets an event fire')
  await b.advance('PT1H')
  t.equal((await b.timeline('v')).length, 1)
  t.equal(await statusAgo(1), 'Pausing', 'an automatic backup was skipped')
})

void t.test('a stale read runs no events, uses no ids and leaves caches and limits as they are', async (t) => {
  const b = await openSandbox(await buildMock(t, { maxResources: 12 }))
  const workgroup = await b.createWorkgroup()
  await b.result('POST', `/workgroups/${workgroup}/workspaces`, {})
  const before = await b.controlResult('GET', '/state')
  await fault(b, { by: 'PT1H' }, { times: 5 })
  for (let i = 0; i < 5; i++) t.strictSame(await b.result('GET', '/workgroups'), [])
  t.match(await b.controlResult('GET', '/state'), { ...before, faults: [{ hits: 5 }] })
  let created = 0
  while ((await b.call('POST', '/workgroups', { cloud_provider_id: 'x' })).status === 200) created++
  const resources = b.mock.plane.resources.count(b.sandbox.key)
  t.equal(resources, 12, `${created} more`)
})

testIn('with a clock in mode poll, a stale read does not advance it', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const { workspace_id: id } = await b.result('POST', `/workgroups/${workgroup}/workspaces`, {})
  await b.controlResult('PUT', '/clock', { mode: 'poll' })
  const path = `/workgroups/${workgroup}/workspaces/${id as string}`
  await fault(b, { writes: 1 })
  t.equal((await b.call('GET', path)).status, 404)
  t.equal(await b.now(), at(0))
  await fault(b, { writes: 1 }, { operation: 'listBackups' })
  t.equal((await b.call('GET', `/workspaces/${id as string}/backups`)).status, 404)
  t.equal(await b.now(), at(0))
})

void t.test('a stale read beyond the change log is refused', async (t) => {
  const b = await openSandbox(await buildMock(t, { journalRequests: 3 }))
  for (let i = 0; i < 6; i++) {
    await b.createWorkgroup()
    await b.advance('PT1S')
  }
  await fault(b, { writes: 100 })
  t.equal((await b.call('GET', '/workgroups')).status, 400)
  await fault(b, { by: 'PT1H' })
  t.equal((await b.call('GET', '/workgroups')).status, 400)
  t.equal((await b.call('GET', '/workgroups')).status, 200)
  const off = await openSandbox(await buildMock(t, { journalRequests: 0 }))
  await fault(off, { by: 'PT1S' })
  t.equal((await off.call('GET', '/workgroups')).status, 400)
})

void t.test('a stale read of what came before a restart is refused', async (t) => {
  const options = { db: join(t.testdir(), 'a.db') }
  const first = await buildMock(t, options)
  await (await openSandbox(first, { key: 'kept' })).createWorkgroup()
  await close(first)
  const b = await openSandbox(await buildMock(t, options), { key: 'kept' })
  await b.advance('PT1M')
  for (const [stale, status] of [
    [{ writes: 1 }, 400],
    [{ by: 'PT2M' }, 400],
    [{ by: 'PT1M' }, 200]
  ] as const) {
    await fault(b, stale)
    t.equal((await b.call('GET', '/workgroups')).status, status, JSON.stringify(stale))
  }
  await b.createWorkgroup()
  await fault(b, { writes: 1 })
  t.equal((await b.result('GET', '/workgroups')).length, 1)
})

testIn('a stale rule that cannot work is refused', async (t, b) => {
  for (const [rule, field] of [
    [{ effect: { stale: {} } }, 'effect.stale'],
    [{ effect: { stale: { by: 'PT1S', writes: 1 } } }, 'effect.stale'],
    [{ effect: { stale: { by: 'soon' } } }, 'effect.stale.by'],
    [{ effect: { stale: { by: 'PT0S' } } }, 'effect.stale.by'],
    [{ effect: { stale: { writes: 0 } } }, 'effect.stale.writes'],
    [{ effect: { stale: { writes: 1 }, status: 503 } }, 'effect.stale'],
    [{ operation: 'createWorkgroup', effect: { stale: { writes: 1 } } }, 'operation'],
    [{ phase: 'after-commit', effect: { stale: { writes: 1 } } }, 'phase']
  ] as const) {
    const { status, body } = await b.control('POST', '/faults', rule)
    t.equal(status, 400)
    t.match(body.ErrorDetails, [{ FieldName: field }])
  }
  t.match(await fault(b, { by: '90s' }), { effect: { stale: { by: 'PT90S' } } })
  t.equal((await b.call('POST', '/workgroups', { cloud_provider_id: 'x' })).status, 200, 'it matches only reads')
  t.match(await b.controlResult('GET', '/faults'), [{ seen: 0, hits: 0 }])
})

void t.test('a stale read has the same reply as the same read then', async () => {
  const aDeed = fc.record({ deed: fc.nat(6), n: fc.nat(2) })
  await fc.assert(
    fc.asyncProperty(fc.array(aDeed, { minLength: 4, maxLength: 25 }), fc.nat(1000), async (life, chosen) => {
      const b = await openSandbox(mock)
      const groups: string[] = []
      const workspaces: string[] = []
      const reads = () => ['/workgroups', ...groups.map((id) => `/workgroups/${id}`), ...workspaces]
      /** The replies by the number of writes, and by the time. */
      const remembered: { writes: number; time: number; replies: Map<string, string> }[] = []
      const writes = () =>
        b.sandbox.changes
          .list()
          .filter(({ changes }) => changes.some((change) => !isOf(change, 'sandboxes') && !isOf(change, 'faults')))
          .length
      const isOf = mock.plane.isChangeOf
      const remember = async () => {
        const replies = new Map<string, string>()
        for (const url of reads()) replies.set(url, shown(await b.call('GET', url)))
        remembered.push({ writes: writes(), time: Date.parse(await b.now()), replies })
      }
      await remember()
      for (const { deed, n } of life) {
        const [group, workspace] = [groups[n % groups.length], workspaces[n % workspaces.length]]
        if (deed === 0 || group === undefined) groups.push(await b.createWorkgroup())
        else if (deed === 1 || workspace === undefined) {
          const made = await b.call('POST', `/workgroups/${group}/workspaces`, {})
          if (made.status === 200) workspaces.push(`/workgroups/${group}/workspaces/${made.body.Result.workspace_id}`)
        } else if (deed === 2) await b.call('DELETE', workspace)
        else if (deed === 3) await b.call('POST', `${workspace}/pause`)
        else if (deed === 4) await b.call('DELETE', `/workgroups/${group}`)
        else await b.advance(['PT1S', 'PT0.5S', 'PT1M'][n]!)
        await remember()
      }
      const present = remembered.at(-1)!
      const then = remembered[chosen % remembered.length]!
      // Several moments may share a time: the last of them counts.
      const lastThen = remembered.findLast(({ time }) => time === then.time)!
      const [back, ago] = [present.writes - then.writes, present.time - lastThen.time]
      for (const [stale, { replies }] of [
        [{ writes: back }, then],
        [{ by: `PT${ago / 1000}S` }, lastThen]
      ] as const) {
        if (Object.values(stale)[0] === 0 || ago === 0) continue
        await fault(b, stale, { times: 1000 })
        for (const [url, reply] of replies) {
          const stalled = shown(await b.call('GET', url))
          if (stalled !== reply) throw new Error(`${url} ${JSON.stringify(stale)}:\n${stalled}\n${reply}`)
        }
        await b.controlResult('DELETE', '/faults')
        for (const [url, reply] of present.replies)
          if (shown(await b.call('GET', url)) !== reply) throw new Error(`${url} has changed`)
      }
    }),
    { numRuns: effort(15, 60) }
  )
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import {
  connectMock,
  explore,
  type ExploreClient,
  ExploreError,
  type ExploreOptions,
  type ExploreReport,
  type ExploreSession,
  OptionError,
  type PlanName
} from '../../src/node/index.js'
import { CONTROLLER, sendJson } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { isCareful, leavesThings, pollsForEver, retriesBlindly, swallowsErrors } from './clients.js'

const QUICK: ExploreOptions = { timeout: '10s' }
const GROUP = { body: { name: 'main', cloud_provider_id: 'account' } }

/** Makes a workgroup, and a workspace in it. */
async function makeBoth(call: ExploreSession['call']) {
  const { workgroup_id: workgroupID } = await call('createWorkgroup', GROUP)
  const { workspace_id: workspaceID } = await call('createWorkspace', { workgroupID, body: { name: 'writer' } })
  return { workgroupID, workspaceID }
}

/** The findings as `kind operation resource`. */
const found = ({ findings }: ExploreReport) =>
  findings.map(({ kind, operation, resource }) => `${kind} ${operation} ${resource}`)

const foundWith = async (client: ExploreClient, ...plans: readonly PlanName[]) =>
  found(await explore(client, { ...QUICK, plans }))

type Work = (call: ExploreSession['call'], sleep: (milliseconds: number) => Promise<unknown>) => Promise<unknown>

/** A client that sleeps by its sandbox's clock, in which calls take no time, so that no other work can slow it down. */
const timed =
  (work: Work): ExploreClient =>
  async ({ call, url, key }) => {
    const { clock } = (await connectMock({ url })).sandbox(key)
    await clock.freeze()
    await work(call, (milliseconds) => clock.advance({ by: `PT${milliseconds / 1000}S` }))
  }

/** Creates a workgroup without the session's own call. */
const postGroup = ({ url, headers }: ExploreSession, signal?: AbortSignal) =>
  sendJson('POST', `${url}${CONTROLLER}/workgroups`, headers, GROUP.body, signal && { signal })

void t.test('a client that retries a create without looking makes a duplicate', async (t) => {
  const report = await explore(retriesBlindly, { ...QUICK, plans: ['lost', 'dropped'] })
  t.strictSame(found(report), ['duplicate createWorkgroup main', 'duplicate createWorkspace main/writer'])
  const [{ summary, faults, plan }] = report.findings as [ExploreReport['findings'][number]]
  t.match(summary, /reply to createWorkgroup main was lost.*sent it again.*two workgroups named main/)
  t.match(faults, [{ kind: 'lost', point: { operation: 'createWorkgroup', resource: 'main', occurrence: 1 } }])
  t.equal(plan, 'plan-001.json')
  t.match(report, { format: 1, plans: 4, recovered: 2, reported: 0, missed: 0, unrepeated: 0, skipped: 0 })
})

void t.test('a time of day that differs in each run may have the same number twice', async (t) => {
  let runs = 0
  const client: ExploreClient = async ({ call }) => {
    const name = runs++ % 2 === 0 ? 'at 13:13' : 'at 14:13'
    await call('createWorkgroup', { body: { ...GROUP.body, name } })
  }
  t.strictSame(await foundWith(client, 'lost'), ['forgotten createWorkgroup at ~'])
})

void t.test('creating something twice and removing one copy leaves a duplicate', async (t) => {
  const client: ExploreClient = async ({ call }) => {
    const create = () => call('createWorkgroup', { body: { ...GROUP.body, name: 'for $&' } })
    const { workgroup_id: workgroupID } = await create().catch(create)
    await call('deleteWorkgroup', { workgroupID })
  }
  const { findings } = await explore(client, { ...QUICK, plans: ['lost'], maxPlans: 1 })
  const summary = /^The reply to createWorkgroup for \$& was lost.* created the workgroup for \$& again/
  t.match(findings, [{ kind: 'duplicate', operation: 'createWorkgroup', summary }])
})

void t.test('a swallowed error is a false success', async (t) => {
  const report = await explore(swallowsErrors, { ...QUICK, plans: ['down', 'forbidden', 'transition-fails'] })
  t.ok(found(report).includes('false-success createWorkspace main/writer'))
  const { also } = report.findings.find(({ kind }) => kind === 'false-success')!
  t.strictSame(also, ['down', 'forbidden'], 'one mistake is reported once')
})

void t.test('a client that waits for a state that never comes hangs', async (t) => {
  const report = await explore(pollsForEver, { timeout: '1s', plans: ['transition-fails', 'transition-held'] })
  t.strictSame(found(report), ['hang createWorkspace main/writer'])
  t.equal(report.undecided, 1, 'its limit for a long wait is unknown')
})

void t.test('a client that is too slow to come as far as the fault gets more time', async (t) => {
  let runs = 0
  const slow: ExploreClient = async ({ call, signal }) => {
    if (++runs > 2 && runs !== 4) while (!signal.aborted) await setTimeout(2)
    await call('createWorkgroup', GROUP)
  }
  const report = await explore(slow, { timeout: '1s', plans: ['forbidden', 'rejected'], jobs: 1 })
  t.match(report, { plans: 2, reported: 1, undecided: 1, missed: 0 })
})

void t.test('a client must stop polling when every poll is forbidden, and check the result after a 504', async (t) => {
  const stubborn: ExploreClient = async ({ call, signal }) => {
    const { workgroup_id: workgroupID } = await call('createWorkgroup', GROUP)
    const find = () => call('getWorkgroup', { workgroupID }).catch(() => undefined)
    while (!signal.aborted && (await find()) === undefined) await setTimeout(2)
  }
  const report = await explore(stubborn, { timeout: '1s', plans: ['read-forbidden'] })
  t.strictSame(found(report), ['hang getWorkgroup main'])
  const insistent: ExploreClient = async ({ call }) => {
    let tries = 0
    const create = (): Promise<unknown> =>
      call('createWorkgroup', GROUP).catch((error: unknown) => {
        if (++tries === 20) throw error
        return create()
      })
    await create()
  }
  t.strictSame(await foundWith(insistent, 'revoked', 'forbidden'), ['impolite createWorkgroup main'])
  t.strictSame(await foundWith(isCareful, 'revoked', 'forbidden'), [])
  t.ok((await foundWith(retriesBlindly, 'timeout-after')).includes('duplicate createWorkgroup main'))
  t.strictSame(await foundWith(isCareful, 'read-forbidden', 'timeout-after'), [])
})

void t.test('a client that fails without cleaning up leaves things behind', async (t) => {
  const report = await explore(leavesThings, { ...QUICK, plans: ['down', 'lost'] })
  t.ok(found(report).includes('left-behind addAllowedIP main/192.0.2.1'))
  const blamesDeletion = report.findings.some(
    ({ operation, faults }) => operation === 'deleteWorkgroup' && faults[0]!.kind === 'down'
  )
  t.notOk(blamesDeletion, 'a refused deletion is not its mistake')
})

void t.test('a client that fails, and makes another copy when run again, has forgotten the first', async (t) => {
  const forgetful: ExploreClient = async ({ call }) => {
    const { workgroupID, workspaceID } = await makeBoth(call)
    const { status } = await call('getWorkspace', { workgroupID, workspaceID })
    if (status !== 'Active') throw new Error(status)
  }
  const plans = ['read-unavailable', 'read-down', 'stale', 'lost'] as const
  const report = await explore(forgetful, { ...QUICK, plans })
  const kinds = [...new Set(report.findings.map(({ kind }) => kind))]
  t.strictSame(kinds, ['forgotten'], 'whatever made it fail, the next run could have looked')
  const [{ elsewhere }] = report.findings as [ExploreReport['findings'][number]]
  t.equal(report.findings.length, 1, 'it is one mistake')
  const atRead = elsewhere.find(({ operation }) => operation === 'getWorkspace')
  t.match(atRead, {
    resource: 'main/writer',
    summary: /failed \(.*\); run again, it did not find what existed, and two workgroups named main exist\.$/,
    also: ['read-unavailable', 'read-down']
  })
  t.match(await explore(forgetful, { ...QUICK, plans, oneShot: true }), { findings: [] }, 'it may be intended')
})

void t.test('a careful client has no findings', async (t) => {
  const report = await explore(isCareful, { ...QUICK, jobs: 8 })
  t.strictSame(report.findings, [])
  t.equal(report.plans, report.recovered + report.reported + report.undecided)
  t.ok(report.recovered > 15)
})

void t.test('a Failed workspace may stay if the next run replaces it', async (t) => {
  const careful: ExploreClient = async ({ call }) => {
    const group = (await call('listWorkgroups')).find(({ name }) => name === 'main')
    const workgroupID = group?.workgroup_id ?? (await call('createWorkgroup', GROUP)).workgroup_id
    const { workspaces } = await call('getWorkgroup', { workgroupID })
    for (const { workspace_id: workspaceID } of workspaces) await call('deleteWorkspace', { workgroupID, workspaceID })
    const { workspace_id: workspaceID } = await call('createWorkspace', { workgroupID, body: { name: 'writer' } })
    const { status } = await call('getWorkspace', { workgroupID, workspaceID })
    if (status === 'Failed') throw new Error('it failed')
  }
  t.match(await explore(careful, { ...QUICK, plans: ['transition-fails'] }), { reported: 1, findings: [] })

  const careless: ExploreClient = async ({ call, ...session }) => {
    const [group] = await call('listWorkgroups')
    if (group === undefined) return careful({ call, ...session })
    if (group.workspaces.some(({ status }) => status === 'Failed')) throw new Error('it failed')
  }
  const report = await explore(careless, { ...QUICK, plans: ['transition-fails'] })
  t.match(report.findings, [{ kind: 'left-behind', summary: /which is Failed; run again, it failed/ }])
})

void t.test('a client that cannot replace what it removed stops halfway', async (t) => {
  const replaces: ExploreClient = async ({ call }) => {
    const [group] = await call('listWorkgroups')
    await call('deleteWorkgroup', { workgroupID: group!.workgroup_id })
    await call('createWorkgroup', GROUP)
  }
  const seed = { workgroups: [{ name: 'main' }] }
  const { findings } = await explore(replaces, { ...QUICK, seed, plans: ['forbidden'] })
  t.match(findings, [{ kind: 'left-behind', summary: /halfway, having removed the workgroup main; run again, it/ }])
})

void t.test('after a kill, the client or its recovery runs', async (t) => {
  const report = await explore(retriesBlindly, { ...QUICK, plans: ['killed-before', 'killed-after'] })
  t.match(report.findings, [
    { kind: 'not-recovered', operation: 'createWorkgroup', elsewhere: [{ operation: 'createWorkspace' }] }
  ])
  t.equal(report.recovered, 1, 'killed before it did anything')
  const recovered: string[] = []
  const recover: ExploreClient = async ({ key }) => {
    recovered.push(key)
  }
  const other = await explore(retriesBlindly, { ...QUICK, plans: ['killed-after'], recover })
  t.ok(recovered.length >= 2)
  t.match(other.findings[0]!.summary, /the recovery ended with success, but/)
})

for (const [kind, invent] of Object.entries({
  'with digits': () => Math.random().toString(36).slice(2) + '9',
  'of letters': () =>
    Math.random()
      .toString(5)
      .replaceAll(/\W/g, '')
      .replaceAll(/\d/g, (digit) => 'aeiou'[Number(digit)]!)
}))
  void t.test(
    `the same call meets the fault in each run, even with concurrent calls and generated names ${kind}`,
    async (t) => {
      let run = 0
      const client: ExploreClient = async ({ call }) => {
        const { workgroup_id: id } = await call('createWorkgroup', {
          body: { name: `test-${invent()}`, cloud_provider_id: 'a' }
        })
        const names = run++ % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'a', 'b']
        await Promise.all(
          names.map((name) => call('createWorkspace', { workgroupID: id, body: { name } }).catch(() => 0))
        )
      }
      const report = await explore(client, { ...QUICK, plans: ['dropped'] })
      const [{ resource, elsewhere }] = report.findings as [ExploreReport['findings'][number]]
      t.strictSame([resource, ...elsewhere.map((other) => other.resource)].sort(), ['test-~/a', 'test-~/b', 'test-~/c'])
      t.equal(report.missed, 0)
    }
  )

void t.test('a call that the client makes again anyway is no retry', async (t) => {
  const pausing =
    (tries: number): ExploreClient =>
    async ({ call }) => {
      const ids = { workgroupID: 'main', workspaceID: 'writer' }
      const pause = async () => {
        for (let attempt = 0; attempt < tries; attempt++)
          if (
            await call('pauseWorkspace', ids).then(
              () => true,
              () => false
            )
          )
            return
      }
      await pause()
      await call('resumeWorkspace', ids).catch(() => undefined)
      await pause()
    }
  const seed = { workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] }
  for (const [tries, text] of [
    [1, /every time; the client ended/],
    [3, /every time; the client sent it 4 more times; it ended/]
  ] as const) {
    const { findings } = await explore(pausing(tries), { ...QUICK, seed, plans: ['rejected'], maxPlans: 1 })
    t.match(findings, [{ operation: 'pauseWorkspace', summary: text }])
  }
})

void t.test('each stub is a call of its own', async (t) => {
  const profile = join(temporaryFolder(t), 'profile.json')
  const stubs = ['/hello', '/bye'].map((path) => ({ method: 'GET', path, status: 200, body: {} }))
  writeFileSync(profile, JSON.stringify({ profile: 1, stubs }))
  const titles: string[] = []
  const client: ExploreClient = async ({ call, url, headers }) => {
    for (const path of ['/hello', '/bye']) await sendJson('GET', url + path, headers)
    await call('listWorkgroups').catch(() => undefined)
  }
  const report = await explore(client, {
    ...QUICK,
    server: { profile },
    plans: ['read-too-many'],
    onProgress: ({ title }) => titles.push(title)
  })
  t.strictSame(report.findings, [], 'the next one is no retry')
  t.strictSame(titles.slice(0, 2), ['read-too-many GET /hello', 'read-too-many GET /bye'])
})

void t.test('all polls of one state are one point', async (t) => {
  let polls = 1
  const client: ExploreClient = async ({ call }) => {
    const { workgroup_id: id } = await call('createWorkgroup', GROUP)
    polls++
    for (let count = 0; count < polls; count++) await call('getWorkgroup', { workgroupID: id }).catch(() => 0)
  }
  const report = await explore(client, { ...QUICK, plans: ['read-unavailable'] })
  t.match(report, { plans: 1, recovered: 1 })
})

void t.test('a read may not show the latest creation yet', async (t) => {
  const client: ExploreClient = async ({ call }) => {
    await call('listWorkgroups')
    await call('createWorkgroup', GROUP)
    const groups = await call('listWorkgroups')
    if (groups.length === 0) await call('createWorkgroup', GROUP)
    await call('listOrgUsers')
  }
  const report = await explore(client, { ...QUICK, plans: ['stale'] })
  t.match(report, { plans: 1, findings: [{ kind: 'duplicate', operation: 'listWorkgroups' }] })
  t.match(report.findings[0]!.summary, /listWorkgroups #2 did not show the latest write yet/i)
})

void t.test('a 200 is a success only if its body says so, too', async (t) => {
  const create =
    (isRefused: (status: number, body: { Error: boolean }) => boolean): ExploreClient =>
    async (session) => {
      const reply = await postGroup(session)
      if (isRefused(reply.status, (await reply.json()) as { Error: boolean })) throw new Error('refused')
    }
  const plans = ['error-in-200', 'rejected'] as const
  const kinds = async (client: ExploreClient) =>
    (await explore(client, { ...QUICK, plans })).findings.map(({ kind, faults }) => `${kind} ${faults[0]!.kind}`)
  t.strictSame(await kinds(create((status) => status !== 200)), ['false-success error-in-200'])
  t.strictSame(await kinds(create((_, body) => body.Error)), [])
  t.strictSame(await kinds(create((status, body) => body.Error && status !== 400)), ['false-success rejected'])
})

void t.test('a client that waits for a workspace must notice that somebody else deleted or paused it', async (t) => {
  const waiting =
    (mayBeLate: boolean): ExploreClient =>
    async ({ call, signal }) => {
      const { workgroupID, workspaceID } = await makeBoth(call)
      const isActive = () =>
        call('getWorkspace', { workgroupID, workspaceID }).then(({ status }) => status === 'Active')
      while (!signal.aborted && !(await (mayBeLate ? isActive().catch(() => false) : isActive()))) await setTimeout(20)
    }
  const options = { timeout: '1s', plans: ['removed'], oneShot: true } as const
  t.strictSame(found(await explore(waiting(true), options)), ['hang getWorkspace main/writer'])
  t.match(await explore(waiting(false), options), { reported: 1, findings: [] })
  const paused = { ...options, plans: ['paused'] } as const
  t.strictSame(found(await explore(waiting(false), paused)), ['hang getWorkspace main/writer'])
  const finds: ExploreClient = async ({ call, signal }) => {
    const [group] = await call('listWorkgroups')
    const { workgroup_id: workgroupID, workspaces } = group!
    const { workspace_id: workspaceID } = workspaces[0]!
    while ((await call('getWorkspace', { workgroupID, workspaceID })).status !== 'Active' && !signal.aborted)
      await setTimeout(20)
  }
  const seed = { workgroups: [{ workspaces: [{}] }] }
  const report = await explore(finds, { ...paused, seed, server: { transitions: 'realistic' } })
  t.match(report, { undecided: 1, findings: [] }, 'until the workspace is Stopped, the client may wait')
  const looksOnce: ExploreClient = async ({ call }) => {
    const { workgroupID, workspaceID } = await makeBoth(call)
    await call('getWorkspace', { workgroupID, workspaceID })
  }
  t.match(await explore(looksOnce, paused), { recovered: 1, findings: [] }, 'a client that does not wait may end')
})

void t.test('a client may fail, and fail again, after somebody else deleted a workspace that it needs', async (t) => {
  const pauses: ExploreClient = async ({ call }) => {
    const [old] = (await call('getWorkgroup', { workgroupID: 'main' })).workspaces
    const { workspace_id: workspaceID } = old!
    await call('getWorkspace', { workgroupID: 'main', workspaceID })
    await call('pauseWorkspace', { workgroupID: 'main', workspaceID })
  }
  const seed = { workgroups: [{ id: 'main', workspaces: [{ id: 'old' }] }] }
  t.match(await explore(pauses, { ...QUICK, seed, plans: ['removed'] }), { plans: 1, reported: 1, findings: [] })
})

void t.test('a 409 does not prove that the wanted resource exists', async (t) => {
  const creates =
    (looks: boolean): ExploreClient =>
    async ({ call }) => {
      await call('createWorkgroup', GROUP).catch(async (error: unknown) => {
        const isThere = !looks || (await call('listWorkgroups')).some(({ name }) => name === 'main')
        if (!isThere || (error as { status?: number }).status !== 409) throw error
      })
    }
  const options = { ...QUICK, plans: ['conflict'] } as const
  t.strictSame(found(await explore(creates(false), options)), ['false-success createWorkgroup main'])
  t.match(await explore(creates(true), options), { reported: 1, findings: [] })
})

void t.test('neither a refused clean-up nor concurrent calls are mistakes', async (t) => {
  const test: ExploreClient = async ({ call }) => {
    await call('createWorkgroup', GROUP)
    for (const { workgroup_id: workgroupID } of await call('listWorkgroups'))
      await call('deleteWorkgroup', { workgroupID })
  }
  const plans = ['error-in-200', 'request-timeout-after', 'read-error-in-200', 'read-expired'] as const
  t.ok((await foundWith(test, ...plans)).every((name) => name.includes('createWorkgroup')))
  t.match(await explore(test, { ...QUICK, plans: ['unavailable', 'outage', 'dropped'], maxPlans: 6 }), { findings: [] })
  const nested: ExploreClient = async ({ call }) => {
    const { workgroup_id: workgroupID } = await call('createWorkgroup', GROUP)
    await call('addAllowedIP', { workgroupID, body: { cidr: '192.0.2.0/24' } })
    for (const { id } of await call('listAllowedIPs', { workgroupID }))
      await call('deleteAllowedIP', { workgroupID, id })
    await call('deleteWorkgroup', { workgroupID })
  }
  const refused = await foundWith(nested, 'request-timeout-after')
  const blamesDeletion = refused.some((name) => name.includes('delete'))
  t.notOk(blamesDeletion, 'many clients treat a 408 as a refusal')
  const twice: ExploreClient = async ({ call }) => {
    const { workgroup_id: first } = await call('createWorkgroup', GROUP)
    const { workgroup_id: second } = await call('createWorkgroup', { body: { ...GROUP.body, name: 'other' } })
    await call('deleteWorkgroup', { workgroupID: first })
    await call('deleteWorkgroup', { workgroupID: second })
  }
  const kept = await foundWith(twice, 'dropped')
  t.ok(kept.includes('left-behind deleteWorkgroup main'), 'one refusal does not excuse the rest')
  const together = timed(async (call, sleep) => {
    const patiently = () => call('listWorkgroups').catch(() => sleep(1001).then(() => call('listWorkgroups')))
    await Promise.all([patiently(), patiently(), patiently()])
  })
  t.match(await explore(together, { ...QUICK, plans: ['read-too-many'] }), { plans: 1, recovered: 1 })
  const rude: ExploreClient = async ({ call }) => {
    await call('listWorkgroups').catch(() => call('listWorkgroups'))
  }
  t.strictSame(await foundWith(rude, 'read-too-many'), ['impolite listWorkgroups '])
  const tidy: ExploreClient = async ({ call }) => {
    const { workgroup_id: workgroupID } = await call('createWorkgroup', GROUP)
    try {
      await call('listWorkgroups')
    } finally {
      await call('deleteWorkgroup', { workgroupID })
      await call('listWorkgroups')
    }
  }
  const looks = await explore(tidy, { ...QUICK, plans: ['read-too-many'], maxPlans: 1 })
  t.match(looks, { reported: 1, findings: [] }, 'a read after the clean-up is not a retry')
})

void t.test('one retry is not enough for an outage, nor for writes that appear late', async (t) => {
  const client: ExploreClient = async ({ call }) => {
    const { workgroup_id: workgroupID } = await call('createWorkgroup', GROUP)
    const read = () => call('getWorkgroup', { workgroupID })
    await read().catch(() => setTimeout(1001).then(read))
  }
  t.strictSame(await foundWith(client, 'read-unavailable', 'stale'), [])
  t.strictSame(await foundWith(client, 'read-outage'), ['forgotten getWorkgroup main'])
  t.strictSame(await foundWith(client, 'vanish'), ['forgotten getWorkgroup main'])
})

void t.test('a client must limit each request', async (t) => {
  const patiently: ExploreClient = (session) => postGroup(session, session.signal)
  const limited: ExploreClient = (session) =>
    postGroup(session, AbortSignal.any([AbortSignal.timeout(1000), session.signal]))
  const options = { timeout: '2s', plans: ['silent'], oneShot: true } as const
  t.match(await explore(patiently, options), { plans: 1, findings: [{ kind: 'hang' }] })
  const late = { ...QUICK, plans: ['late'], oneShot: true } as const
  t.match(await explore(patiently, late), { recovered: 1, findings: [] })
  const blind: ExploreClient = (session) => limited(session).catch(() => limited(session))
  t.match(await explore(blind, late), { findings: [{ kind: 'duplicate' }] })
  t.match(await explore(limited, options), { reported: 1, findings: [] })
})

void t.test('a restore job may not be there yet when it is read', async (t) => {
  const client: ExploreClient = async ({ call }) => {
    const workspaceID = 'writer'
    const job = await call('restoreBackup', { workgroupID: 'main', workspaceID, body: { backup_id: 'monday' } })
    await call('getRestoreStatus', { workspaceID, job })
  }
  const backups = [{ id: 'monday', time: '2026-01-05T03:00:00Z' }]
  const seed = { workgroups: [{ id: 'main', workspaces: [{ id: 'writer', backups }] }] }
  t.match(await explore(client, { ...QUICK, seed, plans: ['stale'] }), { plans: 1, missed: 0 })
  const options: ExploreOptions = { ...QUICK, seed, oneShot: true, plans: ['transition-fails'] }
  const { findings, questions } = await explore(client, options)
  t.match(findings, [{ kind: 'false-success', summary: /restore job .* is Failed/ }], 'reading it is watching')
  t.strictSame(questions, [])
})

void t.test('possible mistakes without any fault become questions', async (t) => {
  const client: ExploreClient = async ({ call, url, headers }) => {
    const { workgroupID, workspaceID } = await makeBoth(call)
    await call('getWorkspace', { workgroupID, workspaceID })
    await call('pauseWorkspace', { workgroupID, workspaceID })
    await call('deleteWorkspace', { workgroupID, workspaceID: 'none' }).catch(() => 0)
    await call('deleteWorkgroup', { workgroupID: 'old' })
    await fetch(`${url}/workgroups`, { headers })
    const body = { name: 'b', cloud_provider_id: 'a', workgroup_name: 'b' }
    const { workgroup_id: other } = await call('createWorkgroup', { body })
    const made = await call('createWorkspace', { workgroupID: other, body: { name: 'c' } })
    await call('deleteWorkspace', { workgroupID: other, workspaceID: made.workspace_id })
    await call('deleteDatabase', { workgroupID: other, databaseID: made.database_id })
    await call('deleteWorkgroup', { workgroupID: other })
    for (const workgroup_name of ['odd', 'even', 'odd', 'even', 'main'])
      await call('updateWorkgroup', { workgroupID, body: { workgroup_name } })
    for (const name of ['twin', 'twin']) await call('createWorkgroup', { body: { name, cloud_provider_id: 'a' } })
  }
  const seed = { workgroups: [{ id: 'old', name: 'old' }] }
  const { questions, leaves } = await explore(client, { ...QUICK, seed, plans: ['cut'], maxPlans: 1 })
  t.strictSame(leaves, ['workgroup main', 'workspace main/writer', 'workgroup twin', 'workgroup twin'])
  t.match(questions, [
    /^a call fails: There is no operation at GET \/workgroups/,
    /^createWorkgroup ignores the field workgroup_name: its body has .*name/,
    /^deleteWorkspace none was refused with 404/,
    /^updateWorkgroup main sets the same two values alternately, in 5 calls$/,
    /does not check whether pauseWorkspace main\/writer succeeds/,
    /does not check whether createWorkspace b\/c succeeds/,
    /does not check whether deleteWorkspace b\/c succeeds/,
    /deletes something, but leaves the workgroup main and two workgroups named twin$/,
    /cleans up, but also removes the workgroup old, which it did not create$/,
    /leaves two workgroups named twin$/
  ])
  t.strictSame((await explore(isCareful, { ...QUICK, plans: ['cut'], maxPlans: 1 })).questions, [])
  const asked = async (oneShot: boolean) =>
    (await explore(retriesBlindly, { ...QUICK, plans: ['cut'], maxPlans: 1, oneShot })).questions.at(-1)
  t.match(await asked(false), /^a second run of the client ends differently: two workgroups named main exist$/)
  t.notMatch(await asked(true), /second run/)
})

void t.test('a second fault is tried at calls that occur only after the first', async (t) => {
  const { plans, findings } = await explore(retriesBlindly, { ...QUICK, plans: ['dropped', 'lost'], pairs: true })
  t.ok(plans > 4, 'the reply to the retry may be lost as well')
  const areSingle = findings.every(({ faults }) => faults.length === 1)
  t.ok(areSingle, 'a known mistake is not found again')
})

void t.test('a client that breaks a rule of the report only after a fault is impolite', async (t) => {
  /** Between attempts, a client without a pause takes this long. */
  const AT_ONCE = 2
  const retrying = (most: number, pauseAfter: (tries: number) => number, before: Work = async () => undefined) =>
    timed(async (call, sleep) => {
      for (let tries = 1; ; tries++) {
        try {
          await before(call, sleep)
          return await call('createWorkgroup', GROUP)
        } catch (error) {
          if (tries === most) throw error
          await sleep(pauseAfter(tries))
        }
      }
    })
  const steady = retrying(7, () => 50)
  const { findings } = await explore(steady, { ...QUICK, plans: ['too-many', 'down'] })
  t.match(findings, [
    { kind: 'impolite', summary: /did not wait longer before each attempt/ },
    { kind: 'impolite', summary: /as long as Retry-After said/ }
  ])
  const inRounds = (perRound: number) =>
    retrying(3 * perRound, (tries) => (tries % perRound === 0 ? 100 * 2 ** (tries / perRound) : AT_ONCE))
  const nested = await explore(inRounds(3), { ...QUICK, plans: ['down'] })
  t.match(nested.findings, [{ kind: 'impolite', summary: /most of its attempts without a pause/ }])
  t.strictSame(await foundWith(inRounds(1), 'down'), [])
  const looking =
    (duration: number): Work =>
    async (call, sleep) => {
      await sleep(duration)
      await call('listWorkgroups')
      await sleep(duration)
    }
  const slow = retrying(4, (tries) => 5 * 2 ** tries, looking(60))
  t.strictSame(await foundWith(slow, 'down'), [], 'its own work hides how its pauses grow')
  const hasty = retrying(4, () => AT_ONCE, looking(AT_ONCE))
  const foundInHasty = await foundWith(hasty, 'down')
  t.strictSame(foundInHasty, ['impolite createWorkgroup main'], 'it takes little time, but never pauses')
})

/** Looks for the workgroup before it makes it. */
const findsOrMakes: ExploreClient = async ({ call }) => {
  const all = await call('listWorkgroups')
  if (!all.some(({ name }) => name === 'main')) await call('createWorkgroup', GROUP)
}

void t.test('on request, two concurrent runs must leave what two successive runs leave', async (t) => {
  const plans = ['beside'] as const
  const { findings } = await explore(findsOrMakes, { ...QUICK, plans })
  t.match(findings, [
    {
      kind: 'duplicate',
      operation: 'createWorkgroup',
      summary: /ran once more, from start to finish; both ended with success, and two workgroups named main exist/
    }
  ])
  t.strictSame((await explore(findsOrMakes, QUICK)).findings, [], 'only on request')
  const looksAgain: ExploreClient = async ({ call, key, ...session }) => {
    await findsOrMakes({ call, key, ...session })
    const mine = (await call('listWorkgroups')).filter(({ name }) => name === 'main')
    const spare = mine.map(({ workgroup_id: id }) => id).sort()
    for (const workgroupID of spare.slice(1)) await call('deleteWorkgroup', { workgroupID })
  }
  t.match(await explore(looksAgain, { ...QUICK, plans }), { findings: [], recovered: 1 })
  const makesCopies: ExploreClient = ({ call }) => call('createWorkgroup', GROUP)
  t.strictSame((await explore(makesCopies, { ...QUICK, plans })).findings, [], 'two runs may make two copies')
  const counts: ExploreClient = async ({ call }) => {
    for (const { workgroup_id: workgroupID, name } of await call('listWorkgroups'))
      await call('updateWorkgroup', { workgroupID, body: { workgroup_name: `${name}+` } })
  }
  const state = { workgroups: [{ name: 'one', cloud_provider_id: 'a' }] }
  const lost = await explore(counts, { ...QUICK, plans, seed: state })
  t.match(lost.findings, [{ kind: 'false-success', operation: 'updateWorkgroup' }], 'one of two changes is lost')
})

void t.test('the name of a deleted resource may stay taken for a while', async (t) => {
  const replaces =
    (tries: number): ExploreClient =>
    async ({ call }) => {
      const make = async (left: number): Promise<string> =>
        call('createWorkgroup', GROUP).then(
          ({ workgroup_id: id }) => id,
          async (error: unknown) => {
            if (left === 0) throw error
            await setTimeout(40)
            return make(left - 1)
          }
        )
      await call('deleteWorkgroup', { workgroupID: await make(0) })
      await make(tries).catch(() => undefined)
    }
  const plans = ['still-taken'] as const
  const { findings } = await explore(replaces(0), { ...QUICK, plans })
  t.match(findings, [{ kind: 'false-success', operation: 'createWorkgroup' }])
  t.match(await explore(replaces(3), { ...QUICK, plans }), { findings: [], plans: 1, recovered: 1 })
})

void t.test('a client that survives a refusal should survive a lost reply', async (t) => {
  const client: ExploreClient = async ({ call }) => {
    const create = () => call('createWorkgroup', GROUP)
    await create().catch(async (error: unknown) => {
      if (!(error instanceof Error) || !('status' in error)) throw error
      await setTimeout(1001)
      await create()
    })
  }
  t.strictSame(await foundWith(client, 'unavailable', 'dropped'), ['inconsistent createWorkgroup main'])
})

void t.test('a client that cannot be judged is refused, with the reason', async (t) => {
  const rejects = (client: ExploreClient, message: RegExp, options?: ExploreOptions) =>
    t.rejects(explore(client, { ...QUICK, ...options }), { name: ExploreError.name, message })
  await rejects(async () => undefined, /never called/)
  await rejects(({ url, headers }) => fetch(`${url}/v4/workgroups`, { headers }), /is an operation: .*\/v4\/workgroups/)
  await rejects(() => Promise.reject(new Error('out of milk')), /out of milk/)
  await rejects(() => setTimeout(60_000, undefined, { ref: false }), /did not end/, { timeout: '10ms' })
  await rejects(isCareful, /raise journalRequests/, { server: { journalRequests: 2 } })
  let count = 0
  await rejects(async ({ call }) => {
    for (let made = 0; made <= count; made++) await call('createWorkgroup', GROUP)
    count++
  }, /does not do the same twice.*createWorkgroup/)
})

void t.test('options are checked', async (t) => {
  const wrong = [
    ...[{ timeout: 'soon' }, { timeout: 5 }, { budget: 'PT0S' }, { jobs: 0 }, { jobs: 1.5 }, { maxPlans: NaN }],
    ...[{ plans: ['fire'] }, { plans: 'lost' }, { seed: 'a.yaml' }, { server: 4700 }, { baseline: 'report.json' }],
    ...[{ recover: 'sh' }, { test: true }, { pairs: 'yes' }, { plans: [] }, { seed: { workgroups: 1 } }],
    ...[{}, { findings: [null] }, { format: 2, findings: [], endings: {} }].map((baseline) => ({ baseline }))
  ]
  for (const options of wrong) {
    const exploreInTest = async () => explore(isCareful, options as ExploreOptions)
    const { name, message, stack } = (await exploreInTest().catch((thrown: unknown) => thrown)) as Error
    t.equal(name, OptionError.name)
    t.match(message, new RegExp(`^${Object.keys(options)[0]!} must `))
    t.match(stack, /^OptionError: .*\n {4}at exploreInTest /)
  }
  const notOptions = { name: OptionError.name, message: 'options must be an object, not null' }
  await t.rejects(explore(isCareful, null as never), notOptions)
  await t.rejects(explore(undefined as never), { name: OptionError.name, message: /^client must be a function/ })
})

void t.test('the report counts the plans that limits leave out', async (t) => {
  const options: ExploreOptions = { ...QUICK, plans: ['dropped', 'forbidden'], maxPlans: 1, jobs: Infinity }
  const report = await explore(retriesBlindly, options)
  t.match(report, { plans: 1, skipped: 3 })
  const none = await explore(retriesBlindly, { ...QUICK, plans: ['dropped'], budget: '1ms' })
  t.equal(none.plans + none.skipped, 2)
})

void t.test(
  'findings in the baseline are omitted, even if a mistake at several calls is only partly known',
  async (t) => {
    const options: ExploreOptions = { ...QUICK, plans: ['killed-after'] }
    const part = await explore(retriesBlindly, { ...options, maxPlans: 1 })
    t.match(part.findings, [{ operation: 'createWorkgroup', elsewhere: [] }])
    const rest = await explore(retriesBlindly, { ...options, baseline: part })
    t.match(rest, { known: 1, findings: [{ operation: 'createWorkspace', elsewhere: [] }] })
    const whole = await explore(retriesBlindly, options)
    t.match(await explore(retriesBlindly, { ...options, baseline: whole }), { known: 2, findings: [] })
  }
)

void t.test('each plan can be a test', async (t) => {
  const results: string[] = []
  const test = async (name: string, run: () => Promise<void>) => {
    await run().then(
      () => results.push(`ok ${name}`),
      (error: unknown) => results.push(`${(error as Error).name} ${name}`)
    )
  }
  const report = await explore(retriesBlindly, { ...QUICK, plans: ['lost', 'dropped'], test })
  t.strictSame(results, [
    'FindingError lost createWorkgroup main',
    'FindingError lost createWorkspace main/writer',
    'ok dropped createWorkgroup main',
    'ok dropped createWorkspace main/writer'
  ])
  t.equal(report.plans, 4)
})

void t.test('a runner may register all tests first and run them later', async (t) => {
  const runs: (() => Promise<void>)[] = []
  await explore(isCareful, { ...QUICK, plans: ['dropped'], test: (_, run) => void runs.push(run) })
  t.ok(runs.length > 1)
  for (const run of runs) await run()
})

void t.test('each run begins with the same contents', async (t) => {
  const seen = new Set<string>()
  const client: ExploreClient = async ({ call }) => {
    seen.add(JSON.stringify((await call('listWorkgroups')).map(({ name }) => name)))
    await call('deleteWorkgroup', { workgroupID: 'old' })
  }
  const report = await explore(client, {
    ...QUICK,
    seed: { workgroups: [{ id: 'old' }] },
    plans: ['lost', 'forbidden']
  })
  t.strictSame([...seen], ['["old"]', '[]'], 'except the run after a failed one')
  t.equal(report.reported, 2)
})

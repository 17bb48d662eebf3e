import t from 'tap'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { verify } from '../../src/test-control/requests/verify.js'
import { buildMock, matchError, matchSuccess, type Reply } from '../helper.js'
import { type Fields, messageOf, oneOf, patternOf, type Problem, type Values } from '../messages.js'
import { NONE, openSandbox } from '../sandbox.js'

const idOf = (reply: Reply) => reply.headers['x-request-id'] as string

async function open(...[t, options]: Parameters<typeof buildMock>) {
  const b = await openSandbox(await buildMock(t, options))
  return { b, expect: (expectation: unknown) => b.control('POST', '/requests/verify', expectation) }
}

void t.test('a call that was made is found, by operation and by what it had', async (t) => {
  const { b, expect } = await open(t)
  const created = await b.call('POST', '/workgroups?dry=1', {
    cloud_provider_id: 'account',
    name: 'a',
    extra: { list: [1, { x: 1 }] }
  })
  const workgroup = created.body.Result.workgroup_id as string
  const workspace = await b.call('POST', `/workgroups/${workgroup}/workspaces`, {})
  const read = await b.call('GET', `/workgroups/${workgroup}/workspaces/${workspace.body.Result.workspace_id}`)
  const meet = async (expectation: object, ...replies: Reply[]) => {
    matchSuccess(t, await expect(expectation), `Calls found: ${replies.length}.`, {
      matches: replies.map(idOf),
      count: replies.length
    })
  }
  await meet({ operation: 'createWorkgroup' }, created)
  await meet(
    {
      operation: 'createWorkgroup',
      where: { status: 200, query: { dry: '1' }, body: { name: 'a' } },
      times: { exactly: 1 }
    },
    created
  )
  await meet(
    {
      operation: 'createWorkgroup',
      where: { body: { extra: { list: [1, { x: 1 }] } } },
      times: { atLeast: 1, atMost: 2 }
    },
    created
  )
  await meet({ operation: 'createWorkspace', where: { workgroup_id: workgroup } }, workspace)
  await meet({ operation: 'getWorkspace', where: { workspace_id: workspace.body.Result.workspace_id } }, read)
  await meet({ operation: 'deleteWorkgroup', times: { exactly: 0 } })
  await meet({ operation: 'deleteWorkgroup', times: { atMost: 3 } })
  await meet(
    { sequence: [{ operation: 'createWorkgroup' }, { operation: 'getWorkspace', where: { status: 200 } }] },
    created,
    read
  )
})

void t.test('what was not met is a 400 that names the calls that come nearest', async (t) => {
  const { b, expect } = await open(t)
  const fail = async (
    expectation: { operation: string; where?: object; times?: object },
    key: Problem<'notAllowed'>,
    values: Values,
    ...reasons: string[]
  ) => {
    const { status, body } = await expect(expectation)
    const message = messageOf('notAllowed', key, { operation: expectation.operation, ...values })
    t.strictSame([status, body.Message], [400, message])
    t.strictSame(
      body.ErrorDetails,
      (reasons.length === 0 ? [message] : reasons).map((Reason) => ({ FieldName: '', Reason, Type: 'Bad-Request' }))
    )
  }
  await fail({ operation: 'resumeWorkspace' }, 'called', { count: '0 times', wanted: 'at least 1' })
  const far = await b.call('POST', '/workgroups', { name: 'x', cloud_provider_id: 'account', list: [1] })
  const near = await b.call('POST', '/workgroups', { name: 'a', cloud_provider_id: 'account', list: [1] })
  const inFar = `in ${idOf(far)}, body.name is "x", not "a" and body.list is [1], not [1,2]`
  const inNear = `in ${idOf(near)}, body.list is [1], not [1,2]`
  await fail(
    { operation: 'createWorkgroup', where: { body: { name: 'a', list: [1, 2] } } },
    'calledAsDescribed',
    { count: '0 times', wanted: 'at least 1', calls: `${inNear}; ${inFar}` },
    inNear,
    inFar
  )
  await fail({ operation: 'createWorkgroup', times: { exactly: 3 } }, 'called', {
    count: '2 times',
    wanted: 'exactly 3'
  })
  await fail({ operation: 'createWorkgroup', times: { atLeast: 3, atMost: 4 } }, 'called', {
    count: '2 times',
    wanted: 'at least 3 and at most 4'
  })
  await fail({ operation: 'createWorkgroup', times: { atMost: 1 } }, 'calledBy', {
    count: '2 times',
    wanted: 'at most 1',
    calls: `${idOf(far)}, ${idOf(near)}`
  })
  const read = await b.call('GET', `/workgroups/${NONE}?a=1`)
  const inRead =
    `in ${idOf(read)}, workgroup_id is "${NONE}", not "other" and workspace_id is absent, not "b" and status ` +
    'is 404, not 200 and query.a is "1", not "2" and query.b is absent, not "3" and body is absent, not {}'
  await fail(
    {
      operation: 'getWorkgroup',
      where: { workgroup_id: 'other', workspace_id: 'b', status: 200, query: { a: '2', b: '3' }, body: {} }
    },
    'calledAsDescribed',
    { count: '0 times', wanted: 'at least 1', calls: inRead },
    inRead
  )
  const more = await Promise.all(
    ['b', 'c', 'd'].map((name) => b.call('POST', '/workgroups', { name, cloud_provider_id: 'account' }))
  )
  await fail({ operation: 'createWorkgroup', times: { exactly: 1 } }, 'calledLastBy', {
    count: '5 times',
    wanted: 'exactly 1',
    calls: more.map(idOf).join(', ')
  })
  const { body } = await expect({ operation: 'createWorkgroup', where: { body: { name: 'none' } } })
  t.equal(body.ErrorDetails.length, 3, 'no more than three are named')
})

void t.test(
  'of what comes near, the nearest are named, of those the newest first, and some of what differs',
  async (t) => {
    const { b, expect } = await open(t)
    const wanted = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, i]))
    /** A call that differs in so many fields. */
    const differ = async (count: number) => {
      const body = Object.fromEntries(
        Object.entries(wanted).map(([field, value], i) => [field, i < count ? -1 : value])
      )
      return idOf(await b.call('POST', '/workgroups', body))
    }
    const ids: string[] = []
    for (const count of [25, 3, 21, 2, 3, 25, 30]) ids.push(await differ(count))
    const fail = async () =>
      (
        (await expect({ operation: 'createWorkgroup', where: { body: wanted } })).body.ErrorDetails as {
          Reason: string
        }[]
      ).map(({ Reason }) => Reason)
    const [nearest, newer, older] = await fail()
    t.equal(nearest, `in ${ids[3]!}, body.f0 is -1, not 0 and body.f1 is -1, not 1`)
    t.match([newer, older], [`in ${ids[4]!}, `, `in ${ids[1]!}, `])
    await b.control('DELETE', '/requests')
    for (const [count, more] of [
      [20, undefined],
      [21, '1 more field differs'],
      [30, '10 more fields differ']
    ] as const) {
      await differ(count)
      const last = (await fail()).find((reason) => reason.split(' and ').length === Math.min(21, count))!.split(' and ')
      t.equal(last[20], more)
      await b.control('DELETE', '/requests')
    }
  }
)

void t.test('a match is decided at the first difference', async (t) => {
  const { b } = await open(t)
  const tags = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]))
  for (let i = 0; i < 20; i++) await b.call('POST', '/workgroups', { cloud_provider_id: 'account', tags: { k0: -1 } })
  await b.call('POST', '/workgroups', { cloud_provider_id: 'account', tags })
  let compared = 0
  const counting = new Proxy(tags, {
    get: (target, field) => {
      compared++
      return Reflect.get(target, field) as unknown
    }
  })
  t.equal(verify(b.sandbox, { operation: 'createWorkgroup', where: { body: { tags: counting } } }).count, 1)
  // Some passes over it to check and mask it, and one for the call that matches; one field for each of the others.
  t.ok(compared <= 5 * 200 + 20, `${compared} fields were looked at`)
})

void t.test('a sequence says at which step it ends', async (t) => {
  const { b, expect } = await open(t)
  const created = await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  const read = await b.call('GET', '/workgroups')
  const verify = async (...sequence: object[]) => (await expect({ sequence })).body
  const second = { step: 2, steps: 2, operation: 'createWorkgroup' }
  const early = `in ${idOf(created)}, it came too early`
  t.match(await verify({ operation: 'createWorkgroup' }, { operation: 'listWorkgroups' }), {
    Error: false,
    Result: { count: 2 }
  })
  t.equal(
    (await verify({ operation: 'listWorkgroups' }, { operation: 'createWorkgroup' })).Message,
    messageOf('notAllowed', 'stepAfter', { ...second, previous: `listWorkgroups (${idOf(read)})`, calls: early })
  )
  t.equal(
    (await verify({ operation: 'createWorkgroup' }, { operation: 'createWorkgroup' })).Message,
    messageOf('notAllowed', 'stepAfter', { ...second, previous: `createWorkgroup (${idOf(created)})`, calls: early })
  )
  t.equal(
    (await verify({ operation: 'deleteWorkgroup' }, { operation: 'listWorkgroups' })).Message,
    messageOf('notAllowed', 'step', { step: 1, steps: 2, operation: 'deleteWorkgroup' })
  )
  t.equal(
    (await verify({ operation: 'listWorkgroups', where: { status: 500 } })).Message,
    messageOf('notAllowed', 'stepNear', {
      step: 1,
      steps: 1,
      operation: 'listWorkgroups',
      calls: `in ${idOf(read)}, status is 200, not 500`
    })
  )
})

void t.test('secrets are neither compared nor shown', async (t) => {
  const { b, expect } = await open(t)
  const path = `/workgroups/${NONE}/workspaces/${NONE}/dbuser`
  await b.call('POST', path, { username: 'a', password: 'hunter2' })
  const verify = (body: object) => expect({ operation: 'createDatabaseUser', where: { body } })
  t.equal((await verify({ password: 'other' })).status, 200)
  const { body } = await verify({ username: 'b', password: 'hunter2' })
  t.match(body.Message, 'body.username is "a", not "b".')
  t.notMatch(JSON.stringify(body), /hunter2/)
})

void t.test('an expectation that is wrong is a 400 that names the field', async (t) => {
  const { expect } = await open(t)
  const refuse = async (expectation: unknown, fields: Fields) => {
    matchError(t, await expect(expectation), 'invalidBody', fields)
  }
  await refuse({}, { operation: 'verification' })
  await refuse({ operation: 'getWorkgroup', sequence: [{ operation: 'getWorkgroup' }] }, { operation: 'verification' })
  await refuse({ sequence: [] }, { sequence: ['minItems', { limit: 1 }] })
  await refuse({ sequence: [{ operation: 'getWorkgroup' }], times: { exactly: 1 } }, { times: 'withSequence' })
  await refuse({ operation: 'getWorkgroup', times: {} }, { times: 'timesForm' })
  await refuse({ operation: 'getWorkgroup', times: { exactly: 1, atMost: 1 } }, { times: 'timesForm' })
  await refuse({ operation: 'getWorkgroup', times: { atLeast: 2, atMost: 1 } }, { times: 'timesBounds' })
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
  await refuse(
    { operation: 'createWorkgroup', where: { body: { tags: fields(250) } } },
    { 'where.body': 'tooManyFields' }
  )
  await refuse({ operation: 'getWorkgroup', where: { query: fields(251) } }, { 'where.query': 'tooManyFields' })
  await refuse(
    { sequence: [{ operation: 'getWorkgroup' }, { operation: 'getWorkgroup', where: { body: fields(251) } }] },
    { 'sequence.1.where.body': 'tooManyFields' }
  )
  const enough = await expect({
    operation: 'createWorkgroup',
    where: { body: fields(250) },
    times: { exactly: 0 }
  })
  t.equal(enough.status, 200)
  await refuse({ operation: 'getWorkgroup', where: { colour: 1 } }, { 'where.colour': 'unknown' })
  const known = oneOf(...OPERATION_IDS)
  await refuse({ operation: 'makeWorkspace' }, { operation: known })
  await refuse({ sequence: [{ operation: 'makeWorkspace' }] }, { 'sequence.0.operation': known })
})

void t.test('it says when requests are missing from the journal, and what to do where they may count', async (t) => {
  const { b, expect } = await open(t, { journalRequests: 5 })
  for (let i = 0; i < 10; i++) await b.createWorkgroup()
  const verify = (times: object) => expect({ operation: 'createWorkgroup', times })
  const values = { operation: 'createWorkgroup', count: '5 times' }
  for (const times of [{ exactly: 5 }, { atMost: 6 }, { atLeast: 1, atMost: 6 }])
    t.match((await verify(times)).body.Message, patternOf('notAllowed', 'perhapsMoreOlder', values))
  const { Message } = (await verify({ exactly: 6 })).body
  t.match(Message, patternOf('notAllowed', 'calledOfTheRest', { ...values, wanted: 'exactly 6' }))
  t.equal((await verify({ atLeast: 5 })).status, 200, 'what is there is enough')
  const off = await open(t, { journalRequests: 0 })
  matchError(t, await off.expect({ operation: 'listWorkgroups' }), 'notAllowed', 'journalOff')
})

void t.test(
  'what came too early for a sequence is named before what differs, the newest first, and three at most',
  async (t) => {
    const { b, expect } = await open(t)
    const ids: string[] = []
    const create = async (name: string) => {
      ids.push(idOf(await b.call('POST', '/workgroups', { cloud_provider_id: 'account', name })))
    }
    const expected = { operation: 'createWorkgroup', where: { body: { name: 'a' } } }
    const missed = async () => {
      const { status, body } = await expect({
        sequence: [{ operation: 'listWorkgroups' }, expected]
      })
      t.equal(status, 400)
      return (body.ErrorDetails as { Reason: string }[]).map(({ Reason }) => ids.findIndex((id) => Reason.includes(id)))
    }
    await create('a')
    await create('b')
    await create('a')
    await b.call('GET', '/workgroups')
    await create('c')
    t.strictSame(await missed(), [2, 0, 3])
    await b.call('GET', '/workgroups')
    await create('d')
    t.strictSame(await missed(), [2, 0, 4])
    await create('a')
    const { body } = await expect({
      sequence: [{ operation: 'listWorkgroups' }, expected]
    })
    t.equal(body.Result.count, 2)
    t.equal(body.Result.matches[1], ids[5])
  }
)

void t.test(
  'a body that was too large to keep matters only where its operation and its body are looked at',
  async (t) => {
    const { b, expect } = await open(t)
    const colours = `[${'{},'.repeat(100_000)}{}]`
    t.equal((await b.call('POST', '/workgroups', `{"cloud_provider_id":"x","colours":${colours}}`)).status, 200)
    await b.call('PUT', `/workgroups/${NONE}`, { workgroup_name: 'x' })
    const verify = (operation: string, where: object, times: object) => expect({ operation, where, times })
    const status = async (...expected: Parameters<typeof verify>) => (await verify(...expected)).status
    const body = { workgroup_name: 'x' }
    t.equal(await status('updateWorkgroup', { body }, { exactly: 1 }), 200)
    t.equal(await status('createWorkgroup', { status: 200 }, { exactly: 1 }), 200)
    const refused = await verify('createWorkgroup', { body }, { atMost: 1 })
    matchError(t, refused, 'notAllowed', 'perhapsMoreUnread', {
      values: { operation: 'createWorkgroup', count: '0 times' }
    })
    t.equal(await status('createWorkgroup', { body }, { atLeast: 0 }), 200)
  }
)

void t.test('a value that is told is cut where it is longer than a hundred characters', async (t) => {
  const { b, expect } = await open(t)
  const reason = async (length: number) => {
    await b.control('DELETE', '/requests')
    await b.call('POST', '/workgroups', { cloud_provider_id: 'account', name: 'x'.repeat(length) })
    const where = { body: { name: '' } }
    const { body } = await expect({ operation: 'createWorkgroup', where })
    return body.ErrorDetails[0].Reason as string
  }
  // The quotes count.
  t.match(await reason(98), `"${'x'.repeat(98)}"`)
  t.match(await reason(99), `"${'x'.repeat(99)}…`)
})

void t.test('an expectation is met at each end of how often it may be', async (t) => {
  const { b, expect } = await open(t)
  for (let i = 0; i < 2; i++) await b.call('GET', '/workgroups')
  const status = async (times?: object) => (await expect({ operation: 'listWorkgroups', times })).status
  for (const times of [
    undefined,
    { exactly: 2 },
    { atLeast: 2 },
    { atMost: 2 },
    { atLeast: 2, atMost: 2 },
    { atLeast: 0, atMost: 2 },
    { atLeast: 0 }
  ])
    t.equal(await status(times), 200, JSON.stringify(times))
  for (const times of [{ exactly: 1 }, { exactly: 3 }, { exactly: 0 }, { atLeast: 3 }, { atMost: 1 }, { atMost: 0 }])
    t.equal(await status(times), 400, JSON.stringify(times))
})

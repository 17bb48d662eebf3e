import t from 'tap'
import { buildMock, matchError, matchSuccess, type Reply } from '../helper.js'
import { type Fields, messageOf, patternOf, type Values } from '../messages.js'
import { NONE, openSandbox } from '../sandbox.js'

/** An error detail of a refused expectation. */
interface Detail {
  readonly Reason: string
}

const idOf = (reply: Reply) => reply.headers['x-request-id'] as string

async function open(...[t, options]: Parameters<typeof buildMock>) {
  const b = await openSandbox(await buildMock(t, options))
  return { b, expect: (expectation: unknown) => b.control('POST', '/requests/verify', expectation) }
}

void t.test('a verification finds calls by operation and conditions', async (t) => {
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

void t.test('an unmet expectation is a 400 that names the nearest calls', async (t) => {
  const { b, expect } = await open(t)
  const fail = async (
    expectation: { operation: string; where?: object; times?: object },
    values: Values,
    ...reasons: string[]
  ) => {
    const { status, body } = await expect(expectation)
    const key = reasons.length === 0 ? 'called' : 'calledNear'
    const message = messageOf('notAllowed', key, {
      operation: expectation.operation,
      calls: reasons.join('; '),
      ...values
    })
    t.strictSame([status, body.Message], [400, message])
    t.strictSame(
      body.ErrorDetails,
      (reasons.length === 0 ? [message] : reasons).map((Reason) => ({ FieldName: '', Reason, Type: 'Bad-Request' }))
    )
  }
  await fail({ operation: 'resumeWorkspace' }, { count: 0, wanted: 'at least 1' })
  const far = await b.call('POST', '/workgroups', { name: 'x', cloud_provider_id: 'account', list: [1] })
  const near = await b.call('POST', '/workgroups', { name: 'a', cloud_provider_id: 'account', list: [1] })
  await fail(
    { operation: 'createWorkgroup', where: { body: { name: 'a', list: [1, 2] } } },
    { count: 0, wanted: 'at least 1' },
    `in ${idOf(near)}, body.list is [1], not [1,2]`,
    `in ${idOf(far)}, body.name is "x", not "a" and body.list is [1], not [1,2]`
  )
  await fail({ operation: 'createWorkgroup', times: { exactly: 3 } }, { count: 2, wanted: 'exactly 3' })
  await fail(
    { operation: 'createWorkgroup', times: { atLeast: 3, atMost: 4 } },
    { count: 2, wanted: 'at least 3 and at most 4' }
  )
  await fail(
    { operation: 'createWorkgroup', times: { atMost: 1 } },
    { count: 2, wanted: 'at most 1' },
    ...[far, near].map((reply) => `the call ${idOf(reply)} matches`)
  )
  const read = await b.call('GET', `/workgroups/${NONE}?a=1`)
  await fail(
    {
      operation: 'getWorkgroup',
      where: { workgroup_id: 'other', workspace_id: 'b', status: 200, query: { a: '2', b: '3' }, body: {} }
    },
    { count: 0, wanted: 'at least 1' },
    `in ${idOf(read)}, workgroup_id is "${NONE}", not "other" and workspace_id is absent, not "b" and status ` +
      'is 404, not 200 and query.a is "1", not "2" and query.b is absent, not "3" and body is absent, not {}'
  )
  const others = []
  for (const name of ['b', 'c'])
    others.push(await b.call('POST', '/workgroups', { name, cloud_provider_id: 'account' }))
  const named = async (expectation: object) =>
    ((await expect({ operation: 'createWorkgroup', ...expectation })).body.ErrorDetails as Detail[]).map(
      ({ Reason }) => /\b(?:in|call) ([\w-]+)/.exec(Reason)![1]
    )
  const newest = [near, ...others].map(idOf)
  t.strictSame(await named({ where: { body: { name: 'none' } } }), newest.toReversed(), 'the newest three are named')
  t.strictSame(await named({ times: { atMost: 1 } }), newest, 'and of too many, too')
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, i]))
  const { ErrorDetails } = (await expect({ operation: 'createWorkgroup', where: { body: many } })).body
  t.equal((ErrorDetails[0].Reason as string).split(' and ').length, 20, 'and no more than twenty differences')
})

void t.test('an unmet sequence names the step that was not found', async (t) => {
  const { b, expect } = await open(t)
  const created = await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  const read = await b.call('GET', '/workgroups')
  const verify = async (...sequence: object[]) => (await expect({ sequence })).body
  const second = { step: 2, steps: 2, operation: 'createWorkgroup' }
  t.match(await verify({ operation: 'createWorkgroup' }, { operation: 'listWorkgroups' }), {
    Error: false,
    Result: { count: 2 }
  })
  for (const [operation, reply] of [
    ['listWorkgroups', read],
    ['createWorkgroup', created]
  ] as const)
    t.equal(
      (await verify({ operation }, { operation: 'createWorkgroup' })).Message,
      messageOf('notAllowed', 'stepAfter', { ...second, previous: `${operation} (${idOf(reply)})` })
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

void t.test('an invalid expectation is a 400 that names the field', async (t) => {
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
})

void t.test('a verification says when dropped requests may matter, and the remedy', async (t) => {
  const { b, expect } = await open(t, { journalRequests: 5 })
  for (let i = 0; i < 10; i++) await b.createWorkgroup()
  const verify = (times: object) => expect({ operation: 'createWorkgroup', times })
  const values = { operation: 'createWorkgroup', count: 5 }
  for (const times of [{ exactly: 5 }, { atMost: 6 }, { atLeast: 1, atMost: 6 }])
    t.match((await verify(times)).body.Message, patternOf('notAllowed', 'perhapsMoreOlder', values))
  const { Message } = (await verify({ exactly: 6 })).body
  t.match(Message, patternOf('notAllowed', 'calledOfTheRest', { ...values, wanted: 'exactly 6' }))
  t.equal((await verify({ atLeast: 5 })).status, 200, 'what is there is enough')
  const off = await open(t, { journalRequests: 0 })
  matchError(t, await off.expect({ operation: 'listWorkgroups' }), 'notAllowed', 'journalOff')
})

void t.test("an omitted body matters only where its operation's body is compared", async (t) => {
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
    values: { operation: 'createWorkgroup', count: 0 }
  })
  t.equal(await status('createWorkgroup', { body }, { atLeast: 0 }), 200)
})

void t.test('a shown value is cut after 100 characters', async (t) => {
  const { b, expect } = await open(t)
  // The quotes count.
  for (const [length, shown] of [
    [98, `"${'x'.repeat(98)}"`],
    [99, `"${'x'.repeat(99)}…`]
  ] as const) {
    await b.call('POST', '/workgroups', { cloud_provider_id: 'account', name: 'x'.repeat(length) })
    const { body } = await expect({ operation: 'createWorkgroup', where: { body: { name: '' } } })
    t.match(body.ErrorDetails[0].Reason, shown)
  }
})

void t.test('an expectation is met at each bound of times', async (t) => {
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

import fc from 'fast-check'
import t from 'tap'
import { canonicalBlock } from '../../src/lib/ip.js'
import { buildMock, type BuiltMock, createWorkgroup, matchError, matchSuccess, pluck, UUID } from '../helper.js'

void t.test('no text makes canonicalBlock() throw, and a canonical block stays as it is', async () => {
  const unit = fc.constantFrom('0', '1', '2', '9', 'a', 'f', 'x', ':', '.', '/', '%', ' ')
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit })), (text) => {
      const canonical = canonicalBlock(text)
      return canonical === undefined || canonicalBlock(canonical) === canonical
    }),
    { numRuns: 500 }
  )
})

async function buildList(
  ...args: Parameters<typeof buildMock>
): Promise<BuiltMock & { url: string; id: string; add: (cidr: string) => Promise<string> }> {
  const mock = await buildMock(...args)
  const id = await createWorkgroup(mock)
  const url = `/workgroups/${id}/allow_list`
  const add = async (cidr: string) => (await mock.call('POST', url, { body: { cidr } })).body.Result.id as string
  return { ...mock, id, url, add }
}

void t.test('operation 6 adds an entry and answers its canonical form', async (t) => {
  const { call, url } = await buildList(t)
  const expected = []
  for (const [body, cidr, note] of [
    [{ cidr: '10.1.2.3/8', note: 'Büro' }, '10.0.0.0/8', 'Büro'],
    [{ cidr: '::ffff:1.2.3.4' }, '1.2.3.4/32', ''],
    [{ cidr: '2001:DB8::/32', note: '' }, '2001:db8::/32', ''],
    [{ cidr: '::/0', note: 'x'.repeat(256), id: 'mine' }, '::/0', 'x'.repeat(256)]
  ] as const) {
    const reply = await call('POST', url, { body })
    const { id } = reply.body.Result
    t.match(id, UUID, 'the server sets the id')
    matchSuccess(t, reply, 'Successfully added the allowed IP.', { id, cidr, note })
    expected.push(reply.body.Result)
    matchSuccess(t, await call('GET', url), 'Successfully listed the allowed IPs.', expected)
  }
})

void t.test('operations 6 and 11 refuse a block that is already on the list, in any spelling', async (t) => {
  const mock = await buildList(t)
  const { call, url, add } = mock
  const [first, second] = [await add('10.0.0.0/8'), await add('1.2.3.4')]
  const options = { values: { cidr: '10.0.0.0/8', id: first }, result: true }
  for (const cidr of ['10.0.0.0/8', '10.255.0.1/8', '::ffff:10.0.0.0/104'])
    for (const [method, path] of [
      ['POST', url],
      ['PUT', `${url}/${second}`]
    ] as const)
      matchError(t, await call(method, path, { body: { cidr } }), 'notAllowed', { cidr: 'onAllowList' }, options)
  const own = await call('PUT', `${url}/${first}`, { body: { cidr: '10.9.9.9/8' } })
  t.equal(own.status, 200, 'an entry is not a duplicate of itself')
  t.equal((await call('POST', url, { body: { cidr: '10.0.0.0/9' } })).status, 200, 'an overlap is not a duplicate')
  const elsewhere = `/workgroups/${await createWorkgroup(mock)}/allow_list`
  const added = await call('POST', elsewhere, { body: { cidr: '10.0.0.0/8' } })
  t.equal(added.status, 200, 'nor is an entry of another list')
})

void t.test('of two concurrent requests that add the same block, one is refused', async (t) => {
  const { call, url } = await buildList(t)
  const replies = await Promise.all(['10.0.0.1/8', '10.0.0.2/8'].map((cidr) => call('POST', url, { body: { cidr } })))
  t.strictSame(pluck(replies, 'status'), [200, 400])
  t.equal((await call('GET', url)).body.Result.length, 1)
})

void t.test(
  'operation 8 allows everyone while the list is disabled, and nobody when it is enabled and empty',
  async (t) => {
    const { call, url } = await buildList(t)
    const current = () => call('GET', `${url}/current`)
    matchSuccess(t, await current(), 'Successfully got the current IP.', { IsAllowed: true, CurrentIP: '127.0.0.1' })
    await call('PUT', `${url}/enable`)
    matchSuccess(t, await current(), 'Successfully got the current IP.', { IsAllowed: false, CurrentIP: '127.0.0.1' })
  }
)

void t.test("operation 8 compares the caller's address with each entry", async (t) => {
  const { call, url, add } = await buildList(t)
  await call('PUT', `${url}/enable`)
  await add('10.0.0.0/8')
  const second = await add('2001:db8::/32')
  for (const [remoteAddress, CurrentIP, IsAllowed] of [
    ['10.1.2.3', '10.1.2.3', true],
    ['11.1.2.3', '11.1.2.3', false],
    ['::ffff:10.1.2.3', '10.1.2.3', true],
    ['2001:DB8::0:1', '2001:db8::1', true],
    ['2001:db9::1', '2001:db9::1', false]
  ] as const) {
    const reply = await call('GET', `${url}/current`, { remoteAddress })
    matchSuccess(t, reply, 'Successfully got the current IP.', { IsAllowed, CurrentIP })
  }
  await call('DELETE', `${url}/${second}`)
  t.equal((await call('GET', `${url}/current`, { remoteAddress: '2001:db8::1' })).body.Result.IsAllowed, false)
  await call('PUT', `${url}/disable`)
  t.equal((await call('GET', `${url}/current`, { remoteAddress: '2001:db8::1' })).body.Result.IsAllowed, true)
})

void t.test('the list does not restrict the interface', async (t) => {
  const { call, url } = await buildList(t)
  await call('PUT', `${url}/enable`)
  t.equal((await call('GET', '/workgroups')).status, 200)
  t.equal((await call('PUT', `${url}/disable`)).status, 200)
})

void t.test('operations 9 and 10 switch the list of one workgroup, and can be repeated', async (t) => {
  const mock = await buildList(t)
  const other = await createWorkgroup(mock)
  const flags = async () =>
    Promise.all(
      [mock.id, other].map(
        async (id) => (await mock.call('GET', `/workgroups/${id}`)).body.Result.enable_allow_list as unknown
      )
    )
  for (const [verb, flag] of [
    ['enable', true],
    ['enable', true],
    ['disable', false],
    ['disable', false]
  ] as const) {
    const message = `Successfully ${verb}d the allow list.`
    matchSuccess(t, await mock.call('PUT', `${mock.url}/${verb}`), message, message)
    t.strictSame(await flags(), [flag, false])
  }
})

void t.test('operation 11 replaces cidr, keeps a note that is not given, and keeps id and place', async (t) => {
  const { call, url, add } = await buildList(t)
  const { id } = (await call('POST', url, { body: { cidr: '10.0.0.0/8', note: 'office' } })).body.Result
  const other = await add('1.1.1.1')
  for (const [body, cidr, note] of [
    [{ cidr: '192.0.2.77/24' }, '192.0.2.0/24', 'office'],
    [{ cidr: '192.0.2.0/24', note: 'new', id: 'ignored' }, '192.0.2.0/24', 'new'],
    [{ cidr: '::1', note: '' }, '::1/128', '']
  ] as const) {
    const reply = await call('PUT', `${url}/${id}`, { body })
    matchSuccess(t, reply, 'Successfully updated the allowed IP.', { id, cidr, note })
    t.strictSame((await call('GET', url)).body.Result, [
      { id, cidr, note },
      { id: other, cidr: '1.1.1.1/32', note: '' }
    ])
  }
})

void t.test('operation 12 deletes one entry; then its block can be added again', async (t) => {
  const { call, url, add } = await buildList(t)
  const [first, second] = [await add('1.1.1.1'), await add('2.2.2.2')]
  const message = 'Successfully deleted the allowed IP.'
  matchSuccess(t, await call('DELETE', `${url}/${first}`), message, message)
  matchError(t, await call('DELETE', `${url}/${first}`), 'notFound', 'resource', {
    values: { what: 'allowed IP', id: first },
    result: true
  })
  const again = await add('1.1.1.1')
  t.not(again, first)
  t.strictSame(pluck((await call('GET', url)).body.Result, 'id'), [second, again])
})

import t from 'tap'
import type { Exchange } from '../../../src/fidelity/exchange.js'
import { learnFromExchanges } from '../../../src/fidelity/learn/learn.js'
import { ROOT, service } from '../asked-service.js'

const numbered = (exchanges: readonly Omit<Exchange, 'number'>[]): Exchange[] =>
  exchanges.map((exchange, index) => ({ ...exchange, number: index + 1 }))

const learned = (exchanges: readonly Omit<Exchange, 'number'>[]) => learnFromExchanges(numbered(exchanges))

/** Whether a learned profile asks for a decision about a place. */
const isUnclear = ({ notes }: Awaited<ReturnType<typeof learnFromExchanges>>, at: string) =>
  notes.some(({ place, isUnclear }) => isUnclear && place.join('.') === at)

void t.test('the replies of a gateway do not show the form of errors', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  for (const [status, Message] of [
    [401, 'Unauthorized'],
    [403, 'Forbidden']
  ] as const) {
    const refused = { ...exchanges[0]!, status, body: { Message } }
    const { profile } = await learned([...exchanges, refused, refused])
    t.equal(profile.replies, undefined, `${status}`)
  }
})

const BARE = { profile: 1, replies: { envelope: 'none', error: { code: '{{status}}', type: '{{type}}' } } } as const

void t.test('what all errors have is unclear if all have one status, or nothing in common', async (t) => {
  const { ask, exchanges } = await service(t, { profile: BARE })
  for (let count = 0; count < 2; count++) {
    await ask('GET', ROOT)
    await ask('GET', `${ROOT}/none`)
  }
  const same = await learned(exchanges)
  t.strictSame(same.profile.replies, { envelope: 'none', error: { code: '{{status}}', type: 'Not-Found' } })
  t.ok(isUnclear(same, 'replies.error'))
  await ask('POST', ROOT, { name: 7 })
  const several = await learned(exchanges)
  t.strictSame(several.profile.replies, BARE.replies)
  t.notOk(isUnclear(several, 'replies.error'))
  const other = await learned([...exchanges, { ...exchanges[1]!, body: { oops: true } }])
  t.strictSame(other.profile.replies, { envelope: 'none' })
  t.ok(isUnclear(other, 'replies.error'))
})

void t.test('what another host says about limits does not count', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  const other = {
    path: '/',
    headers: { 'ratelimit-policy': '"default";q=10;w=60' },
    origin: 'https://other.example.test'
  }
  const { profile, notes } = await learned([
    ...exchanges,
    { ...exchanges[0]!, ...other },
    { ...exchanges[0]!, ...other, status: 429 }
  ])
  t.equal(profile.limits, undefined)
  t.strictSame(notes, [])
})

void t.test('a repetition that is refused for another reason says nothing about repetitions', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, {})
  for (let count = 0; count < 3; count++) await ask('POST', `${ROOT}/${group}/workspaces/${space}/pause`)
  for (const [status, isLearned] of [
    [401, false],
    [403, false],
    [404, false],
    [409, true]
  ] as const) {
    const { profile } = await learned(exchanges.map((one, index) => (index > 2 ? { ...one, status, body: {} } : one)))
    t.equal(profile.errors?.notAllowed?.operations?.pauseWorkspace?.repeats, isLearned || undefined, `${status}`)
  }
})

void t.test('an id in a message is a whole one, not the beginning of another', async (t) => {
  const { ask, box, exchanges } = await service(t)
  const space = (name: string) => ({ id: `path-${name}`, database: name })
  const names = ['one', 'two']
  await box.state.replace({
    workgroups: [{ id: 'path', databases: names.map((id) => ({ id })), workspaces: names.map(space) }]
  })
  for (const name of names) await ask('GET', `${ROOT}/path/workspaces/path-${name}`)
  const { profile } = await learned(
    exchanges.map((one) => ({
      ...one,
      body: { ...(one.body as object), Message: `Got ${one.path.split('/').at(-1)}.` }
    }))
  )
  t.strictSame(profile.messages, { getWorkspace: 'Got {{path.workspaceID}}.' })
})

void t.test('a message that quotes a renamed field names it by its built-in name', async (t) => {
  const names = { fields: { name: 'title' } }
  const profile = { profile: 1 as const, names, messages: { createWorkgroup: 'Made {{body.name}}.' } }
  const { ask, exchanges } = await service(t, { profile })
  for (const title of ['first', 'second']) await ask('POST', ROOT, { title, cloud_provider_id: 'account' })
  const { profile: found, conformance } = await learnFromExchanges(numbered(exchanges), {
    base: { profile: { profile: 1, names }, notes: [] }
  })
  t.strictSame(found.messages, profile.messages)
  t.notOk(conformance.facts.some(({ differences }) => differences > 0))
})

void t.test('what is unclear is counted once, by the last comparison', async (t) => {
  const states = { deleted: { readable_for: 'PT1H' } }
  const shown = { Workspace: { nginx_host: { only: ['getWorkspace'] } } }
  const { ask, box, exchanges } = await service(t, { profile: { profile: 1, states, shown } })
  await box.state.replace({ workgroups: [{ id: 'path', workspaces: [{ id: 'one' }, { id: 'two' }] }] })
  for (const id of ['one', 'two']) {
    const workspace = `${ROOT}/path/workspaces/${id}`
    await ask('GET', workspace)
    await ask('GET', ROOT)
    await ask('DELETE', workspace)
    await box.clock.advance({ until: 'idle' })
    await ask('GET', workspace)
  }
  const { notes } = await learned(exchanges)
  t.strictSame(
    notes.filter(({ text }) => text.includes('nginx_host')).map(({ text }) => text),
    ['nginx_host of Workspace is present only 4 of 7 times.']
  )
  t.equal(notes.filter(({ text }) => text === 'No reply shows when this ends.').length, 1, 'even if it is settled')
})

void t.test('without an envelope, a refusal in another form than errors is one of a gateway', async (t) => {
  const replies = { envelope: 'none', error: { text: '{{message}}' } } as const
  const { ask, exchanges } = await service(t, { profile: { profile: 1, replies } })
  for (const id of ['none', 'nothing']) await ask('GET', `${ROOT}/${id}`)
  await ask('POST', ROOT, {})
  for (let i = 0; i < 2; i++) await ask('GET', ROOT)
  const refused = { ...exchanges.at(-1)!, requestHeaders: { accept: '*/*' }, status: 401 }
  for (const [body, reply] of [
    [{ error: 'no key' }, { status: 401, body: { error: 'no key' } }],
    [{ text: 'The request has no key.' }, undefined]
  ] as const) {
    const { profile } = await learned([...exchanges, { ...refused, body }])
    t.match(profile.replies, replies)
    t.strictSame(profile.gateway?.missing_credential, reply)
  }
  const read = exchanges.filter(({ status }) => status === 200)
  const foreign = { ...read[0]!, path: `${ROOT.replace(/[^/]+$/, '')}projects/p-1`, status: 404 }
  const { profile } = await learned([...read, { ...foreign, body: { error: 'project p-1 was not found' } }])
  t.equal(profile.gateway, undefined, 'a path of the service that the mock does not have')
})

void t.test('a text of two objects that were read often is not an enumeration', async (t) => {
  const label = { type: 'string', set_by: ['CreateWorkgroupRequest'] } as const
  const { ask, exchanges } = await service(t, { profile: { profile: 1, fields: { Workgroup: { label } } } })
  for (const name of ['first', 'second']) await ask('POST', ROOT, { label: name, cloud_provider_id: 'account' })
  for (let i = 0; i < 4; i++) await ask('GET', ROOT)
  t.strictSame((await learned(exchanges)).profile.fields, { Workgroup: { label } })
})

void t.test('entries of the metadata whose names are unknown are not learned', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', '/controller/v4/v2/workspaces/meta')
  const text = JSON.stringify(exchanges).replaceAll('"name":', '"title":')
  const { profile, notes } = await learned(JSON.parse(text) as typeof exchanges)
  t.equal(profile.catalogue, undefined)
  t.notOk(notes.some(({ text }) => text.includes('left out')))
})

void t.test('a refusal at a path that only the service has is not one of a gateway', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  await ask('GET', `${ROOT}/none`)
  for (const status of [400, 403, 404, 409, 422]) {
    const further = { ...exchanges[1]!, path: '/controller/v4/v2/teams', status }
    const { profile, conformance } = await learned([...exchanges, further])
    t.equal(profile.gateway, undefined, `${status}`)
    const isKnown = ![403, 404].includes(status)
    t.strictSame(conformance.further, isKnown ? ['GET /controller/v4/v2/teams'] : [], `${status}`)
    if (isKnown)
      t.notOk(
        conformance.ledger.some(({ verdict }) => verdict === 'contradicted'),
        `${status}`
      )
  }
})

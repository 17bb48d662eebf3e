import t from 'tap'
import { conform } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { learnFromExchanges } from '../../src/fidelity/learn/learn.js'
import { nothingCompared } from '../../src/fidelity/report/report.js'
import { scaled } from '../effort.js'
import { idsOf, ROOT, service } from './asked-service.js'
import { Chance } from './chance.js'
import { playService } from './real-service.js'

const refused = (exchange: Exchange, headers: Exchange['requestHeaders']): Exchange => ({
  ...exchange,
  requestHeaders: headers,
  status: 401,
  body: { Error: true, Message: 'No.', RequestID: 'r', ErrorDetails: [{ Type: 'Unauthorized', Reason: 'No.' }] }
})

void t.test('a request whose credential the service refused is not compared, unless that is empty', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  for (const headers of [{ 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { authorization: 'wrong' }, {}]) {
    const { counts, facts } = await conform([refused(exchanges[0]!, headers)])
    t.match(counts, { compared: 0, refused: 1 }, JSON.stringify(headers))
    t.strictSame(facts, [])
  }
  for (const headers of [{ 'x-api-key': '' }, { authorization: 'Bearer' }, { authorization: '' }, { accept: '*/*' }]) {
    const result = await conform([refused(exchanges[0]!, headers)])
    t.match(result.counts, { compared: 1, refused: 0 })
    t.ok(idsOf(result, 'confirmed').includes('P-051'), JSON.stringify(headers))
    t.notOk(idsOf(result, 'contradicted').includes('P-051'))
  }
})

void t.test('an archive with successes but without any credential lacks them, as one of a browser does', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  await ask('GET', `${ROOT}/none`)
  const headers = { accept: '*/*', 'content-type': 'application/json' }
  const bare = exchanges.map((exchange): Exchange => ({ ...exchange, requestHeaders: headers }))
  const result = await conform(bare)
  t.strictSame(idsOf(result, 'contradicted'), [])
  t.ok(idsOf(result, 'confirmed').includes('P-054'))
  t.equal((await learnFromExchanges(bare)).profile.gateway, undefined)
  for (const known of [bare.with(0, exchanges[0]!), [refused(bare[0]!, headers), { ...bare[1]!, path: '/' }]])
    t.ok((await conform(known)).ledger.some(({ id, verdict }) => id === 'P-051' && verdict !== 'unseen'))
})

function without(which: 'body' | 'requestBody', exchange: Exchange): Exchange {
  const { [which]: _, ...rest } = exchange
  return { ...rest, isBodyOmitted: true }
}

void t.test('an unknown body is not compared, and its consequences are adopted', async (t) => {
  for (let seed = 1; seed <= scaled(1, 2); seed++) {
    const exchanges = await playService({ seed })
    for (const which of ['body', 'requestBody'] as const) {
      const chance = new Chance(`${which} ${seed}`)
      const known = exchanges.map((exchange) =>
        exchange[which] !== undefined && chance.happens(0.1) ? without(which, exchange) : exchange
      )
      const result = await conform(known)
      t.strictSame(idsOf(result, 'contradicted'), [], `seed ${seed} without ${which}`)
      t.ok(idsOf(result, 'confirmed').length > 80)
      if (which === 'requestBody') t.ok(result.counts.incomplete > 0)
    }
  }
})

void t.test('a resource whose creation has an unknown body is adopted', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a', name: 'first' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, { name: 'second' })
  await ask('GET', `${ROOT}/${group}/workspaces/${space}`)
  await ask('PUT', `${ROOT}/${group}/workspaces/${space}`, { name: 'third' })
  await ask('GET', `${ROOT}/${group}`)
  await ask('GET', ROOT)
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), [])
  for (const index of exchanges.keys())
    for (const which of ['body', 'requestBody'] as const) {
      const known = exchanges.map((exchange, other) => (other === index ? without(which, exchange) : exchange))
      t.strictSame(idsOf(await conform(known), 'contradicted'), [], `exchange ${index + 1} without ${which}`)
    }
})

void t.test('a restore whose reply is unknown is adopted as its job shows it', async (t) => {
  const { ask, box, exchanges } = await service(t, { transitions: 'realistic' })
  await box.state.replace({
    workgroups: [
      { id: 'g', databases: [{ id: 'd' }], workspaces: [{ id: 'w', database: 'd', backups: [{ id: 'b' }] }] }
    ]
  })
  await ask('GET', `${ROOT}/g/workspaces/w`)
  await ask('GET', '/controller/v4/v2/workspaces/w/backups')
  const job = (await ask('POST', `${ROOT}/g/workspaces/w/backups/restore`, { backup_id: 'b' })) as unknown as string
  const restored = exchanges.length - 1
  const status = () => ask('GET', `/controller/v4/v2/workspaces/w/backups/${job}/status`)
  for (let asked = 0; (await status())['status'] !== 'Succeeded'; asked++) if (asked > 1000) return t.fail('no end')
  await ask('GET', `${ROOT}/g/workspaces/w`)
  const result = await conform(exchanges.with(restored, without('body', exchanges[restored]!)))
  t.strictSame(idsOf(result, 'contradicted'), [])
})

void t.test('other hosts, which an archive of a browser has, do not belong to the service', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('POST', ROOT, { cloud_provider_id: 'a' })
  await ask('GET', '/users')
  const own = exchanges.map((exchange) => ({ ...exchange, origin: 'https://api.example.test' }))
  const other = ['/users', '/controller/v4/v2/meters', '/logo'].map((path) => {
    return { ...own[1]!, origin: 'https://other.example.test', path, body: [{ id: 7 }] }
  })
  const all = [other[0]!, ...own, ...other].map((exchange, index) => ({ ...exchange, number: index + 1 }))
  const result = await conform(all)
  t.strictSame(idsOf(result, 'contradicted'), idsOf(await conform(own), 'contradicted'))
  t.match(result.counts, { compared: 2, foreign: 4 })
  const { profile } = await learnFromExchanges(all)
  t.equal(profile.stubs, undefined)
})

void t.test('a redirect says nothing, not even where the service is', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a', name: 'first' })
  await ask('PUT', `${ROOT}/${group}`, { name: 'second' })
  await ask('GET', `${ROOT}/${group}`)
  const own = exchanges.map((exchange) => ({ ...exchange, origin: 'https://api.example.test' }))
  for (const origin of ['http://api.example.test', 'https://api.example.test'])
    for (const status of [301, 302, 303, 307, 308]) {
      const { body: _, ...asked } = own[0]!
      const redirect = { ...asked, origin, status, headers: { location: `${own[0]!.origin}${ROOT}` } }
      const all = [redirect, ...own].map((exchange, index) => ({ ...exchange, number: index + 1 }))
      const result = await conform(all)
      t.strictSame(idsOf(result, 'contradicted'), [], `${origin} ${status}`)
      t.equal(result.counts.compared, 3)
    }
})

void t.test('a request that timed out on its way says nothing', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  const late = { ...exchanges[0]!, number: 2, status: 408, headers: {}, body: 'Request Timeout' }
  const result = await conform([...exchanges, late])
  t.strictSame(idsOf(result, 'contradicted'), [])
  t.match(result.counts, { compared: 1, unanswered: 1 })
})

void t.test('a method that fetch() cannot send counts as foreign', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  for (const method of ['TRACE', 'CONNECT', 'TRACK', 'NO WAY']) {
    const { counts } = await conform([...exchanges, { ...exchanges[0]!, number: 2, method }])
    t.match(counts, { compared: 1, foreign: 1 }, method)
  }
})

void t.test('a read during a change may show the resource before or after it', async (t) => {
  const { ask, box, exchanges } = await service(t, { transitions: 'realistic' })
  const workspace = { id: 'w', database: 'd', auto_stop_minutes: 0 }
  await box.state.replace({ workgroups: [{ id: 'g', databases: [{ id: 'd' }], workspaces: [workspace] }] })
  const path = `${ROOT}/g/workspaces/w`
  await ask('GET', path)
  await ask('POST', `${path}/pause`)
  await ask('GET', path)
  await ask('GET', ROOT)
  const { workspace_id: other } = await ask('POST', `${ROOT}/g/workspaces`, { name: 'other' })
  await ask('GET', ROOT)
  await ask('GET', `${ROOT}/g/workspaces/${other}`)
  const [first, pause, paused, listed, creation, both, made] = exchanges as [Exchange, ...Exchange[]]
  const during = (read: Exchange, change: Exchange, lead: number) =>
    ({ ...read, sent: change.sent - lead, answered: change.answered + lead }) as const
  const all = [
    first,
    during(paused!, pause!, 500),
    during(listed!, pause!, 200),
    pause!,
    during(both!, creation!, 300),
    creation!,
    both!,
    made!
  ].map((exchange, index) => ({ ...exchange, number: index + 1 }))
  t.strictSame(idsOf(await conform(all), 'contradicted'), [])
  const early = all.with(1, { ...all[1]!, answered: pause!.sent })
  t.ok(idsOf(await conform(early), 'contradicted').includes('P-114'), 'a read before a change shows nothing of it')
})

void t.test('a media type that fetch() cannot send is sent without its odd characters', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('POST', ROOT, { cloud_provider_id: 'a' })
  for (const type of ['application/json; x="→"', 'application/json; a=b\nx']) {
    const odd = { ...exchanges[0]!, requestHeaders: { 'x-api-key': 'demo', 'content-type': type } }
    t.strictSame(idsOf(await conform([odd]), 'contradicted'), [], type)
  }
})

void t.test('only what the mock refuses counts as what only the service has', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  const { body: _, ...read } = exchanges[0]!
  const all = [
    ...exchanges,
    { ...read, number: 2, method: 'HEAD' },
    { ...read, number: 3, path: '/v1/plan', body: { plan: 'free' } },
    { ...read, number: 4, path: '/v1/size', body: 7 }
  ]
  const { further } = await conform(all, {
    profile: { profile: 1, stubs: [{ method: 'GET', path: '/v1/plan', status: 200, body: {} }] }
  })
  t.strictSame(further, ['GET /v1/size'])
})

void t.test('an adopted allow list may have unknown entries', async (t) => {
  const { ask, box, exchanges } = await service(t)
  await box.state.replace({
    workgroups: [{ id: 'g', allow_list: { enabled: true, entries: [{ cidr: '0.0.0.0/0' }] } }]
  })
  await ask('GET', `${ROOT}/g`)
  await ask('GET', `${ROOT}/g/allow_list/current`)
  t.strictSame(idsOf(await conform(exchanges), 'contradicted'), [])
})

void t.test('if no bodies were saved, a remedy is given', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  t.match(nothingCompared(await conform([without('body', exchanges[0]!)])), /1 without a body.*with their content$/)
})

void t.test('a text that a recording masks as a secret is not compared', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, {})
  await ask('POST', `${ROOT}/${group}/workspaces/${space}/dbuser`, { username: 'u', password: 'p' })
  const masked = JSON.stringify(exchanges).replaceAll(/"auth\|[^"]*"/g, '"***"')
  t.strictSame(idsOf(await conform(JSON.parse(masked) as typeof exchanges), 'contradicted'), [])
})

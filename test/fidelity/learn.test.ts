import fc from 'fast-check'
import t from 'tap'
import { conform } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { lengthOf } from '../../src/fidelity/learn/durations.js'
import { learnFromExchanges } from '../../src/fidelity/learn/learn.js'
import { writeProfile } from '../../src/fidelity/learn/write.js'
import { compileProfile } from '../../src/profile/profile.js'
import { builtInWording } from '../../src/resources/vocabulary.js'
import { effort, isSoak, scaled } from '../effort.js'
import { ROOT, service } from './asked-service.js'
import { PERTURBATIONS } from './perturbations.js'
import { hiddenProfile } from './profiles.js'
import { playService } from './real-service.js'
import { inAll, operationOf } from './rewrites.js'

/** The facts that still differ under the learned profile. */
async function leftAfter(exchanges: readonly Exchange[]): Promise<string[]> {
  const { conformance } = await learnFromExchanges(exchanges)
  return conformance.facts.filter(({ differences }) => differences > 0).map(({ key }) => JSON.stringify(key))
}

const perturbed = (name: string) => playService({ seed: 1, perturb: PERTURBATIONS[name] })

/** Whether a learned profile asks for a decision about a place. */
const isUnclear = ({ notes }: Awaited<ReturnType<typeof learnFromExchanges>>, at: string) =>
  notes.some(({ place, isUnclear }) => isUnclear && place.join('.') === at)

void t.test('nothing differs under a profile that was learned from a service with an unknown one', async (t) => {
  for (let seed = 1; seed <= scaled(1, 2); seed++) {
    const exchanges = await playService({ seed, profile: hiddenProfile(seed) })
    t.strictSame(await leftAfter(exchanges), [], `profile ${seed}`)
  }
})

// Unknown profiles combine several of them. One at a time, they take minutes.
void t.test('everything that a profile can express is learned', { skip: !isSoak && 'in npm run soak' }, async (t) => {
  for (const [name, perturb] of Object.entries(PERTURBATIONS))
    if (perturb.rewrite === undefined) t.strictSame(await leftAfter(await playService({ seed: 2, perturb })), [], name)
})

void t.test('nothing is learned from a service that behaves as assumed', async (t) => {
  const { profile, notes } = await learnFromExchanges(await playService({ seed: 1 }), { name: 'same' })
  t.strictSame(profile, { profile: 1, name: 'same' })
  t.notOk(notes.some(({ isUnclear }) => isUnclear))
})

void t.test('an assumption that the service still contradicts is mentioned', async (t) => {
  const { profile, notes } = await learnFromExchanges(await perturbed('no RequestID in the envelope'))
  t.strictSame(Object.keys(profile), ['profile', 'name'])
  t.ok(notes.some(({ place, text }) => place.length === 0 && /^Still differs: P-\d{3} in /.test(text)))
})

void t.test('a workspace in a reply without a RequestID does not count as gone', async (t) => {
  const all = await perturbed('no RequestID in the envelope')
  const deletion = all.find((one) => operationOf(one) === 'deleteWorkspace' && one.status === 200)!
  const own = all.filter(({ method, path }) => ['GET', 'DELETE'].includes(method) && path === deletion.path)
  const text = JSON.stringify(own.map((exchange, index) => ({ ...exchange, number: index + 1 })))
  for (const [flag, result] of [
    ['Error', 'Result'],
    ['failed', 'data']
  ] as const) {
    const renamed = text.replaceAll('"Error":', `"${flag}":`).replaceAll('"Result":', `"${result}":`)
    const { profile } = await learnFromExchanges(JSON.parse(renamed) as Exchange[])
    t.equal(profile.states, undefined, result)
  }
})

void t.test('the base path to start the mock with is the first note', async (t) => {
  const exchanges = (await playService({ seed: 1 })).slice(0, 20)
  const under = exchanges.map((exchange) => ({ ...exchange, path: `/x${exchange.path}` }))
  const note = { place: [], text: 'From the document.', isUnclear: false }
  const { notes } = await learnFromExchanges(under, { base: { profile: {}, notes: [note] } })
  t.match(notes.slice(0, 2), [{ place: [], text: / start the mock with --base-path \/x/ }, note])
})

void t.test('exchanges replace what a document says, and the rest stays', async (t) => {
  const exchanges = await perturbed('an Active workspace is Ready')
  const base = {
    profile: {
      profile: 1,
      name: 'documented',
      states: { workspace: { Active: 'Available', Failed: 'Broken' } },
      omit: { Backup: ['tag'] },
      names: { fields: { svc_version: 'engine_version' }, values: { 'SVC-00': 'ACME-00' } },
      routes: [{ operation: 'getMetadata', off: true }],
      stubs: [{ method: 'GET', path: '/v1/plans', status: 200, body: [] }]
    },
    notes: [{ place: ['states', 'workspace', 'Failed'], text: 'From the document.', isUnclear: true }]
  }
  const { profile, notes, conformance } = await learnFromExchanges(exchanges, { base })
  t.match(profile, { name: 'documented', stubs: base.profile.stubs })
  t.strictSame(profile.states, { workspace: { Active: 'Running' } })
  for (const part of ['omit', 'names', 'routes'] as const) t.equal(profile[part], undefined, part)
  t.notOk(conformance.facts.some(({ differences }) => differences > 0))
  t.notOk(notes.some(({ text }) => text === 'From the document.'))
})

void t.test('limits are learned from RateLimit-Policy', async (t) => {
  const some = (await playService({ seed: 1 })).slice(0, 60).map((exchange, index) => ({
    ...exchange,
    ...(index === 40 ? { status: 429 } : {}),
    headers: {
      ...exchange.headers,
      'ratelimit-policy': '"burst";q=5;w=1, "daily";q=1000;w=600',
      ...(index === 40 ? { 'retry-after': 'Wed, 01 Jan 2025 00:00:09 GMT' } : {})
    }
  }))
  const { profile } = await learnFromExchanges(some)
  t.strictSame(profile.limits, [
    { requests: 5, window: 'PT1S', retry_after: 'date', fields: true },
    { requests: 1000, window: 'PT10M', retry_after: 'date', fields: true }
  ])
  const { counts, facts } = await conform(some, { profile })
  t.ok(counts.compared > 50, 'a comparison is not limited')
  const announced = facts.filter(({ key }) => key.subject === 'ratelimit-policy')
  const agrees = announced.some(({ agreements }) => agreements > 0)
  t.ok(agrees, 'but announces the limits')
  const silent = some.map((exchange) => ({ ...exchange, headers: {} }))
  const { notes, profile: other } = await learnFromExchanges(silent)
  t.equal(other.limits, undefined)
  t.ok(notes.some(({ isUnclear, text }) => isUnclear && text.includes('429')))
})

void t.test('replies of a gateway to an unknown path, a wrong key, and a key as a bearer are learned', async (t) => {
  const all = (await playService({ seed: 1 })).slice(0, 60)
  const read = all.find((one) => operationOf(one) === 'listWorkgroups')!
  const refused = (requestHeaders: Exchange['requestHeaders'], error: string): Exchange => {
    const headers = { 'content-type': 'application/json' }
    return { ...read, requestHeaders, status: 401, headers, body: { error } }
  }
  const { profile } = await learnFromExchanges([
    refused({ 'x-api-key': 'wrong' }, 'unknown key'),
    refused({ authorization: 'Bearer key' }, 'use the header x-api-key'),
    { ...read, path: `${read.path}-lost`, status: 404, body: { message: 'no Route matched' } },
    ...all.filter(({ status }) => status !== 404)
  ])
  t.match(profile.gateway, {
    unknown_path: { status: 404, body: { message: 'no Route matched' } },
    wrong_credential: { status: 401, body: { error: 'unknown key' } },
    key_as_bearer: { status: 401, body: { error: 'use the header x-api-key' } }
  })
})

void t.test('a field mirrors another one only if at least two values agree', async (t) => {
  const ofWorkspaces = inAll('Workspace', (one) => ({ ...one, err_message: '', title: one['name'] }))
  const ofDatabases = inAll('SvcDatabase', (one) => ({ ...one, edition: 'basic' }))
  const rewrite: typeof ofDatabases = (exchange, random) => ofDatabases(ofWorkspaces(exchange, random), random)
  const exchanges = (await playService({ seed: 1, perturb: { rewrite } })).slice(0, 120)
  const { profile, notes } = await learnFromExchanges(exchanges)
  t.strictSame(profile.fields, { Workspace: { err_message: { const: '' }, title: { from: 'name' } } })
  const isUnsure = notes.some(({ isUnclear, text }) => isUnclear && text.startsWith('edition of SvcDatabase '))
  t.ok(isUnsure, 'a field of a single object may be chance')
})

void t.test('further paths become stubs, with ids as parameters', async (t) => {
  const all = await playService({ seed: 1 })
  const { path, body } = all.find((exchange) => operationOf(exchange) === 'getMetadata' && exchange.status === 200)!
  const beginning = path.slice(0, path.lastIndexOf('/'))
  const id = (body as { RequestID: string }).RequestID
  const plans = { ...all[0]!, method: 'GET', query: '', status: 200 }
  const exchanges = [
    ...all,
    { ...plans, path: `${beginning}/plans`, body: { Error: false, RequestID: id, Result: ['{{gold}}'] } },
    { ...plans, path: `${beginning}/plans/${id}/limits`, body: { most: 3 } },
    { ...plans, path: `${beginning}/plans/${id.replace(/^./, '0')}/limits`, body: { most: 4 } },
    { ...plans, path: `${beginning}/plans/${id}/42`, body: { most: 5 } }
  ].map((exchange, index) => ({ ...exchange, number: index + 1 }))
  const { profile } = await learnFromExchanges(exchanges)
  t.match(profile.stubs, [
    { method: 'GET', path: /\/plans$/, status: 200, body: { Result: ['{ {gold}}'] } },
    { method: 'GET', path: /\/plans\/\{plan_id\}\/limits$/, status: 200, body: { most: 3 } },
    { method: 'GET', path: /\/plans\/\{plan_id\}\/\{id\}$/, status: 200, body: { most: 5 } }
  ])
})

void t.test(
  'secrets in replies do not become a part of the profile, and ids of requests are placeholders',
  async (t) => {
    const all = await playService({ seed: 1 })
    const headers = { 'x-request-id': '12345' }
    const result = { token: 'tk-1', max_tokens: 4096, note: 'See postgres://me:pw@db, or ask for 12345.' }
    const foreign = { ...all[0]!, method: 'GET', query: '', headers }
    const root = ROOT.slice(0, ROOT.indexOf('/', 1))
    const { profile } = await learnFromExchanges(
      [
        ...all.filter(({ status }) => status !== 404),
        { ...foreign, path: `${root}/keys`, status: 200, body: { id: '12345', code: 12345, result } },
        {
          ...foreign,
          path: `${root}/none`,
          status: 403,
          body: { secret: 's', code: 12345, id: '12345', of: '{{you}}' }
        }
      ].map((exchange, index) => ({ ...exchange, number: index + 1 }))
    )
    const note = 'See postgres://***@db, or ask for {{request_id}}.'
    t.strictSame(
      profile.stubs!.map(({ body }) => body),
      [{ id: '{{request_id}}', code: 12345, result: { token: '***', max_tokens: 4096, note } }]
    )
    t.strictSame(profile.gateway!.unknown_path, {
      status: 403,
      body: { secret: '***', code: 12345, id: '{{request_id}}', of: '{ {you}}' }
    })
  }
)

void t.test('further headers of refusals are learned', async (t) => {
  const challenge = 'Bearer realm="controller"'
  const exchanges = (await playService({ seed: 1 })).map((exchange) =>
    exchange.status === 401 && !('x-api-key' in exchange.requestHeaders || 'authorization' in exchange.requestHeaders)
      ? { ...exchange, headers: { ...exchange.headers, 'www-authenticate': challenge } }
      : exchange
  )
  const { profile, conformance } = await learnFromExchanges(exchanges)
  t.match(profile.gateway, { missing_credential: { status: 401, headers: { 'www-authenticate': challenge } } })
  const contradicted = conformance.ledger.filter(({ verdict }) => verdict === 'contradicted').map(({ id }) => id)
  t.strictSame(contradicted, [])
})

void t.test('a refusal whose body was omitted is unclear', async (t) => {
  const exchanges = (await playService({ seed: 1 })).slice(0, 60).map((exchange): Exchange => {
    if (exchange.status !== 401) return exchange
    const { body: _, ...rest } = exchange
    return { ...rest, status: 403, headers: { 'content-type': 'text/html' }, isBodyOmitted: true }
  })
  const learned = await learnFromExchanges(exchanges)
  t.match(learned.profile.gateway, { missing_credential: { status: 403, headers: { 'content-type': 'text/html' } } })
  t.ok(isUnclear(learned, 'gateway.missing_credential'))
})

void t.test('a refusal without its body, which may have an envelope, is not one of a gateway', async (t) => {
  const { ask, exchanges } = await service(t)
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, { name: 'w' })
  await ask('POST', `${ROOT}/${group}/workspaces/${space}/pause`)
  await ask('GET', `${ROOT}/${group}/workspaces/${space}`)
  await ask('GET', `${ROOT}-lost`)
  const { body: _, ...lost } = exchanges.pop()!
  const { profile } = await learnFromExchanges([...exchanges, { ...lost, method: 'HEAD' }])
  t.ok(profile.durations)
  t.equal(profile.gateway, undefined)
})

void t.test('sizes of workspaces win over those of a document', async (t) => {
  const exchanges = await playService({ seed: 1 })
  const types = ['SVC-00', 'SVC-0', 'SVC-1', 'SVC-2', 'SVC-4', 'SVC-6'].map((typeName, index) => ({
    typeName,
    cpu: [2, 4, 8, 16, 32, 48][index],
    memory: [16, 32, 64, 128, 256, 384][index],
    ha: 2
  }))
  const base = { profile: { profile: 1, name: 'documented', catalogue: { workspace_types: types } }, notes: [] }
  for (const hasMetadata of [true, false]) {
    const shown = exchanges.filter(({ path }) => hasMetadata || !path.endsWith('/meta'))
    const { profile } = await learnFromExchanges(shown, { base })
    const learned = profile.catalogue?.workspace_types?.find(({ typeName }) => typeName === 'SVC-2')
    // It is absent if it is as built in.
    t.equal(learned?.ha ?? 3, 3, hasMetadata ? 'with the metadata' : 'without')
  }
})

const interval = fc
  .tuple(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 1000, max: 600_000 }))
  .map(([min, length]) => ({ min, max: min + length }))

void t.test('a learned duration is consistent with all observations', async (t) => {
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 8 }), (observed) => {
      const { min, max } = lengthOf(observed)
      // The same tolerance as in the comparison.
      const slack = (length: number) => 1000 + length / 1000
      const isFit = (one: (typeof observed)[number]) =>
        min <= one.max + slack(one.max) && max >= one.min - slack(one.max)
      return min <= max && observed.every(isFit)
    })
  )
  t.strictSame(lengthOf([{ min: 510_613, max: 569_016 }]), { min: 540_000, max: 540_000 })
  t.strictSame(
    lengthOf([
      { min: 3010, max: 3520 },
      { min: 4210, max: 4770 }
    ]),
    { min: 3500, max: 4300 },
    'an interval'
  )
  t.strictSame(lengthOf([{ min: 3810, max: 3950 }]), { min: 3900, max: 3900 }, 'in tenths of a second')
})

void t.test('any replies give a valid profile', async () => {
  const all = (await playService({ seed: 1 })).slice(0, 60)
  const names = ['name', 'region', 'tier', 'no name', '__proto__', 'status', 'svc_version', 'Message', 'cpu']
  const key = fc.constantFrom(...names)
  const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('{{path.x}}', ' ', 'Active', 'x'.repeat(300)))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = all.map((exchange) => ({ ...exchange, body: withFields(exchange.body, changes) }))
      const learned = await learnFromExchanges(changed)
      compileProfile(learned.profile, builtInWording)
      return writeProfile(learned).includes('profile: 1')
    }),
    { numRuns: effort(3, 6) }
  )
})

void t.test('a field that was always null is unclear', async (t) => {
  const exchanges = (await playService({ seed: 1 })).slice(0, 120)
  const learned = await learnFromExchanges(
    exchanges.map((exchange) => ({ ...exchange, body: withFields(exchange.body, [['tier', null]]) }))
  )
  t.match(learned.profile.fields, { Workspace: { tier: { const: null } } })
  t.ok(isUnclear(learned, 'fields.Workspace.tier'))
})

/** Sets fields of every object in a value. */
function withFields(value: unknown, fields: readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withFields(item, fields))
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).map(([name, item]): [string, unknown] => [name, withFields(item, fields)])
  return 'RequestID' in value ? Object.fromEntries(own) : Object.fromEntries([...own, ...fields])
}

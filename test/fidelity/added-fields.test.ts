import t, { type Test } from 'tap'
import { conform, type Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { ruleFor } from '../../src/fidelity/learn/further-field.js'
import { learnFromExchanges } from '../../src/fidelity/learn/learn.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { ROOT, service } from './asked-service.js'

type Rules = Readonly<Record<string, object>>

const profileOf = (Workspace: Rules) => ({ profile: 1, name: 'added', fields: { Workspace } }) as never

const TIER = { type: 'string', enum: ['free', 'gold'], default: 'free' }
const SET_BY_CREATION = { ...TIER, set_by: ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest'] }

/** Creates a workspace with each body, and reads it. @returns the exchanges */
async function created(t: Test, rules: Rules, ...bodies: readonly object[]): Promise<Exchange[]> {
  const { ask, exchanges } = await service(t, { profile: profileOf(rules) })
  for (const body of bodies) {
    const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
    const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, body)
    await ask('GET', `${ROOT}/${group}/workspaces/${space}`)
  }
  return exchanges
}

/** The aspects and names of fields in which the mock and the service differ. */
const otherValues = ({ facts }: Conformance) => [
  ...new Set(facts.flatMap(({ key, differences }) => (differences > 0 ? `${key.aspect} ${key.field}` : [])))
]

const compared = async (exchanges: readonly Exchange[], rules: Rules) =>
  otherValues(await conform(exchanges, { profile: profileOf(rules) }))

void t.test('the values of fields that a profile adds are compared', async (t) => {
  const exchanges = await created(t, { tier: SET_BY_CREATION }, { tier: 'gold' }, {}, { tier: 'gold' })
  t.strictSame(await compared(exchanges, { tier: SET_BY_CREATION }), [], 'as it is')
  const { ledger } = await conform(exchanges, { profile: profileOf({ tier: { const: 'zzz' } }) })
  t.ok(ledger.some(({ verdict, examples }) => verdict === 'contradicted' && examples[0]?.field === 'tier'))
  for (const tier of [
    { const: 'gold' },
    { ...SET_BY_CREATION, default: 'gold' },
    { from: 'name' },
    { from: 'status' },
    { from: 'workgroup.region' }
  ])
    t.strictSame(await compared(exchanges, { tier }), ['value tier'], JSON.stringify(tier))
})

void t.test('a value that a request changes is compared, and a difference is noted once', async (t) => {
  const { ask, exchanges } = await service(t, { profile: profileOf({ tier: SET_BY_CREATION }) })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: space } = await ask('POST', `${ROOT}/${group}/workspaces`, {})
  const path = `${ROOT}/${group}/workspaces/${space}`
  await ask('PUT', path, { tier: 'gold' })
  for (let polls = 0; polls < 3; polls++) await ask('GET', path)
  t.strictSame(await compared(exchanges, { tier: SET_BY_CREATION }), [])
  const ignoring = exchanges.map((exchange) =>
    exchange.method === 'GET'
      ? { ...exchange, body: JSON.parse(JSON.stringify(exchange.body).replace('"gold"', '"free"')) as unknown }
      : exchange
  )
  const { facts } = await conform(ignoring, { profile: profileOf({ tier: SET_BY_CREATION }) })
  const differing = facts.filter(({ differences }) => differences > 0)
  t.match(differing, [{ key: { aspect: 'value', field: 'tier' }, differences: 1 }])
  t.equal(differing.length, 1)
})

void t.test('adopted resources have the added fields that replies show', async (t) => {
  const exchanges = await created(t, { tier: SET_BY_CREATION }, { tier: 'gold' }, { tier: 'free' })
  const reads = exchanges.filter(({ method }) => method === 'GET')
  const { default: _, ...withoutDefault } = SET_BY_CREATION
  t.strictSame(await compared(reads, { tier: withoutDefault }), [])
  t.strictSame(await compared(reads, { tier: { const: 'zzz' } }), ['value tier'], 'a constant is the same for all')
})

void t.test('a default that no request sets is compared only if the service always shows the same value', async (t) => {
  const same = await created(t, { tier: { const: 'gold' } }, {}, {})
  t.strictSame(await compared(same, { tier: { ...TIER, default: 'gold' } }), [])
  t.strictSame(await compared(same, { tier: TIER }), ['value tier'])
  const varying = await created(t, { tier: SET_BY_CREATION }, {}, { tier: 'gold' })
  const unset = varying.map(({ requestBody: _, ...exchange }) => ({
    ...exchange,
    ...(exchange.method === 'POST' ? { requestBody: { cloud_provider_id: 'a' } } : {})
  }))
  t.strictSame(await compared(unset, { tier: TIER }), [])
})

void t.test('a value that may be masked contradicts no profile, unless it varies', async (t) => {
  const masked = (exchanges: readonly Exchange[]) =>
    JSON.parse(JSON.stringify(exchanges).replaceAll(/gold|free/g, (tier) => `name-${tier}00000000`)) as Exchange[]
  const constant = { tier: { const: 'gold' }, limit: { const: 5000 } }
  const same = masked(await created(t, constant, {}, {}))
  t.strictSame(await compared(same, { ...constant, limit: { const: 7316 } }), [])
  t.strictSame(await compared(same, { ...constant, limit: { const: 73 } }), ['value limit'])
  const varying = masked(await created(t, { tier: SET_BY_CREATION }, {}, { tier: 'gold' }))
  t.strictSame(await compared(varying, { tier: { const: 'zzz' } }), ['value tier'])
})

void t.test('a default is learned from requests that left the field out', async (t) => {
  const learned = async (...bodies: readonly object[]) => {
    const { profile, notes, conformance } = await learnFromExchanges(
      await created(t, { tier: SET_BY_CREATION }, ...bodies)
    )
    t.strictSame(otherValues(conformance), [])
    return { rule: profile.fields?.['Workspace']?.['tier'], unclear: notes.filter(({ isUnclear }) => isUnclear) }
  }
  const one = await learned({ tier: 'gold' }, {}, { tier: 'gold' })
  t.match(one.rule, { ...TIER, enum: ['gold', 'free'], set_by: ['CreateWorkspaceRequest'] })
  const none = await learned({ tier: 'gold' }, { tier: 'free' })
  t.notOk('default' in none.rule!, 'no exchange shows one')
})

void t.test('a default that is not always the same is unclear', async (t) => {
  const exchanges = await created(t, { tier: SET_BY_CREATION }, { tier: 'gold' }, { tier: 'free' }, { tier: 'gold' })
  const open = exchanges.map((exchange, index) =>
    index < 6 && 'requestBody' in exchange ? { ...exchange, requestBody: { cloud_provider_id: 'a' } } : exchange
  )
  const { profile, notes } = await learnFromExchanges(open)
  t.match(profile.fields, { Workspace: { tier: { default: 'gold' } } })
  t.ok(
    notes.some(
      ({ place, text, isUnclear }) => isUnclear && place.at(-1) === 'tier' && /gold.*free|free.*gold/.test(text)
    )
  )
})

void t.test('exchanges win over a constant of a document', async (t) => {
  const exchanges = await created(t, { tier: { const: 'gold' } }, {}, {})
  const base = { profile: profileOf({ tier: { const: 'zzz' } }), notes: [] }
  const { profile } = await learnFromExchanges(exchanges, { base })
  t.strictSame(profile.fields, { Workspace: { tier: { const: 'gold' } } })
})

void t.test('a field that has another name in one schema only is learned as its mirror', async (t) => {
  const rules = { fields: { Workspace: { place_region: { from: 'region' } } }, omit: { Workspace: ['region'] } }
  const { ask, exchanges } = await service(t, { profile: { profile: 1, name: 'other', ...rules } as never })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  await ask('POST', `${ROOT}/${group}/workspaces`, {})
  await ask('GET', `${ROOT}/${group}`)
  const { profile, notes, conformance } = await learnFromExchanges(exchanges)
  t.match(profile, rules)
  t.strictSame(otherValues(conformance), [])
  t.notOk(notes.some(({ isUnclear }) => isUnclear))
})

void t.test('a field with values of several types is unclear, unless all are numbers', async (t) => {
  const ruleOf = (...values: readonly unknown[]) => {
    const call = { operation: 'createWorkspace' }
    const sights = values.map((tier) => ({ call, exchange: { status: 200, requestBody: { tier } }, value: { tier } }))
    const api = { requestSchema: () => undefined, nameOf: () => 'CreateWorkspaceRequest' }
    const evidence = { api, calls: sights, profile: BUILT_IN, sights }
    return ruleFor(evidence as never, 'Workspace', 'tier', sights as never, false).rule
  }
  t.match(ruleOf(1, 1.5), { type: 'number' })
  t.equal(typeof ruleOf(1.5, 'many'), 'string')
})

import t from 'tap'
import { conform, type Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import type { FactKey } from '../../src/interface/assumption.js'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { isWhole, scaled, someOf } from '../effort.js'
import { idsOf, ROOT, service } from './asked-service.js'
import { PERTURBATIONS } from './perturbations.js'
import { hiddenProfile } from './profiles.js'
import { playService } from './real-service.js'
import { inField } from './rewrites.js'

const contradicted = (conformance: Conformance) => idsOf(conformance, 'contradicted')

/** Whether a difference has certain values in its key. */
const names = ({ facts }: Conformance, expect: Partial<FactKey>) =>
  facts.some(
    ({ key, differences }) =>
      differences > 0 && Object.entries(expect).every(([name, value]) => key[name as keyof FactKey] === value)
  )

const numbered = (exchanges: readonly Exchange[]) =>
  exchanges.map((exchange, index) => ({ ...exchange, number: index + 1 }))

void t.test('a service that is as assumed contradicts nothing', async (t) => {
  for (let seed = 1; seed <= scaled(1, 2); seed++)
    for (const faults of [false, true]) {
      const result = await conform(await playService({ seed, faults }))
      t.strictSame(contradicted(result), [], `seed ${seed}${faults ? ' with faults' : ''}`)
      t.equal(result.counts.unanswered > 0, faults)
      t.ok(result.counts.compared > 300 && idsOf(result, 'confirmed').length > 80)
      const unseen = OPERATION_IDS.filter((id) => !result.facts.some(({ key }) => key.operation === id))
      if (!faults) t.strictSame(unseen, [], 'every operation is compared')
    }
})

void t.test('a service with a profile contradicts nothing under that profile', async (t) => {
  for (let seed = 1; seed <= scaled(1, 2); seed++) {
    const profile = hiddenProfile(seed)
    t.ok(Object.keys(profile).length > 3, 'it changes more than durations')
    t.strictSame(contradicted(await conform(await playService({ seed, profile }), { profile })), [], `seed ${seed}`)
  }
})

void t.test('a service whose resources existed before the recording contradicts nothing', async (t) => {
  for (const first of [60, 150]) {
    const exchanges = numbered((await playService({ seed: 2 })).slice(first))
    t.strictSame(contradicted(await conform(exchanges)), [], `from exchange ${first} on`)
  }
})

void t.test('a service that the client seldom looks at contradicts nothing', async (t) => {
  const { ask, wait, exchanges } = await service(t, { transitions: 'realistic' })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: id } = await ask('POST', `${ROOT}/${group}/workspaces`, { auto_stop_minutes: 5 })
  const workspace = `${ROOT}/${group}/workspaces/${id}`
  const look = async () => {
    wait(60)
    return (await ask('GET', workspace)).status
  }
  t.equal(await look(), 'Stopped', 'it was Active for five minutes')
  await ask('POST', `${workspace}/resume`)
  wait(2)
  await ask('PUT', workspace, { workspace_type_name: 'SVC-2' })
  t.equal(await look(), 'Stopped', 'it has been resized, and Active for five minutes')
  const reader = { is_rw: false, svc_database_id: (await ask('GET', workspace)).database_id }
  const { workspace_id: other } = await ask('POST', `${ROOT}/${group}/workspaces`, reader)
  for (const [action, minutes, status] of [
    ['refresh', 10, 'Refreshing'],
    ['refresh', 30, 'Refreshing'],
    ['resume', 2, 'Refreshed'],
    ['refresh', 2, 'Refreshing'],
    ['pause', 2, 'Refreshed']
  ] as const) {
    wait(minutes)
    await ask('POST', `${ROOT}/${group}/workspaces/${other}/${action}`)
    t.equal((await ask('GET', `${ROOT}/${group}/workspaces/${other}`)).refresh_status, status)
  }
  const { workspace_id: third } = await ask('POST', `${ROOT}/${group}/workspaces`, { auto_stop_minutes: 5 })
  wait(60)
  for (const action of ['resume', 'pause']) await ask('POST', `${ROOT}/${group}/workspaces/${third}/${action}`)
  t.equal(exchanges.at(-1)?.status, 400)
  t.equal((await ask('GET', `${ROOT}/${group}/workspaces/${third}`)).status, 'Resuming', 'it was Active, then Stopped')
  await ask('DELETE', workspace)
  wait(60)
  await ask('POST', `${workspace}/resume`)
  t.equal(exchanges.at(-1)?.status, 404)
  t.strictSame(contradicted(await conform(exchanges)), [])
})

void t.test('a further word during a transition contradicts only the state in which it is shown', async (t) => {
  const phases = { Creating: [{ status: 'Queued', lasts: 'PT1M' }, {}] }
  const profile = { profile: 1, name: 'other', states: { phases } } as const
  const { ask, wait, exchanges } = await service(t, { profile, transitions: 'realistic' })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  for (const name of ['first', 'second']) {
    const { workspace_id: id } = await ask('POST', `${ROOT}/${group}/workspaces`, { name })
    for (const status of ['Queued', 'Creating', 'Creating', 'Active']) {
      t.equal((await ask('GET', `${ROOT}/${group}/workspaces/${id}`)).status, status)
      wait(1.5)
    }
  }
  const result = await conform(exchanges)
  t.strictSame(contradicted(result), ['P-101'])
  t.equal(result.durations.length, 2, 'the creations ended when the workspaces were Active')
})

void t.test('a field whose value the mock refuses is dropped and reported', async (t) => {
  const rewrite = inField('name', () => 'x'.repeat(300))
  const named = await playService({ seed: 2, perturb: { rewrite } })
  const exchanges = (await playService({ seed: 2 })).map((one, index) => ({ ...one, body: named[index]!.body }))
  const { refused, facts } = await conform(numbered(exchanges.slice(60, 120)))
  t.ok(refused.length > 0)
  for (const reason of refused) t.match(reason, /^exchange \d+: [\w.]*name must be /)
  const statuses = facts.filter(({ key, differences }) => key.aspect === 'status' && differences > 0)
  t.strictSame(statuses, [], 'the resources exist')
})

void t.test('without exchanges, nothing is confirmed', async (t) => {
  const { ledger, counts } = await conform([])
  t.ok(ledger.every(({ verdict }) => verdict === 'unseen'))
  t.strictSame(counts, { compared: 0, refused: 0, unanswered: 0, foreign: 0, incomplete: 0 })
})

/** The perturbations in `npm test`. */
const SOME = ['workspace.resume takes longer', 'a field is missing', 'other messages', 'one read-write workspace']

void t.test('each difference is found, and in the expected fact', async (t) => {
  for (const name of isWhole ? someOf(Object.keys(PERTURBATIONS)) : SOME) {
    const perturb = PERTURBATIONS[name]!
    t.ok(names(await conform(await playService({ seed: 1, perturb })), perturb.expect), name)
  }
})

void t.test('requests confirm their fields, and refusals confirm rules about bodies', async (t) => {
  const exchanges = await playService({ seed: 1 })
  const verdictOf = ({ ledger }: Conformance, id: string) => ledger.find((entry) => entry.id === id)!.verdict
  const result = await conform(exchanges)
  for (const id of ['P-002', 'P-019', 'P-020', 'P-029', 'P-045', 'P-090', 'P-091', 'P-183'])
    t.equal(verdictOf(result, id), 'confirmed', id)
  t.equal(verdictOf(result, 'P-003'), 'unseen')

  const last = exchanges.findLast(({ method, status }) => method === 'PUT' && status === 200)!
  const unknown = { ...last, requestBody: { ...(last.requestBody as object), tier: 'gold' } }
  const until = exchanges.slice(0, exchanges.indexOf(last))
  t.equal(verdictOf(await conform([...until, unknown]), 'P-003'), 'confirmed')
  const refused = { ...unknown, status: 400, body: { Error: true, ErrorDetails: [], Message: 'no', RequestID: 'r' } }
  t.equal(verdictOf(await conform([...until, refused]), 'P-003'), 'contradicted')
})

void t.test('a duration is compared as an interval', async (t) => {
  const longer = PERTURBATIONS['workspace.resume takes longer']
  const result = await conform(await playService({ seed: 1, perturb: longer }))
  const blamed = result.ledger.filter(({ verdict }) => verdict === 'contradicted')
  t.equal(blamed.length, 1)
  const { ours, theirs } = blamed[0]!.examples[0] as unknown as { ours: { max: number }; theirs: { min: number } }
  t.ok(theirs.min > ours.max)
})

void t.test("the caller's address is compared even if its field is renamed", async (t) => {
  const fields = { CurrentIP: 'address', IsAllowed: 'may_call' }
  for (const form of [
    { names: { fields } },
    { names: { fields: { ...fields, Result: 'data' } } },
    { names: { fields }, replies: { envelope: 'none' } }
  ] as const) {
    const profile = { profile: 1, name: 'other', ...form } as const
    const { ask, exchanges } = await service(t, { profile })
    await ask('POST', ROOT, { cloud_provider_id: 'a' })
    const [group] = /(?<="workgroup_id":")[^"]+/.exec(JSON.stringify(exchanges))!
    await ask('GET', `${ROOT}/${group}/allow_list/current`)
    const text = JSON.stringify(exchanges)
    t.match(text, '"may_call":true,"address":"127.0.0.1"')
    const result = await conform(JSON.parse(text.replaceAll('127.0.0.1', '203.0.113.7')) as Exchange[], { profile })
    t.equal(result.ledger.find(({ id }) => id === 'P-091')?.verdict, 'confirmed')
    t.strictSame(contradicted(result), [])
  }
})

import t from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { operationOf } from './operation-of.js'
import { hiddenProfile } from './profiles.js'
import { playService } from './real-service.js'

const SEEDS = [1, 2]

/** Statuses of requests that failed, or lost their replies. */
const UNLUCKY = [429, 500, 503, null]

const countOf = (exchanges: readonly Exchange[], status: number | null) =>
  exchanges.filter((exchange) => exchange.status === status).length

for (const faults of [false, true]) {
  void t.test(`a service ${faults ? 'with' : 'without'} faults is used as a team would`, async (t) => {
    for (const seed of SEEDS) {
      const exchanges = await playService({ seed, faults })
      t.ok(exchanges.length >= 200 && exchanges.length <= 600, `${exchanges.length} exchanges`)
      t.strictSame(
        exchanges.map(({ number }) => number),
        exchanges.map((_, index) => index + 1)
      )
      t.ok(exchanges.every(({ sent, answered }) => Number.isInteger(sent) && sent < answered))
      t.ok(
        exchanges.every(({ sent }, index) => index === 0 || sent >= exchanges[index - 1]!.sent),
        'in order of time'
      )
      t.notOk(exchanges.some(({ path }) => path.includes('_mock')))
      const operations = new Set(exchanges.map(operationOf))
      t.strictSame(
        OPERATION_IDS.filter((id) => !operations.has(id)),
        [],
        'every operation'
      )
      for (const status of [200, 204, 400, 401, 403, 404, 405, 415])
        t.ok(countOf(exchanges, status) > 0, String(status))
      if (!faults) for (const status of UNLUCKY) t.equal(countOf(exchanges, status), 0, `never ${status}`)
    }
  })
}

void t.test('the same seed plays the same service, and another one does not', async (t) => {
  // With something to prepare, nothing is kept from an earlier run.
  const prepare = async () => undefined
  const play = async (seed: number) => JSON.stringify(await playService({ seed, faults: true, perturb: { prepare } }))
  const one = await play(1)
  t.ok((await play(1)) === one, 'the same')
  t.ok((await play(2)) !== one, 'another')
})

void t.test('faults of all kinds occur, and their replies can be lost', async (t) => {
  const runs = await Promise.all(SEEDS.map((seed) => playService({ seed, faults: true })))
  const all = runs.flat()
  for (const status of UNLUCKY) t.ok(countOf(all, status) > 0, String(status))
  t.ok(all.some(({ status, headers }) => status === 503 && Number(headers['retry-after']) > 0))
  t.ok(all.every(({ status, headers }) => status !== null || Object.keys(headers).length === 0))
})

void t.test('credentials are masked, and headers are as a proxy receives them', async (t) => {
  const exchanges = await playService({ seed: 2 })
  t.notMatch(JSON.stringify(exchanges), 'of-a-rival')
  const tokens = new Set(
    exchanges.map(({ requestHeaders }) => requestHeaders['x-api-key'] ?? requestHeaders['authorization'])
  )
  t.strictSame(tokens, new Set(['key-1', 'Bearer session-1', undefined]))
  t.ok(exchanges.every(({ headers }) => Object.keys(headers).every((name) => name === name.toLowerCase())))
  // The offset, the drift and the part of a second that the header does not have.
  const isNear = ({ answered, headers }: Exchange) => Math.abs(Date.parse(headers['date']!) - answered) < 4000
  t.ok(exchanges.every(isNear), 'the service has a clock of its own, which is almost that of the recorder')
})

void t.test('a hidden profile is served, and follows from its seed', async (t) => {
  for (const seed of SEEDS) {
    const { profile, members } = hiddenProfile(seed)
    t.strictSame(hiddenProfile(seed), { profile, members })
    t.ok(members.length > 0)
    const exchanges = await playService({ seed, profile })
    t.ok(exchanges.length >= 200)
    t.notMatch(JSON.stringify(exchanges), profile.name)
  }
})

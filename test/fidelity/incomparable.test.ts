import t, { type Test } from 'tap'
import { conform, type Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { startMock } from '../../src/mock.js'

/** What a client asks for, by method and path below the interface's. */
type Ask = readonly [method: string, path: string, body?: object]

const ROOT = '/controller/v4/v2/workgroups'

/** Calls a service that is as assumed, and records it. */
async function service(t: Test, options: Parameters<typeof startMock>[0] = {}) {
  const mock = await startMock({ transitions: 'instant', ...options })
  t.teardown(() => mock.close())
  const box = mock.sandbox('demo')
  await box.clock.freeze('2026-03-01T12:00:00.000Z')
  const exchanges: Exchange[] = []
  let now = Date.UTC(2026, 2, 1, 12)
  const ask = async (...[method, path, requestBody]: Ask) => {
    now += 2000
    await box.clock.freeze(new Date(now).toISOString())
    const requestHeaders = { 'x-api-key': 'demo', 'content-type': 'application/json' }
    const response = await fetch(mock.url + path, {
      method,
      headers: requestHeaders,
      ...(requestBody === undefined ? {} : { body: JSON.stringify(requestBody) })
    })
    const text = await response.text()
    const body = text === '' ? undefined : (JSON.parse(text) as { Result: Record<string, never> })
    exchanges.push({
      number: exchanges.length + 1,
      sent: now,
      answered: now + 20,
      method,
      path,
      query: '',
      requestHeaders,
      ...(requestBody === undefined ? {} : { requestBody }),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(body === undefined ? {} : { body })
    })
    return body!.Result as Record<string, string>
  }
  return { ask, box, exchanges }
}

const idsOf = ({ ledger }: Conformance, verdict: string) =>
  ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => id)

const refused = (exchange: Exchange, headers: Exchange['requestHeaders']): Exchange => ({
  ...exchange,
  requestHeaders: headers,
  status: 401,
  body: { Error: true, Message: 'No.', RequestID: 'r', ErrorDetails: [{ Type: 'Unauthorized', Reason: 'No.' }] }
})

void t.test('a credential that the service refused says nothing', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  for (const headers of [{ 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { authorization: 'wrong' }, {}]) {
    const { counts, facts } = await conform([refused(exchanges[0]!, headers)])
    t.match(counts, { compared: 0, refused: 1 }, JSON.stringify(headers))
    t.strictSame(facts, [])
  }
})

void t.test('an empty credential is none', async (t) => {
  const { ask, exchanges } = await service(t)
  await ask('GET', ROOT)
  for (const headers of [{ 'x-api-key': '' }, { authorization: 'Bearer' }, { authorization: '' }, { accept: '*/*' }]) {
    const result = await conform([refused(exchanges[0]!, headers)])
    t.match(result.counts, { compared: 1, refused: 0 })
    t.ok(idsOf(result, 'confirmed').includes('P-051'), JSON.stringify(headers))
    t.strictSame(
      idsOf(result, 'contradicted').filter((id) => id === 'P-051'),
      []
    )
  }
})

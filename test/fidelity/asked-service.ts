import type { Test } from 'tap'
import type { Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { startMock } from '../../src/node/mock.js'
import { type Body, sendJson } from '../helper.js'

export const ROOT = '/controller/v4/v2/workgroups'

/** A service that is as assumed, and the exchanges with it. */
export async function service(t: Test, options: Parameters<typeof startMock>[0] = {}) {
  const mock = await startMock({ transitions: 'instant', ...options })
  t.teardown(() => mock.close())
  const box = mock.sandbox('demo')
  await box.clock.freeze('2026-03-01T12:00:00.000Z')
  const exchanges: Exchange[] = []
  let now = Date.UTC(2026, 2, 1, 12)
  const ask = async (method: string, path: string, requestBody?: object) => {
    now += 2000
    await box.clock.freeze(new Date(now).toISOString())
    const requestHeaders = { 'x-api-key': 'demo', 'content-type': 'application/json' }
    const response = await sendJson(method, mock.url + path, requestHeaders, requestBody)
    const [pathname = '', query = ''] = path.split('?')
    const text = await response.text()
    const body: Body = text === '' ? undefined : JSON.parse(text)
    exchanges.push({
      number: exchanges.length + 1,
      sent: now,
      answered: now + 20,
      method,
      path: pathname,
      query,
      requestHeaders,
      ...(requestBody === undefined ? {} : { requestBody }),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(body === undefined ? {} : { body })
    })
    return (body?.Result ?? body) as Record<string, string>
  }
  const wait = (minutes: number) => {
    now += minutes * 60_000
  }
  return { ask, wait, box, exchanges }
}

/** The assumptions with a verdict. */
export const idsOf = ({ ledger }: Conformance, verdict: 'contradicted' | 'confirmed') =>
  ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => id)

import type { Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { startMock } from '../../src/node/mock.js'

/** What a client asks for, by method and path below the interface's. */
type Ask = readonly [method: string, path: string, body?: object]

export const ROOT = '/controller/v4/v2/workgroups'

/** Calls a service that is as assumed, and records it. */
export async function service(t: Test, options: Parameters<typeof startMock>[0] = {}) {
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

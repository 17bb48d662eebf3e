// One server, a sandbox for each test: they run at the same time, each with its own data, clock and faults.
import { startMock } from 'svc-mock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let mock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

async function call(box, method, path) {
  const response = await fetch(`${box.url}/controller/v4/v2${path}`, { method, headers: box.headers })
  return { status: response.status, result: (await response.json()).Result }
}

const seed = (now) => ({
  clock: { mode: 'frozen', now },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer', auto_stop_minutes: 30 }] }]
})
const writer = '/workgroups/main/workspaces/writer'

describe.concurrent('two sandboxes in parallel', () => {
  test('in one, a workspace stops because nobody uses it', async () => {
    const box = mock.sandbox()
    await box.seed(seed('2027-01-01T00:00:00Z'))
    await box.clock.advance({ by: 'PT1H' })
    expect((await call(box, 'GET', writer)).result.status).toBe('Stopped')
  })

  test('in the other, it is as it was, and the service is down for a moment', async () => {
    const box = mock.sandbox()
    await box.seed(seed('2030-01-01T00:00:00Z'))
    await box.fault.add({ operation: 'getWorkspace', times: 2, effect: { status: 503 } })
    const statuses = []
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await call(box, 'GET', writer)).status)
    expect(statuses).toEqual([503, 503, 200])
    expect((await call(box, 'GET', writer)).result.status).toBe('Active')
    await box.verify({ operation: 'getWorkspace', times: { exactly: 4 } })
  })
})

import t from 'tap'
import { startMock, type SandboxHandle } from '../src/index.js'
import type { Body } from './helper.js'

const COUNT = 200

/** Calls the interface in a sandbox over HTTP. */
async function call(box: SandboxHandle, method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${box.url}/controller/v4/v2${path}`, {
    method, headers: { ...box.headers, 'content-type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: await response.json() as Body }
}

/** What one sandbox goes through; everything in it depends on its number. */
async function live(box: SandboxHandle, number: number): Promise<unknown> {
  const start = new Date(Date.UTC(2000 + number, 0, 1)).toISOString()
  const hours = 1 + number % 7
  await box.seed({
    clock: { mode: 'frozen', now: start },
    workgroups: [{ id: 'main', name: `group ${number}`, workspaces: [{ id: 'writer', backup_schedule: { schedule: `0 */${hours} * * *`, max_backup_files: 100 } }] }]
  })
  await box.snapshot.save('begin')
  await box.fault.add({ operation: 'getWorkgroup', times: 1 + number % 3, effect: { status: 500 + number % 5 } })
  const refusals: number[] = []
  for (let attempt = 0; attempt < 4; attempt++) {
    const { status } = await call(box, 'GET', '/workgroups/main')
    if (status !== 200) refusals.push(status)
  }
  await box.clock.advance({ by: 'P1D' })
  const { body: { Result: backups } } = await call(box, 'GET', '/workspaces/writer/backups')
  await call(box, 'POST', '/workgroups/main/workspaces/writer/pause')
  await box.clock.advance({ until: 'idle' })
  const { body: { Result: { status } } } = await call(box, 'GET', '/workgroups/main/workspaces/writer')
  const { requests } = await box.requests.list()

  if (number % 2 === 0) await box.reset()
  else await box.snapshot.restore('begin')
  const { body: { Result: after } } = await call(box, 'GET', '/workgroups/main')
  const isLeft = (await box.fault.list()).length
  return {
    refusals, backups: backups.length, status, calls: requests.length, now: (await box.clock.read()).now,
    name: after.name, state: after.workspaces[0].status, isLeft, snapshots: (await box.snapshot.list()).length
  }
}

function expected(number: number): unknown {
  const hours = 1 + number % 7
  return {
    refusals: Array.from({ length: 1 + number % 3 }, () => 500 + number % 5),
    backups: Math.floor(23 / hours) + 1,
    status: 'Stopped',
    calls: 7,
    now: new Date(Date.UTC(2000 + number, 0, 1)).toISOString(),
    name: `group ${number}`,
    state: 'Active',
    isLeft: 0,
    snapshots: 1
  }
}

void t.test(`${COUNT} sandboxes, each with its own clock, faults and resets, run in parallel and never see each other`, async (t) => {
  await using mock = await startMock()
  const boxes = Array.from({ length: COUNT }, () => mock.sandbox())
  const lives = await Promise.all(boxes.map(live))
  t.strictSame(lives, lives.map((_, number) => expected(number)))
})

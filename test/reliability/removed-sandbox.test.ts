import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { sandboxInside } from '../../src/node/inside.js'
import type { Origin } from '../../src/resources/control-plane.js'
import { type Body, buildMock, doInOneSlice } from '../helper.js'
import { messageOf } from '../messages.js'

// The next new sandbox reuses the key of a removed one. A request that was on its way at that time must not reach it.

const REMOVED = messageOf('notAllowed', 'removed')
const documentOf = (name: string, clock: object) => ({
  clock,
  workgroups: [{ id: 'g', name, workspaces: [{ id: 'w', name, refresh_status: 'Refreshing' as const }] }]
})
const FROZEN = { mode: 'frozen', now: '2026-01-01T00:00:00Z' } as const

async function stage(t: Test, clock: object) {
  // The write and the removal behind it belong to one transaction.
  doInOneSlice(t)
  const mock = await buildMock(t)
  const { plane } = mock
  const theirs = sandboxInside(plane, '', 'theirs')
  await theirs.seed(documentOf('secret', FROZEN))
  // Only the key of the newest sandbox is reused.
  const mine = sandboxInside(plane, '', 'mine')
  await mine.seed(documentOf('harmless', clock))
  /** Removes the sandbox right behind the next write of a request, and lets another take its place. */
  const replaceBehind = (requestId?: string): void => {
    for (const way of ['settle', 'write', 'writeInSlices'] as const) {
      const write = plane[way].bind(plane) as (...args: unknown[]) => unknown
      Object.assign(plane, {
        [way]: (origin: Origin, ...rest: unknown[]) => {
          const written = write(origin, ...rest)
          if (requestId === undefined || origin.id === requestId) {
            Object.assign(plane, { [way]: write })
            void mine.remove()
            void theirs.fork()
          }
          return written
        }
      })
    }
  }
  return { ...mock, mine, replaceBehind }
}

void t.test('a read that moves a clock in mode poll does not show the sandbox that has replaced its own', async (t) => {
  for (const url of ['/workgroups/g/workspaces/w', '/workspaces/w/backups']) {
    const { call, replaceBehind } = await stage(t, { ...FROZEN, mode: 'poll' })
    replaceBehind('mine')
    const { status, body } = await call('GET', url, { key: 'mine', headers: { 'x-request-id': 'mine' } })
    t.equal(status, 400, url)
    t.equal(body.Message, REMOVED)
    t.notMatch(JSON.stringify(body), /secret/)
  }
})

void t.test('a read from Node that runs due events does not show the sandbox that has replaced its own', async (t) => {
  const { mine, replaceBehind } = await stage(t, { mode: 'real', rate: 1_000_000 })
  await setTimeout(10)
  replaceBehind()
  await t.rejects(mine.state.read(), { message: REMOVED })
})

void t.test('a fork whose body comes late is not made from the sandbox that has replaced its own', async (t) => {
  await using mock = await startMock()
  const theirs = mock.sandbox('theirs')
  await theirs.seed(documentOf('secret', FROZEN))
  await theirs.snapshot.save('kept')
  for (const from of ['baseline', 'kept']) {
    const mine = mock.sandbox(`mine-${from}`)
    await mine.seed(documentOf('harmless', FROZEN))
    await mine.snapshot.save('kept')
    const late = httpRequest(`${mock.url}/_mock/sandboxes`, {
      method: 'POST',
      headers: { ...mine.headers, 'content-type': 'application/json' }
    })
    const answered = once(late, 'response').then(([reply]) => json(reply as IncomingMessage))
    late.flushHeaders()
    late.write('{')
    // Once later requests on another connection are answered, it has arrived.
    for (let i = 0; i < 10; i++) await fetch(`${mock.url}/_mock/clock`, { headers: mine.headers })
    await mine.remove()
    const next = await theirs.fork({ from: 'kept' })
    await next.seed(documentOf('secret', FROZEN))
    await next.snapshot.save('kept')
    late.end(`"from": "${from}"}`)
    const { Error: isError, Message, Result }: Body = await answered
    t.equal(isError, true, `from ${from}`)
    t.equal(Message, REMOVED)
    if (Result !== null)
      t.notMatch(JSON.stringify(await mock.sandbox(Result.key as string).state.read()), /secret/, 'what the fork has')
    await next.remove()
  }
})

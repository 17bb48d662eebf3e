import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Recorded } from '../../src/console/model/recorded.js'
import { exportState } from '../../src/documents/export.js'
import { mask, sandboxIdOf } from '../../src/lib/secrets.js'
import { stepsFromMemory } from '../../src/recording/from-memory.js'
import { Random, seedFrom } from '../../src/sim/random.js'
import { liveRandomly } from '../documents/random-life.js'
import { effort, seed } from '../effort.js'
import { buildMock, jsonLines, matchError, replaceMethod } from '../helper.js'
import { callsOf, openSandbox } from '../sandbox.js'
import { holdWall } from '../wall.js'
import { readWhole } from './recordings.js'

/** Reads a recording that the server sent. */
function readText(t: Test, text: unknown) {
  const path = join(t.testdir(), 'a.svcmock')
  writeFileSync(path, text as string)
  return readWhole(path)
}

void t.test('a recording from memory ends with the current state', async (t) => {
  t.comment(`SEED=${seed}`)
  const wall = holdWall(t)
  for (const [life, journalRequests] of [1000, 40, 5].entries()) {
    const mock = await buildMock(t, { journalRequests })
    const random = new Random({ seed: seedFrom('remembered', seed, life), draws: 0 })
    await liveRandomly(mock, 'a', random, effort(40, 100), wall)
    const reply = await mock.app.inject({ url: '/_mock/recording', headers: { 'x-api-key': 'a' } })
    t.equal(reply.statusCode, 200)
    const { manifest, steps, states, lines } = await readText(t, reply.body)
    t.equal(manifest.svcmock, 1)
    t.equal(lines.at(-1)!.kind, 'end')
    t.ok(steps.some(({ kind }) => kind === 'request'))
    const sandbox = await mock.plane.sandboxes.open(sandboxIdOf('a'))
    t.same(states.at(-1), mask(exportState(mock.plane, sandbox)), `${journalRequests} requests`)

    const view = await mock.app.inject({ url: '/_mock/recording/steps', headers: { 'x-api-key': 'a' } })
    t.match([view.statusCode, view.headers['content-type']], [200, /^application\/x-ndjson/])
    const recorded = Recorded.parse(view.body)
    t.equal(recorded.last.place, steps.length)
    t.same(recorded.stateAt(recorded.last.place), states.at(-1), 'and its steps lead there')
  }
})

void t.test('each request follows its changes', async (t) => {
  const b = await openSandbox(await buildMock(t))
  await b.createWorkgroup()
  await b.call('GET', '/workgroups')
  await b.createWorkgroup()
  const { body } = await b.control('GET', '/recording')
  t.match(body, /"kind":"end"\}\n$/)
  const { steps, states } = await readText(t, body)
  t.strictSame(
    steps.map((step) => (step.kind === 'request' ? `${step.method} ${step.operation}` : step.kind)),
    ['change', 'PUT setClock', 'change', 'POST createWorkgroup', 'GET listWorkgroups', 'change', 'POST createWorkgroup']
  )
  const counts = states.map((state) => state!.workgroups!.length)
  t.strictSame(counts, [0, 0, 1, 1, 1, 2, 2])
})

void t.test('an event that fired comes before the request that moved the clock', async (t) => {
  const b = await openSandbox(await buildMock(t))
  await b.controlResult('PUT', '/state', {
    clock: { mode: 'frozen' },
    workgroups: [{ id: 'g', workspaces: [{ id: 'w', status: 'Creating' }] }]
  })
  await b.advance('PT1H')
  const { body } = await b.control('GET', '/recording')
  const { steps } = await readText(t, body)
  // On a slow machine, the move takes several slices, each with a change of the clock.
  const event = steps.findIndex(({ kind }) => kind === 'event')
  t.match(steps[event], { event: { kind: 'workspace.create', resource: 'w' } })
  const move = { kind: 'request', operation: 'advanceClock' }
  t.match(steps.slice(-2), [{ kind: 'change' }, move], 'the clock arrives last')
  t.ok(event < steps.length - 2)
})

void t.test('a recording from memory has no request from before the state in which it begins', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const operations = async () => {
    const { steps } = await readText(t, (await b.control('GET', '/recording')).body)
    return steps.flatMap((step) => (step.kind === 'request' ? [step.operation] : []))
  }
  await b.createWorkgroup()
  await b.control('PUT', '/state', {})
  t.strictSame(await operations(), ['replaceState'])
  await b.call('GET', '/workgroups')
  await b.createWorkgroup()
  await b.call('GET', '/workgroups')
  const since = ['replaceState', 'listWorkgroups', 'createWorkgroup', 'listWorkgroups']
  t.strictSame(await operations(), since, 'also those before the first change')
  await b.control('POST', '/reset', { keep: ['journal'] })
  t.strictSame(await operations(), ['resetSandbox'])
})

void t.test('a body that is too long for memory is marked as omitted', async (t) => {
  const b = callsOf(await buildMock(t, { journalBytes: 100_000 }), 'a')
  await b.call('POST', '/workgroups', { cloud_provider_id: 'x', name: 'y'.repeat(100_000) })
  const { body } = await b.control('GET', '/recording/steps')
  const requests = jsonLines(body as string).flatMap(({ request }) => request ?? [])
  t.match(requests, [{ operation: 'createWorkgroup', status: 400, body: null, body_omitted: true }])
})

void t.test('without a journal, nothing is remembered', async (t) => {
  const { control } = callsOf(await buildMock(t, { journalRequests: 0 }), 'a')
  t.equal((await control('GET', '/recording')).status, 400)
  t.equal((await control('GET', '/recording/steps')).status, 400)
})

void t.test('the number of readers is limited, and one that leaves makes room', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  await b.createWorkgroup()
  const read = () => b.control('GET', '/recording/steps')
  const replies = await Promise.all(Array.from({ length: 20 }, read))
  const refused = replies.filter(({ status }) => status !== 200)
  t.ok(refused.length > 0 && refused.length < replies.length)
  for (const reply of refused) matchError(t, reply, 'unavailable', 'readers')
  const url = await mock.app.listen({ port: 0, host: '127.0.0.1' })
  for (let count = 0; count < 10; count++) {
    const leaving = new AbortController()
    await fetch(`${url}/_mock/recording/steps`, { headers: { 'x-api-key': 'a' }, signal: leaving.signal })
    leaving.abort()
  }
  while ((await read()).status !== 200) await new Promise(setImmediate)
  t.equal((await read()).status, 200)
})

void t.test('nothing is made for a reader that has left, or that asks only for the headers', async (t) => {
  const { app, plane } = await buildMock(t)
  const begun: unknown[] = []
  replaceMethod(t, plane.history, 'list', (sandbox: number) => {
    begun.push(sandbox)
    return []
  })
  for (const url of ['/_mock/recording', '/_mock/recording/steps'])
    t.equal((await app.inject({ method: 'HEAD', url, headers: { 'x-api-key': 'a' } })).statusCode, 200)
  t.equal(begun.length, 0)

  const sandbox = await plane.sandboxes.open(sandboxIdOf('a'))
  let isLeft = false
  const pieces = stepsFromMemory(plane, sandbox, () => isLeft)
  t.match(await pieces.next(), { done: false }, 'something is sent at once, to notice readers that have left')
  isLeft = true
  t.match(await pieces.next(), { done: true })
})

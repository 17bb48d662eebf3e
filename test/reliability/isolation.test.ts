import t from 'tap'
import { effort } from '../effort.js'
import { buildMock, type Call, close } from '../helper.js'
import { bodiesWith, needsSession, readOperations } from '../operations.js'
import { NONE, openSandbox } from '../sandbox.js'
import { furnish } from './furnish.js'
import { live } from './life.js'
import { publish, scaled, seed } from './soak.js'

const COUNT = scaled(effort(12, 60), 1000)
/** How many of them are repeated in a server of their own; the others, one after the other in a second server. */
const ALONE = scaled(2, 100)

const OPTIONS = { seed: 7, journalRequests: 500, journalBytes: 64 * 1024 * 1024 } as const

void t.test(
  `${COUNT} sandboxes that live at once in one server get the same replies, byte for byte, as each of them alone`,
  async (t) => {
    t.comment(`SEED=${seed}`)
    const mock = await buildMock(t, OPTIONS)
    const lives = await Promise.all(Array.from({ length: COUNT }, (_, number) => live(mock, seed, number)))
    const second = await buildMock(t, OPTIONS)
    let replies = 0
    for (const [number, transcript] of lives.entries()) {
      const own = number % Math.floor(COUNT / ALONE) === 0 ? await buildMock(t, OPTIONS) : second
      const alone = await live(own, seed, number)
      const index = alone.findIndex((line, i) => line !== transcript[i])
      if (index >= 0 || alone.length !== transcript.length)
        t.equal(transcript[index], alone[index], `sandbox ${number}, reply ${index}`)
      replies += alone.length
      if (own !== second) await close(own)
    }
    t.ok(replies > COUNT * 20, `${replies} replies`)
    const results = { sandboxes: COUNT, alone: ALONE, replies }
    t.comment(JSON.stringify(results))
    publish('isolation', results)
  }
)

void t.test('no operation lets a key read, change or detect anything in the sandbox of another', async (t) => {
  const mock = await buildMock(t)
  const [alice, bob] = [await openSandbox(mock, { key: 'alice' }), await openSandbox(mock, { key: 'bob' })]
  const [theirs, own] = [await furnish(alice), await furnish(bob)]
  const before = JSON.stringify(await alice.controlResult('GET', '/state'))
  const unknown = Object.fromEntries(Object.keys(theirs).map((name) => [name, NONE]))

  for (const { operationId, method, path } of readOperations()) {
    const call = async (ids: Record<string, string>, bodyIds: Record<string, string>) => {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
      const body = bodiesWith(bodyIds)[operationId]
      const session: Call = { key: null, headers: { authorization: 'Bearer bob', 'x-request-id': 'r' } }
      const credential: Call = needsSession({ path }) ? session : { key: 'bob', headers: { 'x-request-id': 'r' } }
      const { status, body: text } = await mock.call(method.toUpperCase(), url, {
        ...credential,
        prefix: '',
        ...(body === undefined ? {} : { body })
      })
      return { status, text: JSON.stringify(text) }
    }
    const asUnknown = (text: string) => Object.values(theirs).reduce((rest, id) => rest.replaceAll(id, NONE), text)
    if (!path.includes('{')) {
      if (method !== 'get') continue
      const { text } = await call(own, own)
      const isSeen = Object.values(theirs).some((id) => text.includes(id)) || text.includes('alice')
      t.notOk(isSeen, `${operationId} shows only its own`)
      continue
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    // Each id of the path alone, and all of them.
    for (const foreign of new Set([...names.map((name) => [name]), names].map((list) => list.join(' ')))) {
      const mixed = (source: Record<string, string>) => ({
        ...own,
        ...Object.fromEntries(foreign.split(' ').map((name) => [name, source[name]!]))
      })
      const reply = await call(mixed(theirs), theirs)
      t.equal(reply.status, 404, `${operationId} with ${foreign} of another`)
      t.equal(asUnknown(reply.text), (await call(mixed(unknown), unknown)).text, 'as for an unknown id')
    }
    // With its own path, and ids of the other one in the body.
    if (['deleteBackup', 'restoreBackup', 'deleteWorkspaceSchedule'].includes(operationId)) {
      const reply = await call(own, theirs)
      t.equal(reply.status, 400, `${operationId} with ids of another in the body`)
      t.equal(asUnknown(reply.text), (await call(own, unknown)).text)
    }
  }
  const create = async (svc_database_id: string) =>
    bob.call('POST', `/workgroups/${own['workgroupID']}/workspaces`, { svc_database_id, is_rw: false })
  t.equal((await create(theirs['databaseID']!)).status, 400, 'a workspace for a database of another')
  t.equal(JSON.stringify(await alice.controlResult('GET', '/state')), before, 'the other sandbox has not changed')
})

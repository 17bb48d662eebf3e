import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { BEGINS_AGAIN, ChangeCapture, GOES_ON, WriteEffects } from '../../src/journal/change-capture.js'
import { Coverage } from '../../src/journal/coverage.js'
import { EventHub } from '../../src/journal/event-hub.js'
import { Journal } from '../../src/journal/journal.js'
import { WATCHED_TABLES } from '../../src/resources/tables.js'
import { buildMock, testInOneSlice } from '../helper.js'
import { openSandbox, START } from '../sandbox.js'

/** Notes what a hub tells. */
function hear(eventHub: EventHub): string[] {
  const kinds: string[] = []
  eventHub.listen(
    { send: () => undefined, end: () => undefined },
    ({ kind }) => {
      kinds.push(kind)
      return {}
    },
    undefined
  )
  return kinds
}

function open(t: Test) {
  const db = openDatabase(':memory:', WATCHED_TABLES)
  t.teardown(() => {
    db.close()
  })
  db.prepare("INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws) VALUES (1, 'a', '', '', '', 0)").run()
  const insert = db.prepare<[string]>('INSERT INTO quotas (sandbox, name, maximum) VALUES (1, ?, 1)')
  const capture = new ChangeCapture(db, { observe: () => undefined })
  const notes = new WriteEffects()
  const collect = <T>(name: string, result: T) =>
    capture.collect(
      notes,
      () => true,
      () => {
        insert.run(name)
        return result
      }
    )
  const own = () => notes.own.map((change) => db.watcher.decode(change).after?.name)
  return { capture, notes, collect, own }
}

void t.test('a change that goes on is recorded part by part, and one that begins again is not', async (t) => {
  const { capture, notes, collect, own } = open(t)
  t.equal(collect('a', GOES_ON), GOES_ON)
  t.equal(collect('b', BEGINS_AGAIN), GOES_ON)
  t.equal(collect('c', 5), 5)
  t.strictSame(own(), ['a', 'c'])
  const eventHub = new EventHub()
  const told = hear(eventHub)
  const journal = new Journal({ requests: 10, bytes: 1_000_000 })
  capture.keep({ journal, coverage: new Coverage(), eventHub, sleepers: undefined }, 'x', notes)
  t.strictSame(told, ['state'])
  t.match(journal.find('x'), { notes: [{ fired: undefined, changes: notes.own }] })
})

void t.test('a change that begins again has not been made yet', async (t) => {
  const { notes, collect, own } = open(t)
  t.equal(collect('a', BEGINS_AGAIN), GOES_ON)
  t.strictSame([notes.isDone, own()], [false, []])
})

void t.test('nothing is changed before all that is due has run', async (t) => {
  const { capture, notes, own } = open(t)
  const result = capture.collect(
    notes,
    () => false,
    () => {
      t.fail('it is too early')
    }
  )
  t.equal(result, GOES_ON)
  t.strictSame([notes.isDone, own()], [false, []])
})

testInOneSlice('events that ran before a refused change are told, with a journal and without one', async (t) => {
  for (const journalRequests of [100, 0]) {
    const b = await openSandbox(await buildMock(t, { journalRequests }))
    const workgroup = await b.createWorkgroup()
    const path = `/workgroups/${workgroup}/workspaces`
    const { database_id } = await b.result('POST', path, {})
    const told = hear(b.sandbox.eventHub)
    t.equal((await b.call('POST', path, { svc_database_id: database_id })).status, 400)
    const isNews = (kind: string) => kind !== 'request'
    t.strictSame(told.filter(isNews), [], 'nothing has changed')
    // The clock is moved without a write, so that the next one has to catch up.
    b.sandbox.clock = { ...b.sandbox.clock, base: START + 5000 }
    t.equal((await b.call('POST', path, { svc_database_id: database_id })).status, 400)
    t.strictSame(told.filter(isNews), ['state'])
  }
})

import type { RawChange } from '../../src/db/row-watcher.js'
import { Budget } from '../../src/journal/budget.js'
import { type AnsweredRequest, type Call, Journal, NOTE_LIMIT, type Outcome } from '../../src/journal/journal.js'
import { buildMock, testInOneSlice } from '../helper.js'
import { at, openSandbox } from '../sandbox.js'

const outcome: Outcome = { status: 200, reply: undefined, error: undefined, retryAfter: undefined, fault: undefined }
const call: Call = {
  operation: 'a',
  isControl: false,
  method: 'GET',
  path: '/',
  params: {},
  query: {},
  body: undefined,
  bodySchema: undefined
}
const entry = (id: string, other: Partial<Call> = {}, reply?: string): AnsweredRequest => ({
  id,
  at: 0,
  received: 0,
  replied: 0,
  call: { ...call, ...other },
  outcome: { ...outcome, reply }
})
const event = (requestId: string) => ({ sequence: 1, due: 0, kind: 'a', resource: 'a', payload: {}, requestId })
const changes = (count: number, text = ''): RawChange[] => Array.from({ length: count }, () => [0, text])
const noteChanges = (journal: Journal, id: string, changes: readonly RawChange[]) =>
  journal.note({ id, fired: undefined, changes })
const noteFired = (journal: Journal, fired: ReturnType<typeof event>, changes: readonly RawChange[]) =>
  journal.note({ id: fired.requestId, fired, changes })
const ids = (journal: Journal) => journal.requests().map(({ id }) => id)

testInOneSlice('a journal keeps the newest records, up to a number', async (t) => {
  const journal = new Journal({ requests: 2, bytes: 1_000_000 })
  for (const id of ['a', 'b', 'c', 'd']) journal.record(entry(id), 0)
  t.strictSame(ids(journal), ['c', 'd'])
  t.equal(journal.dropped, 2)
  t.equal(journal.find('a'), undefined)
  journal.clear()
  t.strictSame([ids(journal), journal.dropped, journal.records()], [[], 0, []])
})

testInOneSlice('a large body is shown unchanged, without secrets', async (t) => {
  const journal = new Journal({ requests: 10, bytes: 1_000_000 })
  const body = { list: Array.from({ length: 500 }, (_, i) => ({ i, text: 'é', none: null })), password: 'secret' }
  const shown = journal.record(entry('a', { body }), 0)
  const masked = { ...body, password: '***' }
  t.strictSame(shown?.call.body, masked)
  t.strictSame(journal.find('a')?.entry?.body, masked)
  t.strictSame(journal.requests()[0]?.body, masked)
})

testInOneSlice('changes come before their request, and requests are in the order of their replies', async (t) => {
  const journal = new Journal({ requests: 10, bytes: 1_000_000 })
  noteChanges(journal, 'a', changes(1))
  noteChanges(journal, 'a', [])
  journal.record(entry('b'), 0)
  t.match(journal.find('a'), { entry: undefined, notes: [{ order: 0, fired: undefined }] })
  journal.record(entry('a'), 0)
  t.strictSame(ids(journal), ['b', 'a'])
  t.equal(journal.records().length, 2)
  journal.record(entry('c', { isControl: true }), 0)
  t.strictSame([ids(journal), journal.records().length], [['b', 'a'], 3])
})

testInOneSlice('only requests of the interface count as dropped', async (t) => {
  const journal = new Journal({ requests: 1, bytes: 1_000_000 })
  journal.record(entry('a', { isControl: true }), 0)
  noteChanges(journal, 'b', changes(1))
  journal.record(entry('c'), 0)
  t.equal(journal.dropped, 0)
})

testInOneSlice('a record keeps its own first changes, and those of its newest events', async (t) => {
  const journal = new Journal({ requests: 10, bytes: 1_000_000 })
  noteChanges(journal, 'a', changes(NOTE_LIMIT - 1))
  noteChanges(journal, 'a', changes(10))
  t.equal(journal.find('a')?.omitted, 9)
  for (let i = 0; i < NOTE_LIMIT + 10; i++) noteFired(journal, { ...event('a'), sequence: i }, changes(20))
  const { notes, omitted } = journal.find('a')!
  t.strictSame(
    notes.flatMap(({ fired }) => fired?.sequence ?? []),
    Array.from({ length: NOTE_LIMIT }, (_, index) => index + 10)
  )
  t.equal(omitted, 9 + 10 * 21)
  noteFired(journal, event('b'), changes(NOTE_LIMIT + 5))
  t.match(journal.find('b'), { omitted: 5, notes: [{ changes: { length: NOTE_LIMIT } }] })
})

testInOneSlice('an event whose own record makes room leaves the count of bytes right', async (t) => {
  const journal = new Journal({ requests: 100, bytes: 30_000 })
  noteFired(journal, event('a'), changes(NOTE_LIMIT))
  // It is the oldest, and the largest: it goes, with the changes that it would have had to give up.
  for (let i = 0; i < 5; i++) noteFired(journal, event('a'), changes(NOTE_LIMIT, 'x'.repeat(100)))
  for (let i = 0; i < 200; i++) journal.record(entry(`${i}`), 1000)
  t.ok(ids(journal).length <= 30_000 / 1400, `${ids(journal).length} records`)
})

testInOneSlice('a body counts by its memory, and is omitted if it is too large', async (t) => {
  const journal = new Journal({ requests: 1000, bytes: 4_000_000 })
  const small = () => Array.from({ length: 10_000 }, () => ({}))
  for (let i = 0; i < 20; i++) journal.record(entry(`${i}`, { body: small() }), 0)
  t.ok(ids(journal).length <= 7, `${ids(journal).length} bodies of 30,000 characters, which are 640,000 bytes`)
  t.ok(journal.bytes <= 4_000_000)
  const large = Array.from({ length: 100_000 }, () => ({}))
  journal.record(entry('large', { body: large }), 0)
  t.match(journal.find('large')?.entry, { body: undefined, isBodyOmitted: true })
  t.ok(ids(journal).length > 1, 'the others stay')
  for (const body of [
    'x'.repeat(1_100_000),
    { a: 'ü€'.repeat(300_000) },
    Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i]))
  ]) {
    journal.record(entry('other', { body }), 0)
    t.equal(journal.find('other')?.entry?.isBodyOmitted, true)
  }
  journal.record(entry('kept', { body: { a: ['x', 1, null, true] } }), 0)
  t.strictSame(journal.find('kept')?.entry?.body, { a: ['x', 1, null, true] })
})

testInOneSlice('journals share a budget, and the least recently used gives up records first', async (t) => {
  const budget = new Budget(60_000)
  const [a, b, c] = Array.from({ length: 3 }, () => new Journal({ requests: 100, bytes: 1_000_000 }, budget)) as [
    Journal,
    Journal,
    Journal
  ]
  for (const id of ['1', '2', '3']) {
    a.record(entry(id), 9000)
    b.record(entry(id), 9000)
  }
  a.record(entry('4'), 1000)
  c.record(entry('1'), 15_000)
  t.strictSame([ids(a), ids(b), ids(c)], [['1', '2', '3', '4'], ['3'], ['1']])
  c.record(entry('2'), 30_000)
  t.strictSame([ids(a), ids(b), ids(c)], [['3', '4'], [], ['1', '2']])
  t.ok(budget.bytes <= 60_000)
  t.equal(budget.bytes, a.bytes + b.bytes + c.bytes)
  for (const journal of [a, b, c]) journal.clear()
  t.equal(budget.bytes, 0)
})

testInOneSlice('changes of events count, and stay within the limit, however the clock moves', async (t) => {
  const journalBytes = 200_000
  const b = await openSandbox(await buildMock(t, { journalBytes }))
  const workspaces = Array.from({ length: 20 }, (_, i) => ({ id: `w${i}` }))
  await b.control('PUT', '/state', { clock: { mode: 'frozen', now: at(0) }, workgroups: [{ id: 'g', workspaces }] })
  // Each schedule has another RequestID, and so a record of its own.
  for (const { id } of workspaces)
    await b.result('POST', `/workgroups/g/workspaces/${id}/backups/schedule`, {
      schedule: '* * * * *',
      max_backup_files: 2
    })
  const { journal } = b.sandbox
  const before = journal.bytes
  const kept = () =>
    journal
      .records()
      .flatMap(({ notes }) => notes)
      .filter(({ fired }) => fired !== undefined)
      .flatMap(({ changes }) => changes)
      .reduce((characters, [, text]) => characters + text.length, 0)
  await b.advance('PT2M')
  t.ok(kept() > 0)
  t.ok(journal.bytes - before >= kept(), `${journal.bytes - before} bytes for ${kept()} characters`)
  for (let i = 0; i < 4; i++) {
    await b.advance('PT10M')
    t.ok(journal.bytes <= journalBytes, `${journal.bytes} bytes`)
    t.ok(kept() <= journalBytes, `${kept()} characters`)
  }
  t.ok(journal.dropped > 0, 'the oldest made room')
})

testInOneSlice('a request that changes nothing has its own record, also with a used RequestID', async (t) => {
  const journal = new Journal({ requests: 10, bytes: 1_000_000 })
  noteChanges(journal, 'a', [])
  t.equal(journal.find('a'), undefined, 'there is nothing to record before its reply')
  noteChanges(journal, 'a', changes(1))
  for (const path of ['/1', '/2', '/3']) journal.record(entry('a', { path }), 0)
  const counts = journal.records().map(({ entry, notes }) => [entry?.path, notes.length])
  t.strictSame(counts, [
    ['/1', 1],
    ['/2', 0],
    ['/3', 0]
  ])
})

testInOneSlice('an event whose request was dropped opens another record, which counts', async (t) => {
  const journal = new Journal({ requests: 2, bytes: 1_000_000 })
  noteChanges(journal, 'a', changes(1))
  for (const id of ['a', 'b', 'c']) journal.record(entry(id), 0)
  t.equal(journal.find('a'), undefined)
  noteFired(journal, event('a'), changes(1))
  t.match(journal.find('a'), { entry: undefined, notes: [{ fired: { requestId: 'a' } }] })
  t.strictSame(ids(journal), ['c'])
  for (const id of ['d', 'e']) journal.record(entry(id), 0)
  const other = new Journal({ requests: 2, bytes: 1_000_000 })
  for (const id of ['d', 'e']) other.record(entry(id), 0)
  t.equal(journal.bytes, other.bytes)
})

testInOneSlice('events belong to the newest record of a RequestID, also when the oldest is dropped', async (t) => {
  const journal = new Journal({ requests: 3, bytes: 1_000_000 })
  for (const path of ['/1', '/2']) {
    noteChanges(journal, 'a', changes(1))
    journal.record(entry('a', { path }), 0)
  }
  for (const id of ['b', 'c']) journal.record(entry(id), 0)
  noteFired(journal, event('a'), changes(1))
  const counts = journal.records().map(({ entry, notes }) => [entry?.path, notes.length])
  t.strictSame(counts, [
    ['/2', 2],
    ['/', 0],
    ['/', 0]
  ])
})

testInOneSlice('path, query, reply and errors of a request count as memory', async (t) => {
  const sizeOf = (request: AnsweredRequest, bytes = 0) => {
    const journal = new Journal({ requests: 1000, bytes: 1_000_000 })
    journal.record(request, bytes)
    return journal.bytes
  }
  const text = 'x'.repeat(100)
  const detail = { FieldName: text, Reason: text, Type: 'Bad-Request' } as const
  const error = { condition: 'invalidBody', message: text, details: [detail], guardId: undefined } as const
  const most = sizeOf(entry('a')) + 100
  t.ok(sizeOf(entry('a'), 100) >= most, 'what its texts are slices of')
  t.ok(sizeOf(entry('a', {}, text)) >= most, 'its reply')
  t.ok(sizeOf(entry('a', { path: `/${text}` })) >= most)
  t.ok(sizeOf(entry('a', { query: { a: text } })) >= most)
  t.ok(sizeOf({ ...entry('a'), outcome: { ...outcome, error } }) >= most + 200)
})

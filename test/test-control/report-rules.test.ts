import t from 'tap'
import type { Outcome, RequestEntry } from '../../src/journal/journal.js'
import { mask } from '../../src/lib/secrets.js'
import {
  findFastPolls,
  findIgnoredErrors,
  findIgnoredRetryAfter,
  findMissingBackOff
} from '../../src/test-control/report/repeats.js'
import type { Finding } from '../../src/test-control/report/schemas.js'

type Entry = Partial<Omit<RequestEntry, 'outcome'>> & { readonly outcome?: Partial<Outcome> }

/**
 * A read of a workgroup that arrives at some milliseconds by the machine's clock, and is answered in the same one. The
 * clock of the sandbox stands still.
 */
function request(received: number, { outcome = {}, ...fields }: Entry = {}): RequestEntry {
  return {
    id: `at ${received}`,
    at: 0,
    received,
    replied: received,
    operation: 'getWorkgroup',
    isControl: false,
    method: 'GET',
    path: '/workgroups/a',
    params: { workgroupID: 'a' },
    query: {},
    body: undefined,
    bodySchema: undefined,
    ...fields,
    outcome: { status: 200, reply: undefined, error: undefined, retryAfter: undefined, fault: undefined, ...outcome }
  }
}

/** The requests of each finding, by the times at which they arrived. */
const timesOf = (findings: readonly Finding[]) =>
  findings.map(({ requests }) => requests.map((id) => Number(id.slice('at '.length))))

/** Requests at some milliseconds, all with the same fields. */
const all = (times: readonly number[], entry?: Entry) => times.map((time) => request(time, entry))

void t.test('three reads are polling if each follows within a second by both clocks', async (t) => {
  const polls = (requests: readonly RequestEntry[]) => timesOf(findFastPolls(requests))
  t.strictSame(polls(all([0, 999, 1998])), [[0, 999, 1998]])
  t.strictSame(polls(all([0, 999])), [])
  t.strictSame(polls(all([0, 999, 1999])), [])
  t.strictSame(polls(all([0, 1000, 1999])), [])
  const after = (pause: number) => polls([0, 1, 2].map((time) => request(time, { at: pause * time })))
  t.strictSame(after(999), [[0, 1, 2]])
  t.strictSame(after(1000), [], 'a second by the clock of the sandbox')
  t.strictSame(polls(all([0, 1, 2, 1002, 1003, 1004, 3000])), [
    [0, 1, 2],
    [1002, 1003, 1004]
  ])
})

void t.test('simultaneous reads are not polling, nor are other calls', async (t) => {
  const slow = all([0, 10, 20], { replied: 15 })
  t.strictSame(timesOf(findFastPolls(slow)), [], 'the second came before the reply to the first')
  const soon = [0, 10, 20].map((time) => request(time, { replied: time + 10 }))
  t.strictSame(timesOf(findFastPolls(soon)), [[0, 10, 20]])
  t.strictSame(findFastPolls(all([0, 1, 2], { method: 'POST' })), [])
  t.strictSame(timesOf(findFastPolls(all([0, 1, 2], { method: 'HEAD' }))), [[0, 1, 2]], 'a HEAD is a read')
  t.strictSame(findFastPolls(all([0, 1, 2], { operation: undefined })), [])
})

void t.test('only a call about the same resource or a change inside it ends a series of reads', async (t) => {
  const reads = all([0, 2, 4])
  const among = (entry: Entry) => timesOf(findFastPolls([reads[0]!, request(1, entry), ...reads.slice(1)]))
  t.strictSame(among({ method: 'PUT' }), [])
  t.strictSame(among({ query: { page: '1' } }), [])
  t.strictSame(among({ path: '/workgroups/a/allow_list' }), [])
  const whole = [[0, 2, 4]]
  t.strictSame(among({ operation: undefined, method: 'PUT' }), whole, 'what is no operation is passed over')
  t.strictSame(among({ method: 'PUT', params: {} }), whole)
  t.strictSame(among({ method: 'PUT', params: { workgroupID: 'b' } }), whole)
  for (const method of ['GET', 'HEAD'])
    t.strictSame(among({ method, params: { workgroupID: 'a', workspaceID: 'w' } }), whole)
  t.strictSame(among({ method: 'PUT', params: { workgroupID: 'a', workspaceID: 'w' } }), [])
  const lists = all([0, 2, 4], { path: '/workgroups', params: {} })
  t.strictSame(timesOf(findFastPolls([...lists.slice(0, 2), request(3), ...lists.slice(2)])), whole)
  t.strictSame(timesOf(findFastPolls([...lists.slice(0, 2), request(3, { method: 'PUT' }), ...lists.slice(2)])), [])
  const mixed = [0, 1, 2, 3, 4, 5].map((time) => request(time, { params: { workspaceID: time % 2 === 0 ? 'v' : 'w' } }))
  t.strictSame(timesOf(findFastPolls(mixed)), [
    [0, 2, 4],
    [1, 3, 5]
  ])
})

void t.test('backing off means a pause of a tenth of a second or more that grows', async (t) => {
  const found = (requests: readonly RequestEntry[]) => timesOf(findMissingBackOff(requests))
  for (const status of [429, 503]) {
    const busy = (time: number) => request(time, { outcome: { status }, replied: time + 100 })
    const times = (...pauses: number[]) => {
      let time = 0
      return [busy(0), ...pauses.map((pause) => busy((time += pause + 100)))]
    }
    const isFound = (...pauses: number[]) => found(times(...pauses)).length > 0
    t.equal(isFound(99), true)
    t.equal(isFound(100), false, 'it may be the first of some that grow')
    t.equal(isFound(100, 100), true)
    t.equal(isFound(100, 149), true)
    t.equal(isFound(100, 150), false)
    t.equal(isFound(99, 200, 400), true)
    t.equal(isFound(100, 200, 400, 800), false)
    t.equal(isFound(100, 230, 350, 900), false, 'with random parts')
    t.equal(isFound(500, 400, 600, 500), true)
    t.strictSame(found(times(900, 900, 1000, 900, 900)), [
      [0, 1000, 2000],
      [3100, 4100, 5100]
    ])
    t.strictSame(found([busy(0), request(199, { at: 100 })]), [], 'by the clock of the sandbox')
    t.strictSame(found([busy(0), request(199, { at: 99 })]), [[0, 199]])
    t.strictSame(found([busy(0), request(99)]), [], 'it was sent before the reply')
    t.strictSame(found([busy(0), request(100)]), [[0, 100]])
    t.strictSame(found([busy(0), busy(200), busy(400)]), [[0, 200, 400]])
    t.strictSame(found([busy(0), request(150, { path: '/other' }), request(190)]), [[0, 190]])
    t.strictSame(found([request(0, { outcome: { status, retryAfter: 0 } }), request(1)]), [])
    const first = request(0, { body: { name: 'a' }, outcome: { status } })
    t.strictSame(found([first, request(1, { body: { name: 'b' } })]), [], 'another task makes something else')
    t.strictSame(found([first, request(1, { body: { name: 'b' } }), request(2, { body: { name: 'a' } })]), [[0, 2]])
  }
  for (const status of [200, 404, 500, 502, undefined])
    t.strictSame(found([request(0, { outcome: { status } }), request(1)]), [], String(status))
})

void t.test('a Retry-After must have passed before the next call', async (t) => {
  const found = (requests: readonly RequestEntry[]) => timesOf(findIgnoredRetryAfter(requests))
  const asked = request(0, { outcome: { status: 503, retryAfter: 5 }, replied: 100 })
  t.strictSame(found([asked, request(5099)]), [[0, 5099]])
  t.strictSame(found([asked, request(5100)]), [])
  t.strictSame(found([asked, request(200, { at: 5000 })]), [])
  t.strictSame(found([asked, request(200, { path: '/other' })]), [])
  t.strictSame(found([asked, request(200, { body: { name: 'b' } })]), [])
  t.strictSame(found([request(0), request(0)]), [], 'nothing was asked for')
  t.match(findIgnoredRetryAfter([asked, request(200)])[0]!.message, /\b2 calls\b.*\b5 s\b.*\b503\b/)
})

void t.test('an error is ignored if the same call gets it again', async (t) => {
  const error = (message: string) => ({ condition: undefined, message, details: [], guardId: undefined })
  const found = (earlier: Entry, later: Entry = earlier) =>
    timesOf(findIgnoredErrors([request(0, earlier), request(5000, later)]))
  const refused = (status: number | undefined, message = 'No.'): Entry => ({
    outcome: { status, error: error(message) }
  })
  const both = [[0, 5000]]
  for (const status of [400, 404, 428, 430, 499]) t.strictSame(found(refused(status)), both, String(status))
  for (const status of [undefined, 200, 399, 429, 500]) t.strictSame(found(refused(status)), [], String(status))
  t.strictSame(found(refused(400), refused(404)), [])
  t.strictSame(found(refused(400), refused(400, 'Not that.')), [])
  t.strictSame(found(refused(400), {}), [])
  t.strictSame(found({ ...refused(400), replied: 5001 }, refused(400)), [], 'it was sent before the reply')

  const sending = (body: unknown): Entry => ({ ...refused(400), body: mask(body) })
  t.strictSame(found(sending({ a: [1] })), both)
  t.strictSame(found(sending({ a: [1] }), sending({ a: [2] })), [])
  const other = request(1, sending({ a: [2] }))
  const among = [request(0, sending({ a: [1] })), other, request(5000, sending({ a: [1] }))]
  t.strictSame(timesOf(findIgnoredErrors(among)), both, 'another call in between changes nothing')
  t.strictSame(found(sending({ password: 'a' }), sending({ password: 'b' })), [], 'a secret may be another one')
  t.match(findIgnoredErrors(all([0, 1, 2], refused(409)))[0]!.message, /\b3 calls\b.*\b409\b.*No\./)
})

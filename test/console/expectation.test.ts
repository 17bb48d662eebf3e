import t from 'tap'
import { ANY_CALL, expectationOf, nearMisses, pathOf, unreadable } from '../../src/console/model/expectation.js'
import { check } from '../../src/interface/check.js'
import { ExpectationSchema } from '../../src/test-control/requests/schemas.js'

const ANY_TIMES = { exactly: '', atLeast: '', atMost: '' }
const call = { ...ANY_CALL, operation: 'getWorkspace' }

void t.test('one call has conditions and numbers, and what is left empty is left out', async (t) => {
  t.strictSame(expectationOf({ calls: [call], ...ANY_TIMES }), { operation: 'getWorkspace' })
  const whole = expectationOf({
    calls: [{ ...call, workspace: ' w ', workgroup: 'g', status: '200', query: '{"a": "b"}', body: '[1]' }],
    exactly: '',
    atLeast: '1',
    atMost: '0'
  })
  t.strictSame(whole, {
    operation: 'getWorkspace',
    where: { workgroup_id: 'g', workspace_id: 'w', status: 200, query: { a: 'b' }, body: [1] },
    times: { atLeast: 1, atMost: 0 }
  })
  t.doesNotThrow(() => {
    check(ExpectationSchema, whole)
  })
})

void t.test('several calls are a sequence, which has no numbers', async (t) => {
  const draft = { calls: [call, { ...call, status: '404' }], exactly: '1', atLeast: '', atMost: '' }
  t.strictSame(expectationOf(draft), {
    sequence: [{ operation: 'getWorkspace' }, { operation: 'getWorkspace', where: { status: 404 } }]
  })
  t.equal(pathOf(draft, 1), 'sequence.1.')
  t.equal(pathOf({ ...draft, calls: [call] }, 0), '')
})

void t.test('what is not JSON is named by its path', async (t) => {
  const wrong = { ...call, body: '{', query: ' ' }
  t.strictSame(unreadable({ calls: [wrong], ...ANY_TIMES }), { 'where.body': 'must be JSON' })
  t.strictSame(unreadable({ calls: [call, wrong], ...ANY_TIMES }), { 'sequence.1.where.body': 'must be JSON' })
  t.strictSame(unreadable({ calls: [call], ...ANY_TIMES }), {})
})

void t.test('the RequestIDs of near misses are found in the reasons', async (t) => {
  t.strictSame(nearMisses(['in a-1, status is 200, not 404', 'in b 2, it came too early', 'Nothing.']), ['a-1', 'b 2'])
})

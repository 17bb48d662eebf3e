import { execFileSync } from 'node:child_process'
import t from 'tap'
import { curl, sendable, whyNotSendable } from '../../src/console/api/repeat.js'
import type { RequestSummary } from '../../src/console/api/types.js'
import { segmentsOf, shortPath, splitPath, withShortIds } from '../../src/console/model/paths.js'
import { foldReads, hasWords, ignoredFields } from '../../src/console/model/requests.js'

/** Requests from a short form such as `GET a 200`, with a number each. */
const requests = (...calls: string[]) =>
  calls.map((call, number) => {
    const [method, path, status, fault = null] = call.split(' ') as [string, string, string, string?]
    return { number, method, path, status: Number(status), fault }
  })

/** Numbers of the requests in each row. */
const rows = (...calls: string[]) => foldReads(requests(...calls)).map((row) => row.map(({ number }) => number))

void t.test('repetitions of a read share a row', async (t) => {
  t.strictSame(rows('GET a 200', 'GET a 200', 'GET a 200'), [[0, 1, 2]])
  t.strictSame(rows(), [])
})

void t.test('reads that may differ have rows of their own', async (t) => {
  t.strictSame(rows('POST a 200', 'POST a 200'), [[0], [1]], 'writes')
  t.strictSame(rows('GET a 200', 'POST b 200', 'GET a 200'), [[0], [1], [2]], 'reads before and after a change')
  t.strictSame(rows('GET a 200', 'GET a 404', 'GET a 200'), [[0], [1], [2]], 'another status')
  t.strictSame(rows('GET a 503 fault', 'GET a 503 fault', 'GET a 503'), [[0], [1], [2]], 'a fault')
})

void t.test('paths are shortened, and their segments read', async (t) => {
  const id = '0b8e5a4c-7f0d-4c1e-9a3b-1234567890ab'
  t.equal(shortPath('/api/controller/v4/v2/workgroups/g', '/api/controller/v4/v2'), '/workgroups/g')
  t.equal(shortPath('/workgroups/g', '/controller/v4/v2'), '/workgroups/g', 'a path without the prefix stays whole')
  t.strictSame(splitPath('/controller/v4/workgroups', '/controller/v4/v2'), ['/controller/v4', '/workgroups'])
  t.equal(withShortIds(`/workgroups/${id}/workspaces/w/pause`), '/workgroups/0b8e5a4c…/workspaces/w/pause')
  t.strictSame(segmentsOf('/x/workgroups/g%201/pause', '/x'), ['', 'workgroups', 'g 1', 'pause'])
  t.strictSame(segmentsOf('/v1/instances/%', '/x'), ['', 'v1', 'instances', '%'], 'a path that cannot be decoded')
})

void t.test('ignored fields are named', async (t) => {
  t.equal(ignoredFields({ unread: [] }), undefined)
  t.equal(ignoredFields({ unread: ['nmae'] }), 'Unknown input ignored: nmae')
  t.equal(ignoredFields({ unread: ['a', 'b.0'], unread_omitted: true }), 'Unknown input ignored: a, b.0 and more')
})

void t.test('a search for a status finds no digits of random ids', async (t) => {
  const path = '/workspaces/04040404-4040-4404-8404-040404040404'
  const request = { method: 'GET', path, status: 200, request_id: 'console-4045404-1', unread: [] }
  const isFound = (...words: string[]) => hasWords(request as unknown as RequestSummary, 'Main', words)
  t.notOk(isFound('404'))
  t.ok(isFound('200', 'main', '2xx', '04040404'))
})

const recorded = {
  operation: 'createWorkspace',
  method: 'POST',
  path: '/workgroups/g/workspaces',
  query: {},
  body: { name: 'w', svc_version: '4.2', workspace_type_name: 'SVC-1' }
}

void t.test('a recorded request is sent with its query, and with the names of the interface', async (t) => {
  const acme = { fields: { svc_version: 'acme_version' }, values: { 'SVC-1': 'ACME-1' } }
  const { operation, method, path, body } = recorded
  t.strictSame(sendable(recorded, { fields: {}, values: {} }), { operation, method, path, body })
  t.strictSame(sendable(recorded, acme).body, { name: 'w', acme_version: '4.2', workspace_type_name: 'ACME-1' })
  const read = { operation: null, method: 'GET', path: '/a', query: { b: ['1', '2'], 'c d': 'ä' }, body: null }
  t.strictSame(sendable(read, acme), { operation: null, method: 'GET', path: '/a?b=1&b=2&c+d=%C3%A4' })
})

void t.test('a request that the journal kept only in part cannot be sent again', async (t) => {
  t.equal(whyNotSendable(recorded, true), undefined)
  t.equal(whyNotSendable({ query: {}, body: null }, true), undefined, 'it had no body')
  t.match(whyNotSendable({ query: {}, body: null }, false), 'could not be read')
  t.match(whyNotSendable({ query: {}, body: null, body_omitted: true }, true), 'did not keep')
  t.match(whyNotSendable({ query: {}, body: { password: '***' } }, true), 'masked')
  t.match(whyNotSendable({ query: { token: '***' }, body: null }, true), 'masked')
})

void t.test('a curl command survives the shell', async (t) => {
  t.equal(curl('GET', 'http://a/b', {}, undefined), 'curl http://a/b')
  t.equal(curl('HEAD', 'http://a/b', {}, undefined), 'curl --head http://a/b', 'it does not wait for a body')
  const command = curl('PUT', 'http://a/b?c=1&d', { 'x-api-key': 'k' }, { name: "it's" })
  const json = 'content-type: application/json'
  t.strictSame(
    execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
      .trim()
      .split('\n'),
    ['-X', 'PUT', 'http://a/b?c=1&d', '-H', 'x-api-key: k', '-H', json, '-d', '{"name":"it\'s"}']
  )
})

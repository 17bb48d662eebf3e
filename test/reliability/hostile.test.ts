import fc from 'fast-check'
import t from 'tap'
import { exportState } from '../../src/documents/export.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { effort } from '../effort.js'
import { type Body, buildMock, type BuiltMock } from '../helper.js'
import { readOperations, routesOf } from '../operations.js'
import { JSON_SCHEMA, replyValidators, schemasIn } from '../reply-validators.js'
import { openSandbox } from '../sandbox.js'
import { furnish } from './furnish.js'
import { type HostileRequest, KEY, type Known, type Operation, operationsOf, requestsOf } from './hostile-requests.js'
import { difference, publish, scaled, seed } from './soak.js'

/** How many requests are made for each operation. */
const RUNS = scaled(effort(5, 12), 1480)

/** Things that a reply must never show: places in the code, libraries, statements, internal errors. */
const LEAKS = new RegExp(
  [
    /node_modules|\\n +at |file:\/\/|\/(?:src|dist|home|root|tmp)\/|\.[jt]s:\d|better-|FST_ERR/,
    /sqlite|\b(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|UNIQUE constraint)\b/,
    /TypeError|RangeError|SyntaxError/
  ]
    .map(({ source }) => source)
    .join('|'),
  'i'
)

/** The only valid reason for a 503. */
const TOO_MUCH_DUE = /more to catch up with|can be run in one go|events/

/** A clock that is moved too far at once stops on the way; the events until then are kept. */
const IS_DONE_IN_PART = /More than 50000 events are due/

void t.test('each operation answers any request as documented, and a refused request changes nothing', async (t) => {
  t.comment(`SEED=${seed}`)
  const mock = await buildMock(t, { maxSandboxes: 40 })
  const plane = await createWorld(mock)
  const names = Object.getOwnPropertyNames(Object.prototype).join()
  const statuses: Record<number, number> = {}
  let [requests, operations] = [0, 0]
  let slowest = { milliseconds: 0, operation: '' }
  let ofInterface = 0

  for (const path of ['/openapi.json', '/_mock/openapi.json']) {
    const document: Body = (await mock.app.inject(path)).json()
    const checks = { replies: replyValidators(document), schemas: schemasIn(document) }
    for (const operation of operationsOf(document)) {
      operations++
      if (!operation.isControl) ofInterface++
      let base = await plane.restore()
      let state = base
      let changes = 0
      await fc.assert(
        fc.asyncProperty(requestsOf(operation, document, plane.known), async (request) => {
          const began = performance.now()
          const reply = await send(mock, request)
          const milliseconds = performance.now() - began
          requests++
          statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
          if (milliseconds > slowest.milliseconds) slowest = { milliseconds, operation: operation.operationId }
          const problems = problemsOf(operation, checks, request, reply)
          if (Object.getOwnPropertyNames(Object.prototype).join() !== names)
            problems.push('Object.prototype has changed')
          const after = plane.read()
          if (reply.status >= 400 && after !== state && !IS_DONE_IN_PART.test(reply.text))
            problems.push(`what was refused has changed something: ${difference(state, after)}`)
          if (request.method === 'GET' && after !== state)
            problems.push(`a read has changed something: ${difference(state, after)}`)
          state = after
          // A control operation may disturb later ones, for instance by a fault or a clock in 9999.
          if (state !== base && (operation.isControl || ++changes % 20 === 0)) base = state = await plane.restore()
          if (problems.length > 0)
            throw new Error(
              `${operation.operationId}: ${problems.join('; ')}: ${reply.status} ${reply.text.slice(0, 600)}`
            )
        }),
        { numRuns: RUNS, seed }
      )
      await plane.restore()
      const good = await mock.call('GET', '/workgroups', { key: KEY })
      if (good.status !== 200 || good.body.Result.length !== 1)
        t.fail(`after ${operation.operationId}, a good request is answered`, { reply: good })
    }
  }
  t.equal(ofInterface, routesOf(readOperations()).size, 'every operation of the interface')
  t.ok(operations > ofInterface, 'and those of the control API')
  t.equal(requests, operations * RUNS)
  const results = { requests, operations, statuses, slowest }
  t.ok(slowest.milliseconds < 10_000, JSON.stringify(results))
  publish('hostile', results)
})

/** The attacked sandbox: it has one of everything, and a frozen clock. */
async function createWorld(mock: BuiltMock) {
  const { plane } = mock
  const b = await openSandbox(mock, { key: KEY })
  const ids = await furnish(b)
  const snapshot = `of-${KEY}`
  const document = await b.controlResult('GET', '/state')
  const known: Known = {
    params: {
      ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, [id]])),
      id: [ids['id']!, 'fault-1'],
      name: [snapshot, 'two'],
      requestID: ['unknown']
    },
    texts: [...Object.values(ids), 'ann', 'org-admin', '2026-01-01T00:00:00.000Z', 'Active', 'SVC-1', '4.2.0']
  }
  /** Its whole visible state as text, without the number of drawn ids: an id that is drawn in vain is used up. */
  const read = () => {
    const found = plane.sandboxes.find(sandboxIdOf(KEY))
    if (found === undefined) return 'removed'
    return JSON.stringify([
      { ...exportState(plane, found), random: undefined },
      plane.snapshots.list(found.key),
      plane.sandboxes.store.baseline(found.key)
    ])
  }
  return {
    known,
    read,
    /** Restores it. @returns its visible state */
    restore: async () => {
      await b.controlResult('PUT', '/state', document)
      const names = ((await b.controlResult('GET', '/snapshots')) as Body[]).map(({ name }) => name as string)
      for (const name of names)
        if (name !== snapshot) await b.controlResult('DELETE', `/snapshots/${encodeURIComponent(name)}`)
      if (!names.includes(snapshot)) await b.controlResult('PUT', `/snapshots/${snapshot}`)
      return read()
    }
  }
}

async function send({ app }: BuiltMock, { method, url, headers, body }: HostileRequest) {
  const reply = await app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body === undefined ? {} : { payload: body })
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body }
}

/** The types of replies that are not JSON, with their forms by operation. */
const PLAIN: readonly (readonly [type: string, forms: Readonly<Record<string, RegExp>>])[] = [
  ['application/xml; charset=utf-8', { readCoverage: /^<\?xml/ }],
  ['application/openmetrics-text;', { readMetrics: /\n# EOF\n$/ }],
  ['application/x-ndjson; charset=utf-8', { readRecording: /^\s*\{"svcmock":/, readSteps: /^\s*\{"after":/ }]
]

/** What is wrong with a reply. */
function problemsOf(
  operation: Operation,
  checks: { replies: ReturnType<typeof replyValidators>; schemas: ReturnType<typeof schemasIn> },
  request: HostileRequest,
  { status, headers, text }: Awaited<ReturnType<typeof send>>
): string[] {
  const problems: string[] = []
  if (status === 503 ? !TOO_MUCH_DUE.test(text) : status >= 500) problems.push('the server failed')
  if (LEAKS.test(text)) problems.push(`it shows ${LEAKS.exec(text)![0]}`)
  if (typeof headers['x-request-id'] !== 'string') problems.push('there is no RequestID')
  if (request.method === 'HEAD' || status === 204) return text === '' ? problems : [...problems, 'there is a body']
  const plain = PLAIN.find(([type]) => status === 200 && String(headers['content-type']).startsWith(type))
  if (plain !== undefined) {
    const form = plain[1][operation.operationId]
    return form?.test(text) === true ? problems : [...problems, `it is ${plain[0]}`]
  }
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return [...problems, `it is ${String(headers['content-type'])}`]
  const reply = JSON.parse(text)
  if (status >= 400) {
    if (Object.keys(reply as object).join() !== 'RequestID,Error,Message,ErrorDetails,Result')
      problems.push('it has another envelope')
    if (reply.Error !== true || !Array.isArray(reply.ErrorDetails) || reply.ErrorDetails.length === 0)
      problems.push('it is not an error')
    if (reply.RequestID !== headers['x-request-id']) problems.push('it has another RequestID than its header')
  }
  // With an odd id or a wrong method, the request was about another operation.
  if (!request.isPlain) return problems
  const validate = checks.replies(operation.path, operation.method.toLowerCase(), status)
  if (!validate(reply)) problems.push(`it is not as declared: ${JSON.stringify(validate.errors!.slice(0, 3))}`)
  if (status === 200 && operation.body !== undefined && request.body !== undefined && request.body.length > 0) {
    // An optional body may be null.
    const { path, method } = operation
    const isValid = checks.schemas('paths', path, method.toLowerCase(), 'requestBody', ...JSON_SCHEMA)
    const sent: unknown = JSON.parse(request.body.toString().replace(/^\ufeff/, ''))
    if (!(operation.isBodyOptional && sent === null) && !isValid(sent))
      problems.push(`a body was accepted that is not as declared: ${JSON.stringify(isValid.errors!.slice(0, 3))}`)
  }
  return problems
}

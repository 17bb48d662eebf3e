import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { exportState } from '../../src/documents/export.js'
import { replyText } from '../../src/journal/journal.js'
import { sandboxIdOf } from '../../src/lib/keys.js'
import { effort } from '../effort.js'
import { type Body, buildMock, type BuiltMock } from '../helper.js'
import { readOperations, routesOf } from '../operations.js'
import { replyValidators } from '../reply-validators.js'
import { type HostileRequest, KEY, type Known, type Operation, operationsOf, requestsOf } from './hostile-requests.js'
import { publish, scaled, seed } from './soak.js'

/** How many requests are made for each operation. */
const RUNS = scaled(effort(5, 12), 1480)

/** What a reply must never show of the server: places in its code, its libraries, its statements, its errors. */
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

/** The one thing that a sandbox may be unavailable for here. */
const TOO_MUCH_DUE = /more to catch up with|can be run in one go|events/

/** A clock that is moved too far at once stops on the way, and says so; what has happened by then holds. */
const IS_DONE_IN_PART = /More than 50000 events are due/

interface Counts {
  requests: number
  readonly statuses: Map<number, number>
  slowest: { milliseconds: number; what: string }
  /** The most that the journal has kept, in bytes of JSON. */
  journal: number
  /** Resident memory of the process from time to time. */
  readonly memory: number[]
}

void t.test(
  'whatever is sent to an operation is answered as the documents say, and what is refused changes nothing',
  async (t) => {
    t.comment(`SEED=${seed}`)
    const mock = await buildMock(t, { maxSandboxes: 40 })
    const plane = await createWorld(mock)
    const names = Object.getOwnPropertyNames(Object.prototype).join()
    const counts: Counts = {
      requests: 0,
      statuses: new Map(),
      slowest: { milliseconds: 0, what: '' },
      journal: 0,
      memory: []
    }
    const accepted = new Map<string, number>()
    let operations = 0
    let ofInterface = 0

    for (const path of ['/openapi.json', '/_mock/openapi.json']) {
      const document: Body = (await mock.app.inject(path)).json()
      const checks = { replies: replyValidators(document), bodies: bodyValidators(document) }
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
            note(counts, operation, reply.status, performance.now() - began)
            const problems = problemsOf(operation, checks, request, reply)
            if (Object.getOwnPropertyNames(Object.prototype).join() !== names)
              problems.push('something has become of all objects')
            const after = plane.read()
            if (reply.status >= 400 && after !== state && !IS_DONE_IN_PART.test(reply.text))
              problems.push(`what was refused has changed something: ${difference(state, after)}`)
            if (request.method === 'GET' && after !== state)
              problems.push(`a read has changed something: ${difference(state, after)}`)
            state = after
            if (reply.status < 300 && request.isPlain)
              accepted.set(operation.operationId, (accepted.get(operation.operationId) ?? 0) + 1)
            // What a control operation has changed may keep the others from being answered, such as a fault or a clock
            // in 9999.
            if (state !== base && (operation.isControl || ++changes % 20 === 0)) base = state = await plane.restore()
            if (problems.length > 0)
              throw new Error(
                `${operation.operationId}: ${problems.join('; ')}: ${reply.status} ${reply.text.slice(0, 600)}`
              )
          }),
          { numRuns: RUNS, seed }
        )
        counts.journal = Math.max(counts.journal, journalBytes(mock))
        if (operations % 7 === 0) counts.memory.push(process.memoryUsage().rss)
        await plane.restore()
        const good = await mock.call('GET', '/workgroups', { key: KEY })
        if (good.status !== 200 || good.body.Result.length !== 1)
          t.fail(`after ${operation.operationId}, a good request is answered`, { reply: good })
      }
    }
    t.equal(ofInterface, routesOf(readOperations()).size, 'every operation of the interface')
    t.ok(operations > ofInterface, 'and those of the control API')
    t.equal(counts.requests, operations * RUNS)
    t.ok(
      counts.slowest.milliseconds < 10_000,
      `the slowest reply, ${counts.slowest.what}, took ${Math.round(counts.slowest.milliseconds)} ms`
    )
    t.ok(counts.journal < 2 * 4_194_304, `the journal has kept at most ${counts.journal} bytes`)
    const result = summary(counts, operations, accepted.size)
    t.comment(result)
    publish('hostile', result)
  }
)

/** The sandbox that is attacked: it has one of everything, and its clock stands still. */
async function createWorld({ app, plane, call }: BuiltMock) {
  const control = async (method: string, url: string, body?: unknown) => {
    const reply = await call(method, url, { key: KEY, prefix: '/_mock', body })
    if (reply.status !== 200) throw new Error(`${method} ${url}: ${JSON.stringify(reply.body)}`)
    return reply.body.Result
  }
  const post = async (url: string, body: unknown) => {
    const reply = await call('POST', url, { key: KEY, body })
    if (reply.status !== 200) throw new Error(`POST ${url}: ${JSON.stringify(reply.body)}`)
    return reply.body.Result
  }
  const users: Body[] = (await app.inject({ url: '/users', headers: { authorization: `Bearer ${KEY}` } })).json()
  await control('PUT', '/clock', { mode: 'frozen', now: '2026-01-01T00:00:00Z' })
  const { workgroup_id: workgroup } = await post('/workgroups', { cloud_provider_id: 'account' })
  const path = `/workgroups/${workgroup}`
  const { workspace_id: workspace, database_id: database } = await post(`${path}/workspaces`, { name: 'w' })
  const { id: entry } = await post(`${path}/allow_list`, { cidr: '203.0.113.0/24' })
  await control('POST', '/clock/advance', { until: 'idle' })
  const { id: backup } = await control('POST', `/workspaces/${workspace}/backups`, { tag: 'tag' })
  await control('POST', '/clock/advance', { until: 'idle' })
  const job = await post(`${path}/workspaces/${workspace}/backups/restore`, { backup_id: backup })
  await control('POST', '/clock/advance', { until: 'idle' })
  await post(`${path}/workspaces/${workspace}/backups/schedule`, {
    schedule: '0 3 1 1 *',
    max_backup_files: 3,
    max_reserved_days: 5,
    max_retry: 1
  })
  const schedule = await post(`${path}/workspaces/${workspace}/backups/schedule`, {
    workspace_id: workspace,
    repeat: 'none',
    date: '2027-03-28',
    time: '08:30',
    timezone: 'UTC',
    workspace_type_name: 'SVC-1'
  })
  await post(`${path}/workspaces/${workspace}/dbuser`, { username: 'ann', password: 'secret' })
  const document = await control('GET', '/state')

  const known: Known = {
    params: {
      workgroupID: [workgroup],
      workspaceID: [workspace],
      databaseID: [database],
      id: [entry, 'fault-1'],
      job: [job],
      userId: users.map(({ id }) => id as string),
      name: ['one', 'two'],
      requestID: ['unknown']
    },
    texts: [
      workgroup,
      workspace,
      database,
      entry,
      backup,
      job,
      schedule,
      'ann',
      'org-admin',
      '2026-01-01T00:00:00.000Z',
      'Active',
      'SVC-1',
      '4.2.0'
    ]
  }
  /**
   * All that can be seen of it, as text, but for how many ids were drawn: one that was drawn in vain does not come
   * again.
   */
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
    /** Makes it what it was. @returns what can be seen then */
    restore: async () => {
      await control('PUT', '/state', document)
      const snapshots = ((await control('GET', '/snapshots')) as Body[]).map(({ name }) => name as string)
      for (const name of snapshots)
        if (name !== 'one') await control('DELETE', `/snapshots/${encodeURIComponent(name)}`)
      if (!snapshots.includes('one')) await control('PUT', '/snapshots/one')
      return read()
    }
  }
}

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `${one.slice(Math.max(0, at - 60), at + 60)} > ${other.slice(Math.max(0, at - 60), at + 60)}`
}

interface Reply {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

async function send({ app }: BuiltMock, { method, url, headers, body }: HostileRequest): Promise<Reply> {
  const reply = await app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body === undefined ? {} : { payload: body })
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body }
}

function note(counts: Counts, { operationId }: Operation, status: number, milliseconds: number): void {
  counts.requests++
  counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
  if (milliseconds > counts.slowest.milliseconds) counts.slowest = { milliseconds, what: operationId }
}

function summary(
  { requests, statuses, slowest, journal, memory }: Counts,
  operations: number,
  accepted: number
): string {
  const perStatus = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `| ${status} | ${count.toLocaleString('en')} |`)
  return [
    `${requests.toLocaleString('en')} requests, ${(requests / operations).toLocaleString('en')} for each of ` +
      `the ${operations} operations of the two documents; ${accepted} operations accepted some.`,
    'No reply was against its document, and none refused a request and changed something. The slowest took ' +
      `${Math.round(slowest.milliseconds)} ms (\`${slowest.what}\`).`,
    'The memory of the process, with the test in it, was ' +
      `${memory.map((bytes) => `${Math.round(bytes / 2 ** 20)}`).join(', ')} MiB after each seventh operation; ` +
      `its journal, which \`--journal-bytes\` holds to about 4 MiB, kept at most ` +
      `${(journal / 2 ** 20).toFixed(1)} MiB.`,
    '',
    '| status | replies |',
    '| --- | --- |',
    ...perStatus
  ].join('\n')
}

/** What the journal of the sandbox takes up, if there is one. */
function journalBytes({ plane }: BuiltMock): number {
  const entries = plane.sandboxes.find(sandboxIdOf(KEY))?.journal.requests() ?? []
  return entries.reduce(
    (bytes, entry) =>
      bytes + JSON.stringify([entry.body ?? null, entry.outcome.error ?? null, replyText(entry) ?? null]).length,
    0
  )
}

interface Checks {
  readonly replies: ReturnType<typeof replyValidators>
  readonly bodies: (operation: Operation) => ValidateFunction
}

/** What is wrong with a reply. */
function problemsOf(
  operation: Operation,
  checks: Checks,
  request: HostileRequest,
  { status, headers, text }: Reply
): string[] {
  const problems: string[] = []
  if (status === 503 ? !TOO_MUCH_DUE.test(text) : status >= 500) problems.push('the server has failed')
  if (LEAKS.test(text)) problems.push(`it shows ${LEAKS.exec(text)![0]}`)
  if (typeof headers['x-request-id'] !== 'string') problems.push('there is no RequestID')
  if (request.method === 'HEAD' || status === 204) return text === '' ? problems : [...problems, 'there is a body']
  if (status === 200 && headers['content-type'] === 'application/xml; charset=utf-8') {
    if (operation.operationId !== 'readCoverage' || !text.startsWith('<?xml')) problems.push('it is XML')
    return problems
  }
  if (status === 200 && String(headers['content-type']).startsWith('application/openmetrics-text;')) {
    if (operation.operationId !== 'readMetrics' || !text.endsWith('\n# EOF\n')) problems.push('it is OpenMetrics')
    return problems
  }
  if (status === 200 && headers['content-type'] === 'application/x-ndjson; charset=utf-8') {
    const begin = { readRecording: '{"svcmock":', readSteps: '{"after":' }[operation.operationId]
    if (begin === undefined || !text.trimStart().startsWith(begin)) problems.push('it is lines')
    return problems
  }
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return [...problems, `it is ${String(headers['content-type'])}`]
  const reply = JSON.parse(text)
  if (status >= 400) {
    if (Object.keys(reply as object).join() !== 'RequestID,Error,Message,ErrorDetails,Result')
      problems.push('it has another envelope')
    if (reply.Error !== true || !Array.isArray(reply.ErrorDetails) || reply.ErrorDetails.length === 0)
      problems.push('it is no error')
    if (reply.RequestID !== headers['x-request-id']) problems.push('it has another RequestID than its header')
  }
  // Where an odd id has led elsewhere, or a method is wrong, the documents of the operation say nothing.
  if (!request.isPlain) return problems
  const validate = checks.replies(operation.path, operation.method.toLowerCase(), status)
  if (!validate(reply)) problems.push(`it is not as declared: ${JSON.stringify(validate.errors!.slice(0, 3))}`)
  if (status === 200 && operation.body !== undefined && request.body !== undefined && request.body.length > 0) {
    // A body that may be left out may be null.
    const isValid = checks.bodies(operation)
    const sent: unknown = JSON.parse(request.body.toString().replace(/^\ufeff/, ''))
    if (!(operation.isBodyOptional && sent === null) && !isValid(sent))
      problems.push(`a body was accepted that is not as declared: ${JSON.stringify(isValid.errors!.slice(0, 3))}`)
  }
  return problems
}

/** The validators of requests, out of a document. */
function bodyValidators(document: Body): (operation: Operation) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document as object, 'document')
  const known = new Map<string, ValidateFunction>()
  return ({ path, method }) => {
    const pointer = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
    known.set(pointer, validate)
    return validate
  }
}

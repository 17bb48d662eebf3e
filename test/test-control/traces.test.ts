import t from 'tap'
import { hasWords } from '../../src/console/model/requests.js'
import { startMock } from '../../src/node/index.js'
import { type Body, buildMock, CONTROLLER, jsonLines, pluck, testInOneSlice } from '../helper.js'
import { logLines } from '../log-lines.js'
import { openSandbox } from '../sandbox.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const headersOf = (trace: string) => ({ traceparent: `00-${trace}-${PARENT}-01` })

/** A sandbox with a workspace whose pause was part of {@link TRACE}. */
async function openTraced(...[t, options, logger]: Parameters<typeof buildMock>) {
  const mock = await buildMock(t, options, logger)
  const b = await openSandbox(mock)
  const workgroup = await b.createWorkgroup()
  const { workspace_id: id } = await b.createActive(workgroup)
  const url = `/workgroups/${workgroup}/workspaces/${id as string}`
  await mock.call('POST', `${url}/pause`, { key: b.key, headers: headersOf(TRACE) })
  const list = async (query = ''): Promise<Body[]> => (await b.controlResult('GET', `/requests${query}`)).requests
  return { mock, b, id: id as string, url, list }
}

testInOneSlice('a trace finds its request and the events that it scheduled', async (t) => {
  const { b, id, list } = await openTraced(t)
  const [{ request_id: requestId }, ...others] = await list(`?trace=${TRACE}`)
  t.strictSame(others, [])
  t.strictSame(pluck(await list(), 'trace'), [undefined, undefined, TRACE])
  t.match(await b.events(), [{ event: 'workspace.pause', request_id: requestId, trace: TRACE }])
  await b.advance('PT1M')
  t.match(await b.controlResult('GET', `/requests/${requestId as string}`), {
    request: { operation: 'pauseWorkspace', trace: TRACE },
    events: [{ event: 'workspace.pause', state: 'fired' }],
    timeline: [{ to: 'Pausing' }, { to: 'Stopped' }]
  })
  t.match((await b.timeline(id)).slice(-1), [{ to: 'Stopped', request_id: requestId, trace: TRACE }])
  t.notOk('trace' in (await b.timeline(id))[0], 'no other has one')
  t.strictSame(await list(`?trace=${TRACE.replace('4', '5')}`), [])
})

testInOneSlice(
  'a header of a later version is read, and an invalid one is ignored, as the specification says',
  async (t) => {
    const { mock, b, url, list } = await openTraced(t)
    const traceOf = async (traceparent: string) => {
      const { status } = await mock.call('GET', url, { key: b.key, headers: { traceparent } })
      t.equal(status, 200)
      return (await list('?limit=1'))[0].trace
    }
    for (const start of ['01', 'cc'])
      for (const end of ['00', '01-what-the-future-brings', '01-'])
        t.equal(await traceOf(`${start}-${TRACE}-${PARENT}-${end}`), TRACE, start + end)
    for (const header of [
      '',
      `00-${TRACE}-${PARENT}`,
      `00-${TRACE}-${PARENT}-01-`,
      `cc-${TRACE}-${PARENT}-01.more`,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${TRACE.slice(1)}-${PARENT}-01`,
      `00-${TRACE}-${PARENT.slice(1)}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      // Node joins repeated headers.
      `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`
    ])
      t.equal(await traceOf(header), undefined, header)
  }
)

testInOneSlice('a journal that has dropped the request does not know its trace', async (t) => {
  const { b, id } = await openTraced(t)
  await b.controlResult('DELETE', '/requests')
  await b.advance('PT1M')
  t.notOk((await b.timeline(id)).some((entry) => 'trace' in entry))
})

testInOneSlice('the search of the console finds a trace', async (t) => {
  const { list } = await openTraced(t)
  const found = (await list()).filter((request) => hasWords(request, '', [TRACE.slice(4)]))
  t.match(found, [{ operation: 'pauseWorkspace' }])
  t.equal(found.length, 1)
})

testInOneSlice('the log line names the trace', async (t) => {
  const { lines, logger } = logLines()
  await openTraced(t, {}, logger)
  const traced = lines.filter((line) => 'trace_id' in line)
  t.match(traced, [{ trace_id: TRACE, operationId: 'pauseWorkspace' }])
})

void t.test('a recording has the trace', async (t) => {
  await using mock = await startMock()
  await using box = mock.sandbox()
  const call = (headers: Record<string, string>) =>
    fetch(`${mock.url}${CONTROLLER}/workgroups`, { headers: { ...box.headers, ...headers } })
  await call(headersOf(TRACE))
  await call({})
  const requests = jsonLines(await box.recording()).filter(({ kind }) => kind === 'request')
  t.strictSame(pluck(requests.slice(-2), 'trace'), [TRACE, undefined])
})

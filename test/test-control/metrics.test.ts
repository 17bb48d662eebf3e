import t from 'tap'
import { VERSION } from '../../src/lib/version.js'
import { buildMock, type BuiltMock } from '../helper.js'
import { NONE, openSandbox } from '../sandbox.js'

interface Family {
  readonly name: string
  readonly type: string
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly name: string
  /** Such as `{status="200"}`. */
  readonly labels: string
  readonly value: number
}

const FAMILY = /^# HELP (\w+) .+\n# TYPE \1 (counter|gauge|histogram)\n((?:\w+(?:\{.*\})? \S+\n)*)/gm
const SAMPLE = /^(\w+)(\{.*\})? (\S+)$/gm

const ENDINGS: Readonly<Record<string, RegExp>> = {
  counter: /^_total$/,
  gauge: /^$/,
  histogram: /^_(bucket|sum|count)$/
}

/** Reads the part of the OpenMetrics text format that the server writes. (test/artifacts uses Prometheus.) */
function parseOpenMetrics(text: string): Family[] {
  const families = Array.from(text.matchAll(FAMILY), ([, name = '', type = '', samples = '']): Family => {
    const read = Array.from(samples.matchAll(SAMPLE), ([, sample = '', labels = '', value]) => ({
      name: sample,
      labels,
      value: Number(value)
    }))
    const isRight = read.every((one) => ENDINGS[type]!.test(one.name.slice(name.length)) && !Number.isNaN(one.value))
    if (!isRight) throw new Error(`not OpenMetrics: ${name}`)
    return { name, type, samples: read }
  })
  if (text.replaceAll(FAMILY, '') !== '# EOF\n') throw new Error(`not OpenMetrics: ${text.replaceAll(FAMILY, '')}`)
  return families
}

function valueOf(
  families: readonly Family[],
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number | undefined {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return families
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && pairs.every((pair) => sample.labels.includes(pair)))?.value
}

async function scrape({ app }: BuiltMock): Promise<Family[]> {
  const { statusCode, body, headers } = await app.inject('/_mock/metrics')
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8')
  return parseOpenMetrics(body)
}

const requests = 'svc_mock_requests_total'
const durations = 'svc_mock_request_duration_seconds'

void t.test('requests are counted by operation and status, from the start of the server', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  const workgroup = await b.createWorkgroup()
  await b.call('GET', `/workgroups/${workgroup}`)
  await b.call('GET', `/workgroups/${workgroup}`)
  await b.call('GET', `/workgroups/${NONE}`)
  await b.call('GET', '/workgruops')
  await mock.call('GET', '/workgroups', { key: null })
  const count = (families: Family[], operation: string, status: string) =>
    valueOf(families, requests, { operation, status })
  const first = await scrape(mock)
  t.equal(count(first, 'createWorkgroup', '200'), 1)
  t.equal(count(first, 'getWorkgroup', '200'), 2)
  t.equal(count(first, 'getWorkgroup', '404'), 1)
  t.equal(count(first, 'none', '404'), 1)
  t.equal(count(first, 'listWorkgroups', '401'), 1, 'also without a sandbox')
  const { samples } = first.find(({ name }) => name === 'svc_mock_requests')!
  t.equal(samples.length, 5, 'calls of the control API do not count')
  await b.controlResult('POST', '/faults', { operation: 'getWorkgroup', times: 1, effect: { reply: 'empty' } })
  await b.call('GET', `/workgroups/${NONE}`)
  await b.controlResult('POST', '/faults', { operation: 'getWorkgroup', times: 1, effect: { status: 503 } })
  await b.call('GET', `/workgroups/${NONE}`)
  await b.controlResult('POST', '/faults', { operation: 'getWorkgroup', times: 1, effect: { reply: 'drop' } })
  await t.rejects(b.call('GET', `/workgroups/${NONE}`))
  const second = await scrape(mock)
  t.equal(count(second, 'getWorkgroup', '200'), 3, 'as the client sees it')
  t.equal(count(second, 'getWorkgroup', 'lost'), 1)
  t.equal(count(second, 'getWorkgroup', '503'), 1)
})

void t.test('durations of all requests are measured', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  const labels = { operation: 'listWorkgroups' }
  await b.call('GET', '/workgroups')
  await b.call('GET', '/workgroups')
  const families = await scrape(mock)
  t.equal(valueOf(families, `${durations}_count`, labels), 2)
  t.equal(valueOf(families, `${durations}_bucket`, { ...labels, le: '+Inf' }), 2)
  t.ok(valueOf(families, `${durations}_sum`, labels)! > 0)
  await b.controlResult('POST', '/faults', {
    phase: 'after-commit',
    effect: { delay: '20ms' },
    operation: 'createWorkgroup'
  })
  await b.createWorkgroup()
  const delayed = valueOf(await scrape(mock), `${durations}_sum`, { operation: 'createWorkgroup' })
  t.ok(delayed! >= 0.02, 'with the delay of a fault')
})

void t.test('there are metrics of sandboxes, events, commits and memory', async (t) => {
  const mock = await buildMock(t)
  const a = await openSandbox(mock)
  const workgroup = await a.createWorkgroup()
  const before = await scrape(mock)
  const value = (families: Family[], name: string) => valueOf(families, name)!
  t.equal(value(before, 'svc_mock_sandboxes'), 1)
  for (const name of ['events_due', 'events_fired_total', 'write_queue', 'commit_failures_total'])
    t.equal(value(before, `svc_mock_${name}`), 0, name)
  t.equal(valueOf(before, 'svc_mock_build_info', { version: VERSION }), 1)
  await openSandbox(mock)
  await a.result('POST', `/workgroups/${workgroup}/workspaces`, {})
  const during = await scrape(mock)
  t.equal(value(during, 'svc_mock_sandboxes'), 2)
  t.equal(value(during, 'svc_mock_sandboxes_in_memory'), 2)
  t.equal(value(during, 'svc_mock_events_due'), 1)
  const batches = (families: Family[]) => value(families, 'svc_mock_commit_batch_size_count')
  t.ok(batches(during) > batches(before))
  t.ok(value(during, 'svc_mock_commit_batch_size_sum') >= batches(during))
  t.ok(value(during, 'svc_mock_journal_bytes') > value(before, 'svc_mock_journal_bytes'))
  await a.advance('PT1H')
  const after = await scrape(mock)
  t.ok(value(after, 'svc_mock_events_fired_total') >= 1)
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_heap_size_used_bytes'])
    t.ok(value(after, name) > 0, name)
  t.ok(value(after, 'nodejs_eventloop_lag_max_seconds') >= 0)
})

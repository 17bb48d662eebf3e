// Measures the cost of some parts of the server for a request: the log at info, the journal with the timeline, a
// recording, metrics that are scraped each second, and a traceparent header. Each is compared with a server without the
// part, in alternation. Usage: npm run bench:costs [-- --rounds 5 --seconds 3]
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { publish } from './report.js'
import { alternate, CONNECTIONS, launch, load, NO_LIMIT, post } from './servers.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const headers = { 'x-api-key': 'bench', 'content-type': 'application/json' }

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-costs-'))
try {
  const plainServer = await variant('plain', ['--log-level', 'warn'])
  const variants = {
    'as it is, log at warn': plainServer,
    'log at info': await variant('info', ['--log-level', 'info']),
    recorded: await variant('recorded', ['--log-level', 'warn', '--record', join(directory, 'recordings')]),
    'no journal, no timeline': await variant(
      'bare',
      ['--log-level', 'warn', '--journal-requests', '0'],
      ['--import', './bench/no-timeline.js']
    ),
    scraped: await scraped(await variant('scraped', ['--log-level', 'warn'])),
    traced: withHeader(plainServer, 'traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
  }
  const subjects = Object.entries(variants).flatMap(([name, { pid, requests }]) =>
    Object.entries(requests).map(([operation, request]) => ({ name, operation, pid, request }))
  )
  const results = await alternate(subjects, rounds, ({ pid, request }, isWarmUp) =>
    load({ pid, ...request }, isWarmUp ? 1 : seconds)
  )
  const measured = subjects.map(({ name, operation }, index) => ({ server: name, operation, ...results[index] }))
  const of = (server, operation) => measured.find((row) => row.server === server && row.operation === operation)
  const cost = (more, less, field) => `${((more[field] / less[field] - 1) * 100).toFixed(0)} %`
  const row = (part, operation, more, less) => ({
    part,
    operation,
    'throughput lost': `${((1 - more.rate / less.rate) * 100).toFixed(0)} %`,
    'CPU time added': cost(more, less, 'cpu'),
    'CPU µs without': Math.round(less.cpu),
    'CPU µs with': Math.round(more.cpu)
  })
  const [plain, info, recorded, without, scrapedOne, traced] = Object.keys(variants)
  publish('costs', {
    how: `autocannon, ${CONNECTIONS} connections; medians of ${rounds} rounds of ${seconds} s, in alternation.`,
    tables: [
      Object.keys(variants[plain].requests).flatMap((operation) => [
        row('log at info, to a file', operation, of(info, operation), of(plain, operation)),
        row('journal and timeline', operation, of(plain, operation), of(without, operation)),
        row('recording', operation, of(recorded, operation), of(plain, operation)),
        row('metrics, scraped each second', operation, of(scrapedOne, operation), of(plain, operation)),
        row('a traceparent header', operation, of(traced, operation), of(plain, operation))
      ])
    ],
    measured
  })
} finally {
  rmSync(directory, { recursive: true })
}
process.exit()

/** Starts a server that logs to a file, and creates the resources for the requests. */
async function variant(name, args, nodeArgs = []) {
  const folder = join(directory, name)
  mkdirSync(folder)
  const log = join(folder, 'log')
  const { child, pid } = launch(
    process.execPath,
    [...nodeArgs, 'dist/cli/main.js', 'serve', '--port', '0', '--db', join(folder, 'bench.db'), ...NO_LIMIT, ...args],
    { stdio: ['ignore', openSync(log, 'w'), 'inherit'] }
  )
  let url
  while ((url = /http:\/\/127[\d.:]+/.exec(readFileSync(log, 'utf8'))?.[0]) === undefined) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await sleep(50)
  }
  const prefix = `${url}/controller/v4/v2`
  const { workgroup_id: group } = await post(`${prefix}/workgroups`, headers, { cloud_provider_id: 'bench' })
  const { workspace_id: workspace } = await post(`${prefix}/workgroups/${group}/workspaces`, headers, {})
  return {
    pid,
    url,
    requests: {
      'read one workspace (17)': { url: `${prefix}/workgroups/${group}/workspaces/${workspace}`, headers },
      'create a workgroup (1)': {
        url: `${prefix}/workgroups`,
        method: 'POST',
        headers,
        body: JSON.stringify({ cloud_provider_id: 'bench' })
      }
    }
  }
}

/** Scrapes the metrics of a server each second. */
async function scraped(server) {
  const scrape = async () => (await fetch(`${server.url}/_mock/metrics`)).text()
  await scrape()
  setInterval(scrape, 1000)
  return server
}

/** The same requests to the same server, with one more header. */
function withHeader({ pid, requests }, name, value) {
  const entries = Object.entries(requests).map(([operation, request]) => [
    operation,
    { ...request, headers: { ...request.headers, [name]: value } }
  ])
  return { pid, requests: Object.fromEntries(entries) }
}

// Measures how long a call in one sandbox keeps others waiting. Each call has its own server, while another process
// reads and creates something small with another key, one request of each kind every few milliseconds. Usage: npm run
// bench:blocking [-- --only NAME --size N --timeout-ms 60000 --limit-ms 250] --only and --size are repeatable; with
// --only, the results are only printed. With --limit-ms, the exit status is 1 if a probe waited longer.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CALLS } from './blocking-calls.js'
import { Caller } from './caller.js'
import { publish, tableOf } from './report.js'
import { cpuOf, startMock } from './servers.js'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    'timeout-ms': { type: 'string', default: '60000' },
    'limit-ms': { type: 'string' }
  }
})
const timeout = Number(values['timeout-ms'])
const limit = Number(values['limit-ms'] ?? Infinity)
const sizes = values.size?.map(Number) ?? [10_000, 20_000]
const EVERY_MS = 3
const WARM_UP_MS = 300

const chosen = CALLS.filter(({ name }) => values.only?.includes(name) ?? true)
if (chosen.length < (values.only?.length ?? 1))
  throw new Error(`--only takes ${CALLS.map(({ name }) => name).join(', ')}`)

// Each server waits for the end of this process.
process.setMaxListeners(0)
const directory = mkdtempSync(join(tmpdir(), 'svc-mock-blocking-'))
const measured = []
try {
  for (const call of chosen) {
    for (const size of call.sizes === true ? sizes : [undefined]) {
      const result = { name: call.name, what: call.what, size, ...(await measure(call, size)) }
      measured.push(result)
      console.error(JSON.stringify({ ...result, what: undefined }))
    }
  }
} finally {
  rmSync(directory, { recursive: true })
}

const table = measured.map(({ what, size, reply, took, cpu, waits = {}, memory }) => ({
  'what is asked': what,
  workspaces: size?.toLocaleString('en-US') ?? '',
  reply,
  'it took, ms': rounded(took),
  'CPU time of the server, ms': rounded(cpu),
  'a read waited, ms': rounded(waits.read?.longest),
  'a write waited, ms': rounded(waits.create && Math.max(waits.create.longest, waits.user?.longest ?? 0)),
  'peak memory, MiB': rounded(memory)
}))
if (values.only === undefined) {
  const how =
    `The longest that a probe waited, one request each ${EVERY_MS} ms, while one call was made; of several ` +
    'calls, the longest is shown.'
  publish('blocking', { how, tables: [table], measured })
} else console.log(tableOf(table))

const late = measured.filter(({ waits = {} }) => Object.values(waits).some(({ longest }) => longest > limit))
for (const { name, size } of late) console.error(`${name} ${size ?? ''}: a probe waited for longer than ${limit} ms`)
process.exit(late.length > 0 ? 1 : 0)

/** Makes a call against its own server. */
async function measure({ prepare, act, args, kinds = ['read', 'create'] }, size) {
  const folder = mkdtempSync(join(directory, 'run-'))
  // A workspace creates a database, so each counts twice, and the timelines are long.
  const server = await startMock(
    folder,
    '--max-resources',
    '100000',
    '--timeline-entries',
    '100000',
    ...(args?.(size, folder) ?? [])
  )
  const mock = new Caller(server, timeout)
  let probe
  try {
    const prepared = await prepare?.(mock, size)
    probe = await startProbe(server.url, kinds)
    await sleep(WARM_UP_MS)
    await probe.report()
    forgetPeak(server.pid)
    const before = cpuOf(server.pid)
    await act(mock, size, prepared)
    const isThere = server.child.exitCode === null && server.child.signalCode === null
    const [cpu, memory] = isThere ? [(cpuOf(server.pid) - before) / 1000, peakOf(server.pid)] : []
    // Work that is left after the reply counts, too.
    if (mock.isWell) await mock.prepare('GET', '/_mock/ready', 'any')
    return { reply: mock.summary, took: mock.longest, cpu, memory, waits: await probe.report() }
  } catch (error) {
    return { reply: `not made: ${error.message ?? error}` }
  } finally {
    probe?.stop()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Starts a process that sends small requests with another key. */
async function startProbe(url, kinds) {
  const child = fork(new URL('probe.js', import.meta.url), [url, 'quiet', String(EVERY_MS), ...kinds])
  await once(child, 'message')
  return {
    /** Its measurements since the last report. */
    report: async () => {
      child.send('report')
      const [waits] = await once(child, 'message')
      return waits
    },
    stop: () => {
      child.kill('SIGKILL')
    }
  }
}

/** Resets the peak of a process's memory to its present use. */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The peak of a process's memory, in MiB. */
function peakOf(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

function rounded(number) {
  return number === undefined ? '' : Math.round(number)
}

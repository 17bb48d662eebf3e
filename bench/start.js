// Measures how long a start takes, and the size of the server and its package.
// Usage: npm run bench:start [-- --rounds 9]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { publish } from './report.js'
import { alternate, load, memoryOf, post, start, startMock } from './servers.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const rounds = Number(values.rounds)
const headers = { 'x-api-key': 'bench', 'content-type': 'application/json' }
const IDLE_MS = 2000
const LOAD_SECONDS = 5

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-start-'))
try {
  const path = await fill()
  const starts = [
    { what: 'bare Fastify: process start to first 200', begin: () => start(['bench/bare.js']), path: '/' },
    {
      what: 'svc-mock, 1,000 workspaces in its database, code kept by an earlier start: process start to first 200',
      begin: () => startMock(directory),
      path
    }
  ]
  const times = await alternate(starts, rounds, async ({ begin, path: target }) => {
    const before = performance.now()
    const server = await begin()
    const reply = await fetch(server.url + target, { headers })
    const ms = performance.now() - before
    if (!reply.ok) throw new Error(await reply.text())
    await server.stop()
    return { ms }
  })
  const inProcess = await alternate([null], rounds, () =>
    JSON.parse(execFileSync(process.execPath, ['bench/start-in-process.js'], { encoding: 'utf8' }))
  )

  const server = await startMock(directory)
  await fetch(server.url + path, { headers })
  await sleep(IDLE_MS)
  const idle = memoryOf(server.pid)
  await load(
    {
      url: `${server.url}/controller/v4/v2/workgroups`,
      pid: server.pid,
      method: 'POST',
      headers,
      body: '{"cloud_provider_id":"bench"}'
    },
    LOAD_SECONDS
  )
  await load({ url: server.url + path, pid: server.pid, headers }, LOAD_SECONDS)
  const loaded = memoryOf(server.pid)
  await server.stop()

  const [{ unpackedSize, entryCount }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
  )
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const runtime = Object.entries(packages).filter(([name, { dev }]) => name !== '' && dev !== true)
  const ms = (value) => `${Math.round(value)} ms`
  publish('start', {
    how: `Medians of ${rounds} rounds.`,
    tables: [
      [
        ...starts.map(({ what }, index) => ({ what, measured: ms(times[index].ms) })),
        { what: 'in a test: loading the package', measured: ms(inProcess[0].load) },
        { what: 'in a test: the first `startMock()`, to its first 200', measured: ms(inProcess[0].first) },
        { what: 'in a test: each further `startMock()`, to its first 200', measured: ms(inProcess[0].further) },
        { what: 'memory (RSS) idle, 1,000 workspaces', measured: `${Math.round(idle)} MiB` },
        {
          what: `memory (RSS) after ${LOAD_SECONDS} s of creates and ${LOAD_SECONDS} s of reads at full load`,
          measured: `${Math.round(loaded)} MiB`
        },
        { what: `the package, unpacked (${entryCount} files)`, measured: `${Math.round(unpackedSize / 1024)} KiB` },
        { what: 'runtime packages, direct and indirect', measured: `${runtime.length}` }
      ]
    ]
  })
} finally {
  rmSync(directory, { recursive: true })
}
process.exit()

/** Fills the database. @returns the path of one of its workspaces */
async function fill() {
  const server = await startMock(directory, '--transitions', 'instant')
  const { workgroup_id: group } = await post(`${server.url}/controller/v4/v2/workgroups`, headers, {
    cloud_provider_id: 'bench'
  })
  const path = `/controller/v4/v2/workgroups/${group}/workspaces`
  let last
  for (let made = 0; made < 1000; made++) last = await post(server.url + path, headers, {})
  await server.stop()
  return `${path}/${last.workspace_id}`
}

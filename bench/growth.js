// Measures whether requests cost more with more data: 10 to 100,000 workspaces in one sandbox, each with a pending
// event, and 1 to 10,000 sandboxes. Every size has its own server; they are loaded in alternation. Reads cycle through
// up to 1,000 workspaces, after the writes of each round have emptied the server's cache of replies.
// Usage: npm run bench:growth [-- --rounds 5 --seconds 2]
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { publish } from './report.js'
import { alternate, CONNECTIONS, load, memoryOf, post, startMock } from './servers.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const PREFIX = '/controller/v4/v2'
const PER_WORKGROUP = 1000
const READ_AT_MOST = 1000
const AT_ONCE = 100

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-growth-'))
try {
  const tables = []
  const measured = []
  for (const { what, sizes, fill } of [
    { what: 'workspaces in one sandbox', sizes: [10, 1000, 100_000], fill: fillOne },
    { what: 'sandboxes with one workspace', sizes: [1, 100, 10_000], fill: fillMany }
  ]) {
    const subjects = []
    for (const size of sizes) {
      const folder = join(directory, `${what}-${size}`)
      mkdirSync(folder)
      const server = await startMock(folder, '--max-sandboxes', '20000')
      const requests = await fill(server.url, size)
      subjects.push({ size, server, folder, memory: memoryOf(server.pid), requests })
    }
    const results = await alternate(subjects, rounds, async ({ server: { url, pid }, requests }, isWarmUp) => {
      const duration = isWarmUp ? 1 : seconds
      const write = await load({ url, pid, requests: requests.write }, duration)
      const read = await load({ url, pid, requests: requests.read }, duration)
      return { read: read.rate, write: write.rate, readCpu: read.cpu, writeCpu: write.cpu }
    })
    const [least] = results
    tables.push(
      subjects.map(({ size, memory, folder }, index) => ({
        [what]: size.toLocaleString('en-US'),
        'reads/s': Math.round(results[index].read),
        'cost of a read': `${(results[index].readCpu / least.readCpu).toFixed(2)} ×`,
        'creates/s': Math.round(results[index].write),
        'cost of a create': `${(results[index].writeCpu / least.writeCpu).toFixed(2)} ×`,
        'memory when filled, MiB': Math.round(memory),
        'database, MiB': (statSync(join(folder, 'bench.db')).size / 2 ** 20).toFixed(1)
      }))
    )
    measured.push(...subjects.map(({ size, memory }, index) => ({ what, size, memory, ...results[index] })))
    for (const { server } of subjects) await server.stop()
  }
  publish('growth', {
    how:
      `autocannon, ${CONNECTIONS} connections; medians of ${rounds} rounds of ${seconds} s, in alternation; ` +
      'the cost is CPU time of the server, against the smallest.',
    tables,
    measured
  })
} finally {
  rmSync(directory, { recursive: true })
}
process.exit()

function headersOf(key) {
  return { 'x-api-key': key, 'content-type': 'application/json' }
}

/** Keeps events from becoming due: otherwise, reads would pay for transitions that creates have begun. */
async function stopClock(url, headers) {
  const reply = await fetch(`${url}/_mock/clock`, { method: 'PUT', headers, body: JSON.stringify({ mode: 'frozen' }) })
  if (!reply.ok) throw new Error(await reply.text())
}

/** Fills one sandbox, in which every workspace is Creating. @returns the requests that read and write */
async function fillOne(url, size) {
  const headers = headersOf('growth')
  await stopClock(url, headers)
  const read = []
  for (let made = 0; made < size; made += PER_WORKGROUP) {
    const { workgroup_id: id } = await post(`${url}${PREFIX}/workgroups`, headers, { cloud_provider_id: 'bench' })
    const path = `${PREFIX}/workgroups/${id}/workspaces`
    for (let batch = 0; batch < Math.min(size, PER_WORKGROUP); batch += AT_ONCE) {
      const workspaces = await Promise.all(
        Array.from({ length: Math.min(size, AT_ONCE) }, () => post(`${url}${path}`, headers, {}))
      )
      for (const { workspace_id: workspace } of workspaces)
        read.push({ method: 'GET', path: `${path}/${workspace}`, headers })
    }
    if (made % 10_000 === 0) console.error(`${made} of ${size} workspaces`)
  }
  const { workgroup_id: id } = await post(`${url}${PREFIX}/workgroups`, headers, { cloud_provider_id: 'bench' })
  const write = [{ method: 'POST', path: `${PREFIX}/workgroups/${id}/workspaces`, headers, body: '{}' }]
  return { read: evenly(read), write }
}

/** Fills many sandboxes with a workspace each. @returns requests that read and write, in some of them */
async function fillMany(url, size) {
  const read = []
  const write = []
  for (let made = 0; made < size; made += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(size - made, AT_ONCE) }, async (_, index) => {
        const headers = headersOf(`growth-${made + index}`)
        await stopClock(url, headers)
        const { workgroup_id: id } = await post(`${url}${PREFIX}/workgroups`, headers, { cloud_provider_id: 'bench' })
        const path = `${PREFIX}/workgroups/${id}/workspaces`
        const { workspace_id: workspace } = await post(`${url}${path}`, headers, {})
        read.push({ method: 'GET', path: `${path}/${workspace}`, headers })
        write.push({ method: 'POST', path, headers, body: '{}' })
      })
    )
  }
  return { read: evenly(read), write: evenly(write) }
}

/** An even sample of requests, as large as the maximum. */
function evenly(requests) {
  const step = Math.max(1, requests.length / READ_AT_MOST)
  return Array.from(
    { length: Math.min(requests.length, READ_AT_MOST) },
    (_, index) => requests[Math.floor(index * step)]
  )
}

// Measures whether reading one workspace costs more when there are many. The reads go round 1,000 workspaces, and a write
// now and then empties what the server keeps of its replies. Usage: npm run bench:growth [-- --rounds 5 --seconds 3]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { median, post, startMock } from './servers.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } } })
const SIZES = [100, 100_000]
const PER_WORKGROUP = 1000

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-growth-'))
const mock = await startMock(directory, '--transitions', 'instant')
const prefix = `${mock.url}/controller/v4/v2`
try {
  const subjects = []
  for (const size of SIZES) subjects.push({ size, ...(await fill(size)) })
  const results = new Map(SIZES.map((size) => [size, []]))
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { size, headers, requests } of subjects) {
      const result = await autocannon({ url: prefix, connections: 32, duration: round === 0 ? 1 : Number(values.seconds), headers, requests })
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
      // Round 0 warms up.
      if (round > 0) results.get(size).push(result.requests.average)
    }
  }
  const [few, many] = SIZES.map((size) => median(results.get(size)))
  console.log(`GET one workspace among ${SIZES[0]}: ${Math.round(few)}/s, among ${SIZES[1]}: ${Math.round(many)}/s, cost ${(few / many).toFixed(2)} times`)
} finally {
  mock.stop()
  rmSync(directory, { recursive: true })
}

/** Makes a sandbox with workspaces, and requests that read some of them. */
async function fill(size) {
  const headers = { 'x-api-key': `growth-${size}`, 'content-type': 'application/json' }
  const requests = []
  for (let made = 0; made < size; made += PER_WORKGROUP) {
    const { workgroup_id: id } = await post(`${prefix}/workgroups`, headers, { cloud_provider_id: 'bench' })
    const path = `/controller/v4/v2/workgroups/${id}`
    for (let batch = 0; batch < Math.min(size, PER_WORKGROUP); batch += 100) {
      const workspaces = await Promise.all(Array.from({ length: 100 }, () => post(`${mock.url}${path}/workspaces`, headers, {})))
      // As many from everywhere: 1,000 in all, or 100 ten times.
      for (const { workspace_id: workspace } of workspaces.slice(0, size === SIZES[0] ? 100 : 1)) requests.push({ path: `${path}/workspaces/${workspace}` })
    }
    if (made % 10_000 === 0) console.error(`${made} of ${size} workspaces`)
  }
  const { workgroup_id: other } = await post(`${prefix}/workgroups`, headers, { cloud_provider_id: 'bench' })
  const write = { method: 'PUT', path: `/controller/v4/v2/workgroups/${other}`, body: '{}' }
  return { headers, requests: requests.flatMap((request, index) => (index % 10 === 0 ? [write, request] : [request])) }
}

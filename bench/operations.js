// Measures operations against a bare Fastify route, in alternation within one run, so that the ratios mean something on a
// noisy machine. Usage: npm run bench [-- --rounds 5 --seconds 3 --connections 32]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { median, post, start, startMock } from './servers.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' }, connections: { type: 'string', default: '32' } }
})
const rounds = Number(values.rounds)
const duration = Number(values.seconds)
const connections = Number(values.connections)

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-bench-'))
const servers = [
  await start(['bench/bare.js']),
  await startMock(directory)
]
const [bare, mock] = servers.map(({ url }) => url)
const prefix = `${mock}/controller/v4/v2`
const headers = { 'x-api-key': 'bench', 'content-type': 'application/json' }

try {
  const group = { cloud_provider_id: 'bench' }
  const body = JSON.stringify(group)
  const workgroup = await post(`${prefix}/workgroups`, headers, group)
  // Another one holds the workspaces, for a workgroup shows all that it has.
  const holder = await post(`${prefix}/workgroups`, headers, group)
  const workspace = await post(`${prefix}/workgroups/${holder.workgroup_id}/workspaces`, headers, {})
  const subjects = [
    { name: 'bare Fastify route', url: bare },
    { name: 'GET one workgroup', url: `${prefix}/workgroups/${workgroup.workgroup_id}`, headers },
    { name: 'GET one workspace', url: `${prefix}/workgroups/${holder.workgroup_id}/workspaces/${workspace.workspace_id}`, headers },
    { name: 'POST a workgroup', url: `${prefix}/workgroups`, method: 'POST', headers, body },
    { name: 'POST a workspace', url: `${prefix}/workgroups/${holder.workgroup_id}/workspaces`, method: 'POST', headers, body: '{}' }
  ]
  const results = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, ...subject } of subjects) {
      const result = await autocannon({ ...subject, connections, duration: round === 0 ? 1 : duration })
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
      // Round 0 warms up.
      if (round > 0) results.get(name).push(result.requests.average)
    }
    console.error(`round ${round} of ${rounds}${round === 0 ? ' (warm-up)' : ''}`)
  }
  report(results)
} finally {
  for (const server of servers) server.stop()
  rmSync(directory, { recursive: true })
}

function report(results) {
  const reference = median(results.get('bare Fastify route'))
  console.log(`${connections} connections, median of ${rounds} rounds of ${duration} s, Node ${process.version}\n`)
  console.log('| operation | requests/s | of the bare route |\n| --- | ---: | ---: |')
  for (const [name, rates] of results) {
    console.log(`| ${name} | ${Math.round(median(rates))} | ${(median(rates) / reference).toFixed(2)} |`)
  }
}

// Measures how much of a request's time each part of the server takes. Usage: npm run bench:profile [-- --seconds 5]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { publish } from './report.js'
import { CONNECTIONS, load, NO_LIMIT, post, start } from './servers.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const seconds = Number(values.seconds)
const WARM_UP_SECONDS = 3
const headers = { 'x-api-key': 'bench', 'content-type': 'application/json' }
const maps = new Map()

const OPERATIONS = {
  'a path that does not exist': ({ url }) => ({ url: `${url}/nowhere` }),
  'read one workspace (17)': ({ workspaces, workspace }) => ({ url: `${workspaces}/${workspace}` }),
  'create a workgroup (1)': ({ workgroups }) => ({
    url: workgroups,
    method: 'POST',
    body: JSON.stringify({ cloud_provider_id: 'bench' })
  }),
  'create a workspace (16)': ({ workspaces }) => ({ url: workspaces, method: 'POST', body: '{}' })
}

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-profile-'))
try {
  const measured = []
  for (const [operation, requestOf] of Object.entries(OPERATIONS)) {
    console.error(operation)
    measured.push(await measure(operation, requestOf, join(directory, String(measured.length))))
  }
  const parts = [...new Set(measured.flatMap(({ shares }) => Object.keys(shares)))]
  const most = (part) => Math.max(...measured.map(({ shares }) => shares[part] ?? 0))
  const table = parts
    .filter((part) => most(part) >= 0.01)
    .sort((a, b) => most(b) - most(a))
    .map((part) => ({
      part,
      ...Object.fromEntries(
        measured.map(({ operation, cpu, shares }) => [operation, `${((shares[part] ?? 0) * cpu).toFixed(1)} µs`])
      )
    }))
  publish('profile', {
    how:
      `CPU time of a request by part, sampled under the load of ${CONNECTIONS} connections for ${seconds} s. SQLite ` +
      'is with the disk. What the profiler costs is included; parts under 1 % are left out.',
    tables: [table],
    measured
  })
} finally {
  rmSync(directory, { recursive: true })
}
process.exit()

/** Loads a new server with one operation. */
async function measure(operation, requestOf, folder) {
  mkdirSync(folder)
  const file = join(folder, 'profile.json')
  const options = ['--port', '0', '--log-level', 'warn', '--db', join(folder, 'bench.db'), ...NO_LIMIT]
  const serve = ['dist/cli/main.js', 'serve', ...options]
  const server = await start(['--import', './bench/profiler.js', ...serve], { env: { ...process.env, PROFILE: file } })
  const workgroups = `${server.url}/controller/v4/v2/workgroups`
  const { workgroup_id: group } = await post(workgroups, headers, { cloud_provider_id: 'bench' })
  const workspaces = `${workgroups}/${group}/workspaces`
  const { workspace_id: workspace } = await post(workspaces, headers, {})
  const request = { pid: server.pid, headers, ...requestOf({ url: server.url, workgroups, workspaces, workspace }) }
  const isRefused = operation.startsWith('a path')
  await load(request, WARM_UP_SECONDS, isRefused)
  server.child.kill('SIGUSR2')
  const { rate, cpu } = await load(request, seconds, isRefused)
  server.child.kill('SIGUSR2')
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('}')) await sleep(100)
  const shares = sharesOf(JSON.parse(readFileSync(file, 'utf8')))
  await server.stop()
  return { operation, rate, cpu, shares }
}

/** The share of each part in the busy time of the process. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node
  const times = new Map()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id)
    node.time = (node.time ?? 0) + (timeDeltas[index + 1] ?? 0)
  }
  for (const node of nodes) {
    if (node.time === undefined || node.callFrame.functionName === '(idle)') continue
    busy += node.time
    for (const [part, share] of partsOf(node)) times.set(part, (times.get(part) ?? 0) + share * node.time)
  }
  return Object.fromEntries([...times].map(([part, time]) => [part, time / busy]))
}

/** The parts that a function's own time belongs to, with their shares. */
function partsOf(node) {
  const { functionName, url } = node.callFrame
  if (functionName === '(garbage collector)') return [['garbage collection', 1]]
  if (functionName === '(program)' || functionName === '(root)') return [['Node: outside of JavaScript', 1]]
  // Functions built into the engine count for their callers.
  if (url === '') return node.parent === undefined ? [['Node: outside of JavaScript', 1]] : partsOf(node.parent)
  if (url.startsWith('node:')) return [['Node: HTTP, sockets, promises', 1]]
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (name !== undefined) return [[['better-sqlite3', 'pino'].includes(name) ? name : 'Fastify and its packages', 1]]
  const ticks = node.positionTicks ?? []
  const all = ticks.reduce((sum, tick) => sum + tick.ticks, 0)
  return ticks.map(({ line, ticks: some }) => [ownPartOf(url, line), some / all])
}

/** The part of a line of the server: its folder below src/, or SQLite if it runs a statement. */
function ownPartOf(url, line) {
  if (!url.startsWith('file:')) return 'Node: outside of JavaScript'
  const path = new URL(url)
  if (!existsSync(new URL(`${path.href}.map`))) return 'svc-mock'
  if (!maps.has(url))
    maps.set(url, {
      map: new SourceMap(JSON.parse(readFileSync(new URL(`${path.href}.map`), 'utf8'))),
      lines: readFileSync(path, 'utf8').split('\n')
    })
  const { map, lines } = maps.get(url)
  const text = lines[line - 1] ?? ''
  if (/\.(?:run|get|all|iterate|exec)\(/.test(text) && /#|statement|sqlite/.test(text)) return 'SQLite'
  const entry = map.findEntry(line - 1, text.search(/\S/))
  const [, room] = /src\/([^/]+)\//.exec(entry?.originalSource ?? '') ?? []
  return `svc-mock: ${room ?? 'src'}/`
}

// Counts the source files that a request runs through, by V8's precise coverage of the unbundled sources, and the stack
// frames in them when its row is saved. Usage: npm run bench:walk [-- --list]
import { Session } from 'node:inspector/promises'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'

const { list } = parseArgs({ options: { list: { type: 'boolean', default: false } } }).values
const SOURCES = new URL('../src/', import.meta.url).href
const WARM_UP = 50
const { startMock } = await import(`${SOURCES}node/index.ts`)

// The stack of each statement that changes a workspace.
let stacks = []
Error.stackTraceLimit = Infinity
const { prepare } = Sqlite.prototype
Sqlite.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (!/^\s*UPDATE "?workspaces\b/.test(sql)) return statement
  const { run } = statement
  statement.run = (...values) => {
    stacks.push(new Error(sql).stack.split('\n').filter((line) => line.includes(SOURCES)))
    return run.apply(statement, values)
  }
  return statement
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
const mock = await startMock({ transitions: 'instant' })
const { headers } = mock.sandbox()
const groups = `${mock.url}/controller/v4/v2/workgroups`
const group = await call('POST', groups, { cloud_provider_id: 'account' })
const workspaces = `${groups}/${group.workgroup_id}/workspaces`
const { workspace_id: id } = await call('POST', workspaces, {})
const workspace = `${workspaces}/${id}`
const [pause, resume, read] = [
  () => call('POST', `${workspace}/pause`),
  () => call('POST', `${workspace}/resume`),
  () => call('GET', workspace)
]
for (let i = 0; i < WARM_UP; i++) for (const request of [pause, resume, read]) await request()

for (const [name, request] of Object.entries({ pause, read })) {
  // Work left by the previous request, such as freeing pages of the file, must not count.
  await setTimeout(100)
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  stacks = []
  await request()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const ran = result
    .filter(({ url }) => url.startsWith(SOURCES))
    .map(({ url, functions }) => ({
      file: url.slice(SOURCES.length),
      functions: functions.filter(({ ranges: [{ count }] }) => count > 0).length
    }))
    .filter(({ functions }) => functions > 0)
  const count = ran.reduce((sum, { functions }) => sum + functions, 0)
  const depth = stacks.length === 0 ? '' : `; frames when its row is saved: ${stacks[0].length}`
  console.log(`${name}: ${ran.length} files, ${count} functions${depth}`)
  if (!list) continue
  for (const { file, functions } of ran) console.log(`  ${file} (${functions})`)
  for (const line of stacks[0] ?? []) console.log(line.replace(SOURCES, ''))
}
await mock.close()

async function call(method, url, body) {
  const reply = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  return JSON.parse(text).Result
}

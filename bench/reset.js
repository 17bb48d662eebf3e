// Measures how long a reset takes: of the demo seed, and of a sandbox with many workspaces. The database is a file, so
// a reset waits for the disk as it does in use. Usage: npm run bench:reset [-- --rounds 200 --workspaces 10000]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMock } from '../dist/index.js'
import { median } from './servers.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, workspaces: { type: 'string', default: '10000' } }
})
const rounds = Number(values.rounds)
const count = Number(values.workspaces)

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-reset-'))
const mock = await startMock({
  db: join(directory, 'bench.db'),
  seedFile: 'examples/seed.yaml',
  maxResources: 10 * count + 1000
})
try {
  console.log(`Median of resets over HTTP, Node ${process.version}\n`)
  console.log('| baseline | resets | ms | slowest |\n| --- | ---: | ---: | ---: |')
  report('examples/seed.yaml', await measure('demo', rounds))
  const workspaces = Array.from({ length: count }, (_, index) => ({ id: `w-${index}` }))
  await call('PUT', '/_mock/seed', 'many', { workgroups: [{ workspaces }] })
  report(`${count} workspaces`, await measure('many', Math.max(3, Math.ceil(rounds / 20))))
} finally {
  await mock.close()
  rmSync(directory, { recursive: true })
}

/** Resets a sandbox again and again, each time after something has changed. @returns what each reset took, in ms */
async function measure(key, times) {
  const taken = []
  // The first few warm up.
  for (let round = -5; round < times; round++) {
    await call('POST', '/controller/v4/v2/workgroups', key, { cloud_provider_id: 'bench' })
    const start = performance.now()
    await call('POST', '/_mock/reset', key, {})
    if (round >= 0) taken.push(performance.now() - start)
  }
  return taken
}

async function call(method, path, key, body) {
  const reply = await fetch(`${mock.url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${text}`)
}

function report(name, taken) {
  console.log(`| ${name} | ${taken.length} | ${median(taken).toFixed(1)} | ${Math.max(...taken).toFixed(1)} |`)
}

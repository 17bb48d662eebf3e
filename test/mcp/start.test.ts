import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startServer } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { httpAgent } from './client.js'

const CHUNKS = fileURLToPath(new URL('../../dist/cjs/', import.meta.url))

/** The chunks with the protocol. */
const PROTOCOL = readdirSync(CHUNKS).filter(
  (name) => name.endsWith('.cjs') && readFileSync(join(CHUNKS, name), 'utf8').includes('notifications/initialized')
)

/** The chunks that a server has loaded, by V8's coverage. */
function loadedBy(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url.split('/dist/cjs/')[1] ?? '').filter((chunk) => chunk !== '')
  })
}

void t.test('a server loads the protocol only with the first request for it', async (t) => {
  t.not(PROTOCOL.length, 0)
  for (const isUsed of [false, true]) {
    const folder = temporaryFolder(t)
    const server = await startServer(t, ['--db', ':memory:'], { NODE_V8_COVERAGE: folder })
    await fetch(`${server.url}/controller/v4/v2/workgroups`, { headers: { 'x-api-key': 'a' } })
    if (isUsed) {
      const { client } = await httpAgent(t, server.url, { 'x-api-key': 'a' })
      await client.close()
    }
    server.child.kill('SIGTERM')
    await server.exited
    const loaded = loadedBy(folder)
    t.ok(loaded.length > 0, 'files are found')
    t.equal(
      PROTOCOL.some((name) => loaded.includes(name)),
      isUsed
    )
  }
})

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MAIN } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { lacking, ROOT, run } from './tools.js'

const skip = lacking({ go: 'golang-go', gofmt: 'golang-go' })

void t.test('the client for Go, and the acceptance test that uses it', { skip, timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  for (const folder of ['clients/go', 'examples/go'])
    cpSync(join(ROOT, folder), join(work, folder), { recursive: true })
  const env = {
    SVC_MOCK_COMMAND: `${process.execPath} ${MAIN}`,
    GOCACHE: join(work, 'cache'),
    GOPATH: join(work, 'path'),
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off'
  }
  t.equal(await run('gofmt', ['-l', work]), '', 'they are laid out as Go wants it')
  const go = (folder: string, ...args: string[]) => run('go', args, { cwd: join(work, folder), env, minutes: 5 })
  await go('clients/go', 'vet', './...')
  t.match(await go('examples/go', 'test', '-v', './...'), /(?:--- PASS[^]*){3}\nok /)
})

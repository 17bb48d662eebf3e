import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { startMock } from '../src/node/index.js'
import { openRecording } from '../src/recording/recording.js'
import { lacksPytest, pytest } from './clients/python.js'
import { read } from './doc-parts.js'
import { lacks } from './programs.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Links svc-mock into a project, as `npm install` would. */
function install(project: string): void {
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(ROOT, join(project, 'node_modules/svc-mock'))
}

const nodeTest = async (cwd: string, ...files: readonly string[]) =>
  (await run(process.execPath, ['--test', '--test-reporter=tap', ...files], { cwd })).stdout

for (const [document, type, suffix] of [
  // As `npm init` makes it.
  ['README.md', 'commonjs', '.test.mjs'],
  ['docs/node.md', 'module', '.test.js']
] as const) {
  void t.test(`the example of ${document} runs in a project of its own`, async (t) => {
    const project = t.testdir({ 'package.json': JSON.stringify({ type, private: true }) })
    install(project)
    // The blocks of code that begin with a file name.
    const blocks = [...read(document).matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)]
    for (const [, name, code] of blocks) {
      mkdirSync(dirname(join(project, name!)), { recursive: true })
      writeFileSync(join(project, name!), code!)
    }
    const file = blocks.map(([, name]) => name!).find((name) => name.endsWith(suffix))
    t.ok(file, `there is an example ${suffix}`)
    t.match(await nodeTest(project, file!), /^# pass [1-9][^]*^# fail 0$/m)
  })
}

void t.test('examples/node-test', async (t) => {
  const project = join(t.testdir(), 'node-test')
  cpSync(join(ROOT, 'examples/node-test'), project, { recursive: true })
  install(project)
  t.match(await nodeTest(project), /^# pass 2$[^]*^# fail 0$/m)
})

void t.test('examples/python', { skip: lacks('python3') }, async (t) => {
  await using mock = await startMock()
  const { stderr } = await run('python3', ['-m', 'unittest', 'discover', join(ROOT, 'examples/python')], {
    env: { ...process.env, MOCK_URL: `${mock.url}/` }
  })
  t.match(stderr, /Ran 3 tests.*OK/s)
})

void t.test('examples/pytest', { skip: lacksPytest }, async (t) => {
  await using mock = await startMock()
  const directory = t.testdir({ recordings: {}, project: {} })
  const [recordings, project] = [join(directory, 'recordings'), join(directory, 'project')]
  const env = { MOCK_URL: `${mock.url}/`, RECORDINGS: recordings }
  t.match((await pytest(join(ROOT, 'examples/pytest'), env)).output, /1 passed/)
  t.strictSame(readdirSync(recordings), [])

  cpSync(join(ROOT, 'examples/pytest/conftest.py'), join(project, 'conftest.py'))
  writeFileSync(join(project, 'test_wrong.py'), 'def test_that_fails(box):\n    box.send("GET", "/none")\n')
  t.match((await pytest(project, env)).output, /1 failed/)
  t.strictSame(readdirSync(recordings), ['test_wrong.py-test_that_fails.svcmock'])
  const { manifest } = await openRecording(join(recordings, 'test_wrong.py-test_that_fails.svcmock'))
  t.equal(manifest.svcmock, 1)
})

void t.test('examples/foreign, a client without knowledge of svc-mock', async (t) => {
  await using mock = await startMock({ profile: join(ROOT, 'examples/foreign/instances.yaml') })
  const box = mock.sandbox('foreign')
  await box.clock.set({ mode: 'poll' })
  const { stdout } = await run(process.execPath, [join(ROOT, 'examples/foreign/client.mjs')], {
    env: { ...process.env, API_URL: mock.url, API_TOKEN: box.key }
  })
  const { created_at: created, refusal, ...seen } = JSON.parse(stdout) as Record<string, unknown>
  t.ok(Number.isInteger(created))
  t.match(refusal, /^404 Not-Found: There is no workspace /)
  t.strictSame(seen, { snapshots: [], projects: ['example'] })
})

void t.test('examples/curl.sh', { skip: lacks('curl') }, async (t) => {
  await using mock = await startMock()
  const { stdout } = await run('sh', [join(ROOT, 'examples/curl.sh')], {
    env: { ...process.env, MOCK_URL: `${mock.url}/` }
  })
  t.equal(stdout.match(/^ok: /gm)?.length, 6)
})

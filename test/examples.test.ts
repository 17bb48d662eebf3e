import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startMock } from '../src/node/index.js'
import { openRecording } from '../src/recording/recording.js'
import { lacks } from './programs.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** A copy of an example, with the packages at these paths beside svc-mock, as `npm install` would give it. */
function install(t: Test, example: string, packages: readonly string[]): string {
  const project = join(t.testdir(), example)
  cpSync(join(ROOT, 'examples', example), project, { recursive: true })
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(ROOT, join(project, 'node_modules/svc-mock'))
  for (const path of packages) symlinkSync(join(ROOT, path), join(project, 'node_modules', basename(path)))
  return project
}

void t.test('examples/node-test', async (t) => {
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: install(t, 'node-test', [])
  })
  t.match(stdout, /^# pass 2$/m)
  t.match(stdout, /^# fail 0$/m)
})

void t.test('examples/vitest', async (t) => {
  const { stdout } = await run(join(ROOT, 'test/node_modules/.bin/vitest'), ['run'], {
    cwd: install(t, 'vitest', ['test/node_modules/vitest'])
  })
  t.match(stdout, /2 passed/)
})

void t.test('examples/python', { skip: lacks('python3') }, async (t) => {
  await using mock = await startMock()
  const { stderr } = await run('python3', ['-m', 'unittest', 'discover', join(ROOT, 'examples/python')], {
    env: { ...process.env, MOCK_URL: mock.url }
  })
  t.match(stderr, /Ran 3 tests.*OK/s)
})

void t.test('examples/pytest', { skip: lacks('pytest') }, async (t) => {
  await using mock = await startMock()
  const directory = t.testdir({ recordings: {}, project: {} })
  const [recordings, project] = [join(directory, 'recordings'), join(directory, 'project')]
  const env = { ...process.env, MOCK_URL: mock.url, RECORDINGS: recordings, PYTHONDONTWRITEBYTECODE: '1' }
  const pytest = (folder: string) =>
    new Promise<string>((resolve) => {
      execFile('pytest', ['-p', 'no:cacheprovider', '--rootdir', folder, folder], { env }, (_error, stdout) =>
        resolve(stdout)
      )
    })
  t.match(await pytest(join(ROOT, 'examples/pytest')), /1 passed/)
  t.strictSame(readdirSync(recordings), [])

  cpSync(join(ROOT, 'examples/pytest/conftest.py'), join(project, 'conftest.py'))
  writeFileSync(join(project, 'test_wrong.py'), 'def test_that_fails(box):\n    box.send("GET", "/none")\n')
  t.match(await pytest(project), /1 failed/)
  t.strictSame(readdirSync(recordings), ['test_wrong.py-test_that_fails.svcmock'])
  const { manifest } = await openRecording(join(recordings, 'test_wrong.py-test_that_fails.svcmock'))
  t.equal(manifest.svcmock, 1)
})

void t.test('examples/foreign, a client that knows nothing of svc-mock', async (t) => {
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
  const { stdout } = await run('sh', [join(ROOT, 'examples/curl.sh')], { env: { ...process.env, MOCK_URL: mock.url } })
  t.equal(stdout.match(/^ok: /gm)?.length, 6)
})

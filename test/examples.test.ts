import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startMock } from '../src/index.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Without what the test runner of this project tells its own children. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(_?TAP|NODE_OPTIONS|NODE_TEST)/.test(name))
)

/** A copy of an example, with the packages that `npm install` would give it. */
function install(t: Test, example: string, packages: readonly string[]): string {
  const project = join(t.testdir(), example)
  cpSync(join(ROOT, 'examples', example), project, { recursive: true })
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(ROOT, join(project, 'node_modules/svc-mock'))
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  return project
}

/** Why an example cannot run here, if a program that it needs is not there. */
const lacks = (program: string) =>
  spawnSync(program, ['--version']).error === undefined ? false : `there is no ${program} here`

void t.test('examples/node-test', async (t) => {
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: install(t, 'node-test', []),
    env: environment
  })
  t.match(stdout, /^# pass 2$/m)
  t.match(stdout, /^# fail 0$/m)
})

void t.test('examples/vitest', async (t) => {
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/vitest'), ['run'], {
    cwd: install(t, 'vitest', ['vitest']),
    env: environment
  })
  t.match(stdout, /2 passed/)
})

void t.test('examples/python', { skip: lacks('python3') }, async (t) => {
  await using mock = await startMock()
  const { stderr } = await run('python3', ['-m', 'unittest', 'discover', join(ROOT, 'examples/python')], {
    env: { ...environment, MOCK_URL: mock.url }
  })
  t.match(stderr, /Ran 3 tests.*OK/s)
})

void t.test('examples/curl.sh', { skip: lacks('curl') }, async (t) => {
  await using mock = await startMock()
  const { stdout } = await run('sh', [join(ROOT, 'examples/curl.sh')], { env: { ...environment, MOCK_URL: mock.url } })
  t.equal(stdout.match(/^ok: /gm)?.length, 6)
})

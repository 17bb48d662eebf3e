import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { readWhole } from './recordings.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Three tests: one passes, and two fail, the last of them after it has removed its sandbox or stopped the server. */
const tests = (test: string, box: string) => `
  ${test}('passes', async (t) => {
    ${box}
  })
  ${test}('fails / at a line', async (t) => {
    ${box}
    throw new Error('wrong')
  })
  ${test}('fails alone', async (t) => {
    const mock = await startMock()
    const box = mock.sandbox()
    await box.record('on-failure', t)
    await box.call('createWorkgroup', { body: { name: 'a', cloud_provider_id: 'aws' } })
    await mock.close()
    throw new Error('wrong')
  })`

const BOX = `
    const box = mock.sandbox()
    await box.record('on-failure', t)
    await box.call('createWorkgroup', { body: { name: 'a', cloud_provider_id: 'aws' } })
    await box.remove()`

const BEGIN = `
  import { startMock } from 'svc-mock'
  const mock = await startMock()`

/** Runs a file of tests in a project of its own, which must fail. @returns the recordings that it leaves */
async function recordingsOf(t: Test, command: readonly string[], name: string, code: string): Promise<string[]> {
  const project = t.testdir({ 'package.json': '{"type":"module"}' })
  mkdirSync(join(project, 'node_modules'))
  for (const [from, to] of [
    [ROOT, 'svc-mock'],
    [join(ROOT, 'node_modules/tap'), 'tap'],
    [join(ROOT, 'test/node_modules/vitest'), 'vitest']
  ] as const)
    symlinkSync(from, join(project, 'node_modules', to))
  writeFileSync(join(project, name), code)
  const [program, ...args] = [...command, name]
  const code_ = await new Promise((resolve) => {
    execFile(program, args, { cwd: project }, (error) => resolve(error?.code ?? 0))
  })
  t.equal(code_, 1)
  const directory = join(project, 'recordings')
  const files = readdirSync(directory).sort()
  for (const file of files) {
    const { steps } = await readWhole(join(directory, file))
    t.ok(
      steps.some((step) => step.kind === 'request' && step.operation === 'createWorkgroup'),
      file
    )
  }
  return files
}

const EXPECTED = ['fails-alone.svcmock', 'fails-at-a-line.svcmock']

void t.test('node:test: a test that fails leaves its recording', async (t) => {
  const code = `
    import test from 'node:test'
    ${BEGIN}
    test.after(() => mock.close())
    ${tests('test', BOX)}`
  t.strictSame(await recordingsOf(t, [process.execPath, '--test'], 'a.test.js', code), EXPECTED)
})

void t.test('tap: a test that fails leaves its recording', async (t) => {
  const code = `
    import t from 'tap'
    ${BEGIN}
    t.teardown(() => mock.close())
    ${tests('t.test', BOX)}`
  t.strictSame(await recordingsOf(t, [process.execPath], 'a.tap.js', code), [
    'a.tap.js-fails-alone.svcmock',
    'a.tap.js-fails-at-a-line.svcmock'
  ])
})

void t.test('Vitest: a test that fails leaves its recording', async (t) => {
  const code = `
    import { afterAll, test } from 'vitest'
    ${BEGIN}
    afterAll(() => mock.close())
    ${tests('test', BOX)}`
  const vitest = join(ROOT, 'test/node_modules/.bin/vitest')
  t.strictSame(await recordingsOf(t, [vitest, 'run'], 'a.test.js', code), EXPECTED)
})

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { failingTests } from './failing-tests.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a file of tests, which must fail, in its own project. @returns the recordings that it leaves */
async function recordingsOf(t: Test, command: readonly string[], name: string, code: string): Promise<string[]> {
  const project = t.testdir({ 'package.json': '{"type":"module"}' })
  mkdirSync(join(project, 'node_modules'))
  for (const [from, to] of [
    [ROOT, 'svc-mock'],
    [join(ROOT, 'node_modules/tap'), 'tap']
  ] as const)
    symlinkSync(from, join(project, 'node_modules', to))
  writeFileSync(join(project, name), code)
  const [program, ...args] = [...command, name]
  const exitCode = await new Promise((resolve) =>
    execFile(program, args, { cwd: project }, (error) => resolve(error?.code ?? 0))
  )
  t.equal(exitCode, 1)
  return readdirSync(join(project, 'recordings')).sort()
}

for (const { runner, command, name, imports, call, atEnd, prefix = '' } of [
  {
    runner: 'node:test',
    command: [process.execPath, '--test'],
    name: 'a.test.js',
    imports: "import test from 'node:test'",
    call: 'test',
    atEnd: 'test.after'
  },
  {
    runner: 'tap',
    command: [process.execPath],
    name: 'a.tap.js',
    imports: "import t from 'tap'",
    call: 't.test',
    atEnd: 't.teardown',
    prefix: 'a.tap.js-'
  }
])
  void t.test(`${runner}: a test that fails leaves its recording`, async (t) => {
    t.strictSame(await recordingsOf(t, command, name, failingTests(imports, call, atEnd)), [
      `${prefix}fails-alone.svcmock`,
      `${prefix}fails-at-a-line.svcmock`
    ])
  })

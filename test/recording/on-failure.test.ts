import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startMock } from '../../src/index.js'
import type { TestContext } from '../../src/test-control/handle/handle.js'

/** A test that has failed when it ends. */
function failing(name: string) {
  let end: (() => Promise<void>) | undefined
  const test = {
    name,
    passed: false,
    after: (act: () => Promise<void>) => {
      end = act
    },
    diagnostic: () => undefined
  }
  return { test, end: () => end!() }
}

void t.test('files of other tests stay, and any name is one of a file', async (t) => {
  await using mock = await startMock()
  const directory = join(t.testdir(), 'new', 'one')
  for (const name of ['../a: "b"', '../a: "b"', 'ä'.repeat(500), '']) {
    const { test, end } = failing(name)
    await mock.sandbox().record('on-failure', test, directory)
    await end()
  }
  t.strictSame(readdirSync(directory).sort(), [
    'a-b-2.svcmock',
    'a-b.svcmock',
    'test.svcmock',
    `${'ä'.repeat(120)}.svcmock`
  ])
})

void t.test('a directory that cannot be written fails the end of the test', async (t) => {
  await using mock = await startMock()
  const directory = join(t.testdir({ file: '' }), 'file')
  const { test, end } = failing('a')
  await mock.sandbox().record('on-failure', test, directory)
  await t.rejects(end(), { message: new RegExp(`^the recording of a test that failed: ${directory} `) })
})

void t.test('what is no test, and a server without a journal, is refused at once', async (t) => {
  await using mock = await startMock()
  await using silent = await startMock({ journalRequests: 0 })
  const { test } = failing('a')
  const box = mock.sandbox()
  for (const wrong of [undefined, null, {}, 'a', 1, () => undefined])
    await t.rejects(box.record('on-failure', wrong as TestContext), { name: 'TypeError' })
  await t.rejects(box.record('always' as 'on-failure', test), { name: 'TypeError' })
  await t.rejects(box.record('on-failure', test, ''), { name: 'TypeError' })
  await t.rejects(silent.sandbox().record('on-failure', test), { name: 'ServiceError' })
})

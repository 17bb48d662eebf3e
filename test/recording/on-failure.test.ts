import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { recordOnFailure } from '../../src/recording/on-failure.js'
import type { TestContext } from '../../src/test-control/handle/handle.js'

/** A failed test, with its end. */
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

void t.test('existing files stay, and any test name makes a file name', async (t) => {
  await using mock = await startMock()
  const directory = join(t.testdir(), 'new', 'one')
  for (const name of ['../a: "b"', '../a: "b"', 'ä'.repeat(500), '表'.repeat(500), `a${'𠀀'.repeat(500)}`, '']) {
    const { test, end } = failing(name)
    await mock.sandbox().record('on-failure', test, directory)
    await end()
  }
  t.strictSame(readdirSync(directory).sort(), [
    'a-b-2.svcmock',
    'a-b.svcmock',
    `a${'𠀀'.repeat(49)}.svcmock`,
    'test.svcmock',
    `${'ä'.repeat(100)}.svcmock`,
    // A file system counts bytes.
    `${'表'.repeat(66)}.svcmock`
  ])
})

void t.test('a test of any runner names its recording, and reports its path', async (t) => {
  const directory = t.testdir()
  const said: string[] = []
  const ends: (() => Promise<void>)[] = []
  const later = (act: () => Promise<void>) => void ends.push(act)
  const say = (text: string) => void said.push(text)
  const suite = { name: 'outer', suite: undefined }
  const contexts: unknown[] = [
    { name: 'c', fullName: 'b > c', passed: false, after: later, diagnostic: say },
    { name: 'd', passed: true, after: later, diagnostic: say },
    { fullname: 'a.test.ts TAP one two', passing: () => false, teardown: later, comment: say },
    { fullname: 'a.test.ts TAP three', passing: () => true, teardown: later, comment: say },
    Object.assign(() => undefined, {
      onTestFailed: later,
      task: { name: 'last', suite: { name: 'inner', suite } }
    })
  ]
  let reads = 0
  const read = async () => `text ${++reads}`
  for (const context of contexts) recordOnFailure(context as TestContext, directory, read)
  for (const end of ends) await end()
  const names = ['a.test.ts-one-two', 'b-c', 'outer-inner-last'].map((name) => `${name}.svcmock`)
  t.strictSame(readdirSync(directory).sort(), names)
  t.strictSame(
    said.sort(),
    names.slice(0, 2).map((name) => `recording: ${join(directory, name)}`),
    'Vitest has no way to report it'
  )
  const [context] = contexts
  const readNow = recordOnFailure(context as TestContext, directory, read)
  const now = await readNow()
  await ends.at(-1)!()
  t.equal(await readNow(), now, 'it is read once')
})

void t.test('a directory that cannot be written fails the end of the test', async (t) => {
  await using mock = await startMock()
  const directory = join(t.testdir({ file: '' }), 'file')
  const { test, end } = failing('a')
  await mock.sandbox().record('on-failure', test, directory)
  await t.rejects(end(), { message: new RegExp(`^the recording of a failed test: ${directory} `) })
})

void t.test('values other than tests, and a server without a journal, are refused at once', async (t) => {
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

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { FileRecorder, replyAsJson } from '../../src/recording/file-recorder.js'
import { MAX_LINE } from '../../src/recording/format.js'
import { recordingFile } from '../../src/recording/recording-file.js'
import { until } from '../helper.js'

void t.test('a write uses the text before it as its dictionary', async (t) => {
  for (const length of [5000, 20_000]) {
    const path = join(t.testdir({}), 'a')
    const line = randomBytes(length / 2).toString('hex')
    const tail = line.slice(-4000)
    const lines = [line, tail, tail, `${tail.slice(0, 500)}, and more`]
    const file = recordingFile(path, (error) => {
      throw error
    })
    for (const [index, one] of lines.entries()) {
      const before = index === 0 ? 0 : statSync(path).size
      file.append(one)
      // Each line is written separately.
      if (index < lines.length - 1) await until(() => existsSync(path) && statSync(path).size > before)
    }
    await file.end()
    t.equal(gunzipSync(readFileSync(path)).toString(), lines.map((one) => `${one}\n`).join(''))
    t.ok(statSync(path).size < 0.7 * length, `${statSync(path).size} bytes`)
  }
})

void t.test('lines that come too fast are reported as lost, and the file goes on', async (t) => {
  const path = join(t.testdir(), 'a')
  const troubles: unknown[] = []
  const file = recordingFile(path, (error) => troubles.push(error))
  const half = 'x'.repeat(8 * 1024 * 1024)
  file.append(half)
  file.append(half)
  t.strictSame(troubles, [], 'this much may wait')
  file.append('y')
  t.match(troubles, [{ message: /faster/ }])
  file.append('z')
  await file.end()
  t.equal(troubles.length, 1)
  t.equal(gunzipSync(readFileSync(path)).toString(), 'z\n')
})

void t.test('a file that was deleted is not created again, without its beginning', async (t) => {
  const path = join(t.testdir(), 'a')
  const troubles: unknown[] = []
  const file = recordingFile(path, (error) => troubles.push(error))
  file.append('x')
  await until(() => existsSync(path) && readFileSync(path).length > 10)
  rmSync(path)
  file.append('y')
  await file.end()
  t.match(troubles, [{ code: 'ENOENT' }])
  t.notOk(existsSync(path))
})

void t.test('a single line may exceed the limit of waiting characters', async (t) => {
  const path = join(t.testdir(), 'a')
  const file = recordingFile(path, (error) => {
    t.fail(String(error))
  })
  const long = 'x'.repeat(17 * 1024 * 1024)
  file.append(long)
  await file.end()
  t.equal(gunzipSync(readFileSync(path)).length, long.length + 1)
})

void t.test('a line that is too long is lost, and nothing is written until a checkpoint', async (t) => {
  const written: number[] = []
  const begin = (length: number) => {
    const recorder = new FileRecorder(
      { append: (line) => written.push(line.length), end: () => undefined },
      () => ({ a: 'x'.repeat(length - '{"a":"","shapes":[]}'.length), shapes: [] }) as never
    )
    recorder.begin({ org: { id: 'o', name: 'a' }, random: { seed: '', draws: 0 }, clock: undefined as never, rows: [] })
    return written.splice(0)
  }
  t.equal(begin(MAX_LINE).length, 2)
  t.strictSame(begin(MAX_LINE + 1), [])
})

void t.test('any reply is written as JSON without secrets', async (t) => {
  for (const [reply, json] of [
    ['{"a":1}', '{"a":1}'],
    ['{"a":1,\n"b":2}', '{"a":1,"b":2}'],
    ['{"password":"hunter2"}', '{"password":"***"}'],
    ['[1]', '[1]'],
    ['Hello', '"Hello"'],
    ['5', '"5"'],
    ['{password:\n', '"{password:\\n"'],
    ['', '""']
  ] as const)
    t.equal(replyAsJson(reply), json)
})

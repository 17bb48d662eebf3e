import { execFileSync } from 'node:child_process'
import { constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import t, { type Test } from 'tap'
import { LogOutput } from '../../src/cli/log-output.js'
import { until } from '../helper.js'

function open(t: Test) {
  const path = join(t.testdir({}), 'log')
  return { output: new LogOutput(openSync(path, 'w')), text: () => readFileSync(path, 'utf8') }
}

void t.test('lines are formatted and written in batches, and the last ones when the process exits', async (t) => {
  const { output, text } = open(t)
  const formatted: string[] = []
  for (const line of ['a\n', 'b\n'])
    output.later(() => {
      formatted.push(line)
      output.write(line)
    })
  t.strictSame(formatted, [])
  await until(() => text() === 'a\nb\n')
  output.later(() => output.write('c\n'))
  output.finish()
  t.equal(text(), 'a\nb\nc\n')
})

void t.test('lines beyond a queue of 4 MiB are dropped, and counted once there is room', async (t) => {
  const { output, text } = open(t)
  const counts: number[] = []
  output.onRoom = (omitted) => counts.push(omitted)
  for (let index = 0; index < 7; index++) output.write('x'.repeat(1024 * 1024))
  output.finish()
  t.equal(text().length, 4 * 1024 * 1024)
  t.strictSame(counts, [3])
})

void t.test('lines of any characters stay whole while the reader is behind', async (t) => {
  const path = join(t.testdir({}), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const output = new LogOutput(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  const line = `${'äö€😀'.repeat(20_000)}\n`
  let received = ''
  const decoder = new StringDecoder()
  const read = () => {
    const bytes = Buffer.alloc(50_000)
    try {
      received += decoder.write(bytes.subarray(0, readSync(reader, bytes)))
    } catch {
      // Nothing has been written yet.
    }
  }
  for (let index = 0; index < 30; index++) {
    output.later(() => output.write(line))
    await until(() => {
      read()
      return received.length >= (index - 10) * line.length
    })
  }
  await until(() => {
    read()
    return received.length === 30 * line.length
  })
  t.equal(received, line.repeat(30))
})

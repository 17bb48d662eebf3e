import { execFileSync } from 'node:child_process'
import { constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import t from 'tap'
import { LogOutput } from '../../src/cli/log-output.js'
import { until } from '../helper.js'

void t.test('lines beyond a queue of 4 MiB are dropped, and counted once there is room', async (t) => {
  const path = join(t.testdir({}), 'log')
  const output = new LogOutput(openSync(path, 'w'))
  const counts: number[] = []
  output.onRoom = (omitted) => counts.push(omitted)
  for (let index = 0; index < 7; index++) output.write('x'.repeat(1024 * 1024))
  output.finish()
  t.equal(readFileSync(path, 'utf8').length, 4 * 1024 * 1024)
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

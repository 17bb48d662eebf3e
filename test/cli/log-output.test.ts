import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { LogOutput } from '../../src/cli/log-output.js'
import { until } from '../helper.js'

function open(t: Test) {
  const path = join(t.testdir({}), 'log')
  return { output: new LogOutput(openSync(path, 'w')), text: () => readFileSync(path, 'utf8') }
}

void t.test('lines are written together in a moment, and the last ones when the process exits', async (t) => {
  const { output, text } = open(t)
  for (const line of ['a\n', 'b\n']) output.write(line)
  t.equal(text(), '')
  await until(() => text() === 'a\nb\n')
  output.write('c\n')
  output.finish()
  t.equal(text(), 'a\nb\nc\n')
})

void t.test('what would wait beyond 4 MiB is dropped, and counted once there is room', async (t) => {
  const { output, text } = open(t)
  const counts: number[] = []
  output.onRoom = (omitted) => counts.push(omitted)
  for (let index = 0; index < 7; index++) output.write('x'.repeat(1024 * 1024))
  output.finish()
  t.equal(text().length, 4 * 1024 * 1024)
  t.strictSame(counts, [3])
})

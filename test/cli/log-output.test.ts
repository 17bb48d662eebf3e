import t from 'tap'
import { LogOutput } from '../../src/cli/log-output.js'

const nextTurn = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
const AGAIN = Object.assign(new Error('it is full'), { code: 'EAGAIN' })

const outputTo = (write: (bytes: Buffer) => number, limit?: number) => new LogOutput(write, limit, setImmediate)

/** A pipe with room for some bytes until somebody reads. */
function pipe(room: number) {
  let free = room
  const calls: string[] = []
  return {
    calls,
    read: (bytes = room) => {
      free = Math.min(room, free + bytes)
    },
    write: (bytes: Buffer) => {
      if (free === 0) throw AGAIN
      const taken = bytes.subarray(0, free)
      free -= taken.length
      calls.push(taken.toString('latin1'))
      return taken.length
    }
  }
}

void t.test('lines that come together are written together, a moment later', async (t) => {
  const { write, calls } = pipe(1000)
  const output = outputTo(write)
  output.write('a\n')
  output.write('b\n')
  t.strictSame(calls, [])
  await nextTurn()
  t.strictSame(calls, ['a\nb\n'])
  output.write('c\n')
  await nextTurn()
  t.strictSame(calls, ['a\nb\n', 'c\n'])
})

void t.test(
  'what a full pipe does not take waits, and is written byte by byte as it was when somebody reads',
  async (t) => {
    const { write, calls, read } = pipe(7)
    const output = outputTo(write)
    for (let i = 0; i < 10; i++) output.write(`line ${i}\n`)
    await nextTurn()
    t.strictSame(calls, ['line 0\n'])
    for (let i = 0; i < 9; i++) {
      read(i % 2 === 0 ? 3 : 7)
      output.finish(0)
    }
    read()
    output.finish(0)
    t.equal(
      calls.join(''),
      Array.from({ length: 10 }, (_, i) => `line ${i}\n`)
        .join('')
        .slice(0, calls.join('').length)
    )
    while (calls.join('').length < 70) {
      read()
      output.finish(0)
    }
    t.equal(calls.join(''), Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join(''))
  }
)

void t.test('it tries again by itself until all is written', async (t) => {
  const { write, calls, read } = pipe(4)
  const output = outputTo(write)
  output.write('a line\n')
  await nextTurn()
  t.strictSame(calls, ['a li'])
  read()
  while (calls.length < 2) await nextTurn()
  t.strictSame(calls, ['a li', 'ne\n'])
})

void t.test(
  'beyond the limit lines are left out, and counted in one line that comes when there is room again',
  async (t) => {
    const { write, calls, read } = pipe(10)
    const output = outputTo(write, 40)
    output.onRoom = (omitted) => output.write(`${omitted} left out\n`)
    for (let i = 0; i < 100; i++) output.write(`line ${i}${i < 10 ? '\n' : ''}`)
    await nextTurn()
    output.write('one more\n')
    for (let i = 0; i < 10; i++) {
      read()
      output.finish(0)
    }
    t.equal(
      calls.join(''),
      'line 0\nline 1\nline 2\nline 3\nline 4\n95 left out\none more\n',
      'what comes after a part is written has room'
    )
    output.write('now\n')
    await nextTurn()
    read()
    output.finish(0)
    t.match(calls.join(''), /one more\nnow\n$/)
  }
)

void t.test('a line that is longer than the limit is left out alone', async (t) => {
  const { write, calls } = pipe(1000)
  const output = outputTo(write, 40)
  output.onRoom = (omitted) => output.write(`${omitted} left out\n`)
  output.write('x'.repeat(41))
  await nextTurn()
  output.write('now\n')
  await nextTurn()
  t.equal(calls.join(''), '1 left out\nnow\n')
})

void t.test('where the reader has gone, lines go nowhere, and nobody is hurt', async (t) => {
  let tries = 0
  const output = outputTo(() => {
    tries++
    throw Object.assign(new Error('broken'), { code: 'EPIPE' })
  })
  output.write('a\n')
  await nextTurn()
  output.write('b\n')
  output.finish()
  t.equal(tries, 2)
})

void t.test('at the end it waits for a reader, but not for ever', async (t) => {
  const output = new LogOutput(() => {
    throw AGAIN
  })
  output.write('a\n')
  output.finish(30)
  t.pass('it ends')
})

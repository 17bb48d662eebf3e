import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { RecordingError } from '../../src/recording/recording-error.js'
import { effort } from '../effort.js'
import { readWhole, recorded } from './recordings.js'

/** Records a short life. */
async function short(t: Test): Promise<Buffer> {
  const path = await recorded(t, async ({ result, createWorkgroup }) => {
    for (let i = 0; i < 10; i++) await result('POST', `/workgroups/${await createWorkgroup()}/workspaces`, {})
  })
  return readFileSync(path)
}

const tryToRead = async (path: string, data: Buffer) => {
  writeFileSync(path, data)
  return readWhole(path)
}

void t.test('a recording without an end is read up to its last whole line', async (t) => {
  const data = await short(t)
  const path = join(t.testdir(), 'cut.svcmock')
  const whole = await tryToRead(path, data)
  const text = gunzipSync(data).toString().split('\n')
  t.equal(whole.lines.at(-1)!.kind, 'end')
  let most = 0
  for (let cut = data.length - 1; cut > data.length * 0.2; cut -= Math.ceil(data.length / 23)) {
    try {
      const { lines, states } = await tryToRead(path, data.subarray(0, cut))
      most = Math.max(most, lines.length)
      t.same(
        lines,
        text.slice(1, lines.length + 1).map((line) => JSON.parse(line) as object)
      )
      t.same(states, whole.states.slice(0, states.length))
    } catch (error) {
      t.type(error, RecordingError, `${cut} bytes`)
    }
  }
  t.ok(most > 5, `${most} lines`)
})

void t.test('a recording with any damage is read, or refused in one line', async (t) => {
  const data = await short(t)
  const path = join(t.testdir(), 'flipped.svcmock')
  await fc.assert(
    fc.asyncProperty(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), async (place, bits) => {
      const flipped = Buffer.from(data)
      flipped[place]! ^= bits
      try {
        await tryToRead(path, flipped)
      } catch (error) {
        if (!(error instanceof RecordingError) || error.message.includes('\n')) throw error
      }
    }),
    { numRuns: effort(40, 150) }
  )
  const lines = gunzipSync(data).toString().trim().split('\n')
  await fc.assert(
    fc.asyncProperty(
      fc.nat(lines.length - 1),
      fc.constantFrom(
        (line: string) => line.replaceAll(/\d+/g, '1e999'),
        (line: string) => line.replaceAll('"', "'"),
        (line: string) => line.replace('{', '{"__proto__":{"kind":"x"},"constructor":{"prototype":1},'),
        (line: string) => line.replaceAll(/"(\w+)":/g, '"__proto__":'),
        (line: string) => line.replaceAll('],[', '],[99999,['),
        (line: string) => line.replaceAll('null', '{}'),
        (line: string) => line.replaceAll(/\[\d+,/g, '[3,'),
        (line: string) => line.slice(0, -2),
        () => 'null',
        () => '[]',
        () => '{"kind":"change","step":1e9,"id":"","at":0,"changes":[[0,[]]]}'
      ),
      async (index, twist) => {
        const twisted = lines.map((line, at) => (at === index ? twist(line) : line))
        try {
          await tryToRead(path, gzipSync(`${twisted.join('\n')}\n`))
        } catch (error) {
          if (!(error instanceof RecordingError) || error.message.includes('\n')) throw error
        }
        if (Object.keys(Object.prototype).length > 0 || ({} as { kind?: string }).kind !== undefined)
          throw new Error('a prototype changed')
      }
    ),
    { numRuns: effort(60, 150) }
  )
})

void t.test('a file with a line that is far too long is refused without decompressing all of it', async (t) => {
  const path = join(t.testdir(), 'bomb.svcmock')
  const line = Buffer.alloc(100 * 1024 * 1024, 0x20)
  const before = process.memoryUsage().rss
  await t.rejects(tryToRead(path, gzipSync(line, { level: 1 })), {
    name: 'RecordingError',
    message: /^has a line of more than \d+ characters$/
  })
  t.ok(process.memoryUsage().rss - before < 1_000_000_000)
})

void t.test('a file that is unreadable or damaged is refused with the reason', async (t) => {
  const path = join(t.testdir(), 'a.svcmock')
  const text = gunzipSync(await short(t))
  const damaged = gzipSync(text).fill(0xff, 20, 40)
  const broken = Buffer.from(text)
  broken[broken.length - 20] = 0xff
  for (const [data, message] of [
    [gzipSync('hello\n'), 'is not a recording'],
    [damaged, 'is damaged'],
    [broken, 'is damaged']
  ] as const)
    await t.rejects(tryToRead(path, data), { name: 'RecordingError', message })
  for (const [name, problem] of [
    [join(path, 'nothing'), /not a directory|does not exist|cannot be read/],
    [`${path}-nothing`, 'does not exist'],
    [t.testdirName, /directory/]
  ] as const)
    await t.rejects(readWhole(name), { name: 'RecordingError', message: problem }, name)
})

import t from 'tap'
import { jsonLines, startServer } from '../helper.js'
import { messageOf } from '../messages.js'

/** A log line is about twice as long as this. */
const LONG_PATH = `/${'x'.repeat(8000)}`

void t.test(
  'a server whose log nobody reads still replies, later reports missing lines, and stops on a signal',
  async (t) => {
    const { url, child, exited, seen, output, errors } = await startServer(t, ['--db', ':memory:'])
    child.stdout!.pause()

    const missing = messageOf('notFound', 'route', { method: 'GET', path: LONG_PATH })
    const ask = async (count: number) => {
      for (let i = 0; i < count; i += 20) {
        const replies = await Promise.all(
          Array.from({ length: 20 }, async () => (await fetch(`${url}${LONG_PATH}`)).text())
        )
        t.ok(replies.every((text) => text.includes(missing)))
      }
    }
    // More than the pipe and the queue hold.
    await ask(400)
    child.stdout!.resume()
    await seen(/"msg":"the log was read too slowly: \d+ lines are missing here"}\n/)
    const lines = jsonLines(output())
    const place = lines.findIndex(({ omitted }) => omitted !== undefined)
    t.ok(place > 200, `${place} lines were kept`)
    const counted = lines.filter(({ status }) => status === 404).length + Number(lines[place]!['omitted'])
    t.equal(counted, 400, 'no line is lost without being counted')

    child.stdout!.pause()
    await ask(100)
    child.kill('SIGTERM')
    t.strictSame(await exited, { code: 0, signal: null }, 'it does not wait for a reader')
    t.equal(errors(), '')
  }
)

void t.test('lines logged before the end are complete, after a signal and after a failure', async (t) => {
  for (const failure of ['', 'setTimeout(() => { throw new Error("a failure") }, 1)']) {
    const node = [
      '--import',
      `data:text/javascript,${encodeURIComponent(
        `process.on('SIGUSR2', () => { ` + `${failure || 'process.kill(process.pid, "SIGTERM")'} })`
      )}`
    ]
    const server = await startServer(t, ['--db', ':memory:'], {}, [process.execPath, ...node])
    const { url, child, exited, output, errors } = server
    for (let i = 0; i < 20; i++) await (await fetch(`${url}/nothing-${i}`)).text()
    child.kill('SIGUSR2')
    t.equal((await exited).code, failure === '' ? 0 : 1)
    for (let i = 0; i < 20; i++) t.match(output(), `GET /nothing-${i} 404`)
    t.match(errors(), failure === '' ? /^$/ : /Error: a failure/)
  }
})

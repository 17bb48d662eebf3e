import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { EventStream } from '../../src/http/test-control/event-stream.js'
import { EventHub } from '../../src/journal/event-hub.js'
import { sandboxIdOf } from '../../src/lib/keys.js'
import { buildMock, until } from '../helper.js'

void t.test('a listener that half-closes its connection has left', async (t) => {
  const { app, plane } = await buildMock(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write('GET /_mock/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ears\r\n\r\n')
  await until(() => text.includes('event: resync'))
  for (const header of [
    'content-type: text/event-stream; charset=utf-8',
    'cache-control: no-store',
    'x-accel-buffering: no',
    'connection: close'
  ])
    t.ok(text.toLowerCase().includes(`\r\n${header}\r\n`), header)
  const eventHub = plane.sandboxes.find(sandboxIdOf('ears'))!.eventHub!
  t.equal(eventHub.size, 1)
  socket.end()
  await until(() => eventHub.size === 0)
})

void t.test('a stream that is refused is a reply like any other', async (t) => {
  const { call } = await buildMock(t)
  const { status, headers } = await call('GET', '/stream', { key: null, prefix: '/_mock' })
  t.equal(status, 401)
  for (const name of ['cache-control', 'x-accel-buffering']) t.equal(headers[name], undefined, name)
})

void t.test(
  'a stream with something unread is cut off, so that the server can close, and another one ends',
  async (t) => {
    const eventHub = new EventHub()
    const open = () => new EventStream(eventHub, () => ({}), undefined, 1_000_000)
    const [unread, read] = [open(), open()]
    t.equal(eventHub.size, 2)
    read.resume()
    await until(() => read.readableLength === 0)
    const ended = once(read, 'end')
    unread.end()
    read.end()
    t.ok(unread.destroyed)
    t.equal(eventHub.size, 0)
    await ended
    unread.end()
    t.equal(eventHub.size, 0)
  }
)

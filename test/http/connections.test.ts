import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { buildMock, CONTROLLER, portOf } from '../helper.js'
import { beginningOf, requestWith } from '../raw-http.js'

void t.test('a closing server answers a request in flight, and ends its connection', async (t) => {
  const { app } = await buildMock(t)
  const socket = connect(await portOf(app), '127.0.0.1')
  const body = '{"cloud_provider_id":"a"}'
  socket.write(beginningOf('POST', `${CONTROLLER}/workgroups`, 'x', body.length))
  await once(app.server, 'request')
  const closing = app.close()
  socket.write(body)
  t.match(String(await once(socket, 'data')), 'HTTP/1.1 200 OK')
  await closing
})

void t.test('a client that has half-closed its connection still gets its replies', async (t) => {
  const { app } = await buildMock(t)
  const socket = connect({ host: '127.0.0.1', port: await portOf(app), allowHalfOpen: true })
  socket.end(requestWith('POST', `${CONTROLLER}/workgroups`, 'half', '{"cloud_provider_id":"a"}').repeat(3))
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.split('HTTP/1.1 200 OK').length > 3) break
  }
  socket.destroy()
  t.equal(text.split('HTTP/1.1 200 OK').length, 4, text)
})

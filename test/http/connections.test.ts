import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { buildMock, CONTROLLER, portOf } from '../helper.js'

void t.test('a closing server answers a request in flight, and ends its connection', async (t) => {
  const { app } = await buildMock(t)
  const socket = connect(await portOf(app), '127.0.0.1')
  const [head, body] = [
    `POST ${CONTROLLER}/workgroups HTTP/1.1\r\nHost: x\r\nX-Api-Key: x\r\nContent-Type: application/json\r\n`,
    '{"cloud_provider_id":"a"}'
  ]
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
  await once(app.server, 'request')
  const closing = app.close()
  socket.write(body)
  t.match(String(await once(socket, 'data')), 'HTTP/1.1 200 OK')
  await closing
})

void t.test('a client that has half-closed its connection still gets its replies', async (t) => {
  const { app } = await buildMock(t)
  const socket = connect({ host: '127.0.0.1', port: await portOf(app), allowHalfOpen: true })
  const request =
    `POST ${CONTROLLER}/workgroups HTTP/1.1\r\nHost: x\r\nX-Api-Key: half\r\nContent-Type: application/json\r\n` +
    'Content-Length: 25\r\n\r\n{"cloud_provider_id":"a"}'
  socket.end(request.repeat(3))
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.split('HTTP/1.1 200 OK').length > 3) break
  }
  socket.destroy()
  t.equal(text.split('HTTP/1.1 200 OK').length, 4, text)
})

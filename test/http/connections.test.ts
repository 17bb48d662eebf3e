import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { refuseWhileClosing } from '../../src/http/hooks/refuse.js'
import { endConnections } from '../../src/http/pipelines.js'
import { ServiceError } from '../../src/interface/errors.js'
import { buildMock, CONTROLLER, portOf } from '../helper.js'

/** A server that runs its hooks, and to which only the test connects. */
function openServer() {
  const app = Fastify()
  const server = new EventEmitter()
  const parts = { server, addHook: app.addHook.bind(app) }
  return { app, server, parts: parts as unknown as FastifyInstance }
}

void t.test('a request that arrives while the server closes is a 503 that ends its connection', async (t) => {
  const { app, parts } = openServer()
  const hook = refuseWhileClosing(parts)
  const headers: Record<string, unknown> = {}
  const reply = {
    header: (name: string, value: unknown) => {
      headers[name] = value
    }
  } as unknown as FastifyReply
  let done = 0
  const meet = () => {
    hook({} as FastifyRequest, reply, () => {
      done++
    })
  }
  meet()
  t.strictSame([done, headers], [1, {}])
  await app.close()
  t.throws(meet, ServiceError)
  t.strictSame([done, headers], [1, { connection: 'close' }])
})

void t.test('a closing server ends connections without any data, and no others', async (t) => {
  const { app, server, parts } = openServer()
  const destroyed: string[] = []
  const accept = (name: string, bytesRead: number) => {
    const socket = Object.assign(new EventEmitter(), { bytesRead, destroy: () => destroyed.push(name) })
    server.emit('connection', socket)
    return socket
  }
  endConnections(parts)
  accept('silent', 0)
  accept('busy', 1)
  const late = accept('late', 0)
  accept('gone', 0).emit('close')
  app.addHook('preClose', (done) => {
    setImmediate(() => {
      late.bytesRead = 1
    })
    done()
  })
  await app.close()
  for (let i = 0; i < 3; i++) await new Promise(setImmediate)
  t.strictSame(destroyed, ['silent'])
})

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

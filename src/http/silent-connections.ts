import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a close of the server not wait for connections that have said nothing. A browser opens some ahead of need, and
 * Node takes them for requests under way until the time-out of a request.
 */
export function closeSilentConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    // What has arrived already is read before the second one.
    setImmediate(() => setImmediate(close))
    done()
  })
}

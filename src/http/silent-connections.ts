import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Keeps the server from waiting for connections without data when it closes. A browser opens some in advance, and Node
 * treats them as pending requests until the request timeout.
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
    // Data that has already arrived is read before the second callback.
    setImmediate(() => setImmediate(close))
    done()
  })
}

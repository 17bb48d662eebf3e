import type { Socket } from 'node:net'
import type { OnRequest } from '../request-context.js'

/** How many requests of a connection have been read and wait for those before them. */
const behind = new WeakMap<Socket, number>()

/**
 * Lets the requests of a connection be answered one after the other, each in a turn of the event loop of its own. A
 * client can send thousands ahead: each reply would wait in memory for those before it, and others for all of them. No
 * more are read while one waits.
 */
export const answerInTurn: OnRequest = (request, { raw }, done) => {
  if (raw.socket !== null) {
    done()
    return
  }
  const { socket } = request.raw
  // Node itself reads on when a reply has left, or a body is read.
  if (!behind.has(socket))
    socket.on('resume', () => {
      if (behind.get(socket) !== 0) socket.pause()
    })
  behind.set(socket, (behind.get(socket) ?? 0) + 1)
  socket.pause()
  raw.once('socket', () => {
    setImmediate(() => {
      // It comes here too where the connection has been ended, and then nobody is there for the reply.
      if (socket.destroyed) return
      const left = (behind.get(socket) ?? 1) - 1
      behind.set(socket, left)
      if (left === 0) socket.resume()
      done()
    })
  })
}

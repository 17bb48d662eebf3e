import type { Socket } from 'node:net'
import type { OnRequest } from '../request-context.js'

/** Number of requests per connection that have been read and wait for earlier ones. */
const behind = new WeakMap<Socket, number>()

/**
 * Answers the requests of a connection one at a time, each in its own turn of the event loop. A client can pipeline
 * thousands: their replies would wait in memory for the earlier ones, and other clients for all of them. While one
 * waits, no more are read.
 */
export const answerInTurn: OnRequest = (request, { raw }, done) => {
  if (raw.socket !== null) {
    done()
    return
  }
  const { socket } = request.raw
  // Node itself resumes reading when a reply has left, or when a body is read.
  if (!behind.has(socket))
    socket.on('resume', () => {
      if (behind.get(socket) !== 0) socket.pause()
    })
  behind.set(socket, (behind.get(socket) ?? 0) + 1)
  socket.pause()
  raw.once('socket', () => {
    setImmediate(() => {
      // This also runs when the connection has ended, and then nobody is left to answer.
      if (socket.destroyed) return
      const left = (behind.get(socket) ?? 1) - 1
      behind.set(socket, left)
      if (left === 0) socket.resume()
      done()
    })
  })
}

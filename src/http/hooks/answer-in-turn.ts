import type { Socket } from 'node:net'
import type { OnRequest } from '../request-context.js'

/** Maximum number of requests that have been read and wait for earlier ones of their connection: some 20 MiB. */
const MOST_WAITING = 5000

/**
 * Answers the requests of a connection one at a time, each in its own turn of the event loop. A client can pipeline
 * thousands: their replies would wait in memory for the earlier ones, and other clients for all of them. While one
 * waits, no more are read. If too many wait, the connection that has made no progress for longest is closed.
 */
export function answerInTurn(most = MOST_WAITING): OnRequest {
  /** Number of waiting requests by connection, in the order of their last progress. */
  const waiting = new Map<Socket, number>()
  const watched = new WeakSet<Socket>()
  let total = 0

  return (request, { raw }, done) => {
    if (raw.socket !== null) {
      done()
      return
    }
    const { socket } = request.raw
    watch(socket)
    count(socket, 1)
    if (!socket.isPaused()) socket.pause()
    raw.once('socket', () => {
      setImmediate(() => {
        // This also runs when the connection has ended, and then nobody is left to answer.
        if (socket.destroyed) return
        if (count(socket, -1) === 0) socket.resume()
        done()
      })
    })
    if (total > most) for (const [stalled] of waiting) return void stalled.destroy()
  }

  function watch(socket: Socket): void {
    if (watched.has(socket)) return
    watched.add(socket)
    // Node itself resumes reading when a reply has left, or when a body is read.
    socket.on('resume', () => {
      if (waiting.has(socket)) socket.pause()
    })
    socket.once('close', () => {
      count(socket, -(waiting.get(socket) ?? 0))
    })
  }

  /** @returns how many of the connection's requests wait now */
  function count(socket: Socket, change: number): number {
    const left = (waiting.get(socket) ?? 0) + change
    total += change
    if (change < 0) waiting.delete(socket)
    if (left > 0) waiting.set(socket, left)
    return left
  }
}

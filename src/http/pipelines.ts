import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { inNextTurn } from '../lib/time.js'

/** Maximum number of requests that have been read and wait for earlier ones of their connection: some 10 MiB. */
const MOST_WAITING = 5000

/** Fastify's options for its server. */
interface ServerSettings {
  readonly http: ServerOptions
  readonly keepAliveTimeout: number
  readonly requestTimeout: number
}

/** Creates the server as Fastify would, but handles pipelined requests in turn. */
export function createPipelineServer(handle: RequestListener, settings: unknown, mostWaiting = MOST_WAITING): Server {
  const { http, keepAliveTimeout, requestTimeout } = settings as ServerSettings
  return Object.assign(createServer(http, inTurn(handle, mostWaiting)), { keepAliveTimeout, requestTimeout })
}

/**
 * Handles the requests of a connection one at a time, each in its own turn of the event loop. A client can pipeline
 * thousands: their replies would wait in memory for the earlier ones, and other clients for all of them. While one
 * waits, no more are read. If too many wait, the connection that has made no progress for longest is closed.
 */
function inTurn(handle: RequestListener, most: number): RequestListener {
  /** Number of waiting requests by connection, in the order of their last progress. */
  const waiting = new Map<Socket, number>()
  const watched = new WeakSet<Socket>()
  let total = 0

  return (request, reply) => {
    if (reply.socket !== null) {
      handle(request, reply)
      return
    }
    const { socket } = request
    watch(socket)
    count(socket, 1)
    if (!socket.isPaused()) socket.pause()
    reply.once('socket', () => {
      inNextTurn(() => {
        // This also runs when the connection has ended, and then nobody is left to answer.
        if (socket.destroyed) return
        if (count(socket, -1) === 0) socket.resume()
        handle(request, reply)
      })
    })
    if (total > most) waiting.keys().next().value?.destroy()
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

  /** @returns the number of requests of the connection that wait now */
  function count(socket: Socket, change: number): number {
    const left = (waiting.get(socket) ?? 0) + change
    total += change
    if (change < 0) waiting.delete(socket)
    if (left > 0) waiting.set(socket, left)
    return left
  }
}

/**
 * When the server closes, ends connections without data, and all others with their next reply. A browser opens some in
 * advance, and Node would wait for any connection until its idle timeout.
 */
export function endConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket & { readonly _httpMessage?: object | null }>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    // `_last` is for a reply whose headers have left.
    for (const { _httpMessage: reply } of sockets)
      if (reply) Object.assign(reply, { shouldKeepAlive: false, _last: true })
    // Data that has already arrived is read before the second callback.
    inNextTurn(() => inNextTurn(close))
    done()
  })
}

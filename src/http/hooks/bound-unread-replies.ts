import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import { inNextTurn, sleepBeside } from '../../lib/time.js'
import { onceOver, type OnSend } from '../request-context.js'

/** Replies up to this size, in bytes, always leave, because a connection's kernel buffer can hold them. */
const SMALL = 64 * 1024

/** Number of checks within {@link Bounds.patience}. */
const STEPS = 10

export interface Bounds {
  /** Bytes of large replies that may be under way, and that may wait. */
  readonly bytes: number
  /** How long a client may read nothing of a reply, in milliseconds; a tenth of that while others wait. */
  readonly patience: number
}

/** A reply waiting for room. */
interface Waiting {
  readonly length: number
  readonly go: () => void
}

const DEFAULTS: Bounds = { bytes: 64 * 2 ** 20, patience: 30_000 }

/**
 * Limits the memory for replies that clients do not read: large ones wait for each other, and clients that have stopped
 * reading are disconnected. createPipelineServer() ensures that a connection has only one reply at a time.
 */
export function boundUnreadReplies(app: FastifyInstance, bounds: Partial<Bounds> = {}): OnSend {
  const { bytes, patience } = { ...DEFAULTS, ...bounds }
  const waiting = new Set<Waiting>()
  let underWay = 0
  let waitingBytes = 0
  endStalled(app, patience, () => waiting.size > 0)

  return ({ method }, { raw }, payload, done) => {
    const length = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    // If its client has left, nothing will tell when it is over.
    if (length <= SMALL || raw.destroyed) done()
    else if (waiting.size === 0 && hasRoom(length)) begin(raw, length, done)
    // A write has already taken effect, so its reply must wait.
    else if (method === 'GET' && waitingBytes + length > bytes)
      done(new ServiceError('unavailable', 'Too many large replies are waiting to be read; try again.'))
    else wait(raw, length, done)
  }

  /** A reply larger than the limit leaves on its own. */
  function hasRoom(length: number): boolean {
    return underWay === 0 || underWay + length <= bytes
  }

  function begin(raw: ServerResponse, length: number, done: () => void): void {
    underWay += length
    onceOver(raw, () => {
      underWay -= length
      for (const next of waiting) {
        if (!hasRoom(next.length)) return
        next.go()
      }
    })
    done()
  }

  function wait(raw: ServerResponse, length: number, done: () => void): void {
    const leave = () => {
      waiting.delete(entry)
      waitingBytes -= length
      raw.off('close', giveUp)
    }
    const giveUp = () => {
      leave()
      done()
    }
    const entry = {
      length,
      go: () => {
        leave()
        begin(raw, length, done)
      }
    }
    waiting.add(entry)
    waitingBytes += length
    raw.on('close', giveUp)
  }
}

/** Closes connections whose clients have read nothing for too long. */
function endStalled(app: FastifyInstance, patience: number, isUrgent: () => boolean): void {
  const sockets = new Map<Socket, { left: number; steps: number }>()
  let last = new AbortController()
  app.server.on('connection', (socket: Socket) => {
    sockets.set(socket, { left: 0, steps: 0 })
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) last.abort()
    })
    if (sockets.size === 1) {
      last = new AbortController()
      void watch(last.signal)
    }
  })

  /** Checks the connections periodically until there are none. */
  async function watch(noneIsLeft: AbortSignal): Promise<void> {
    for (;;) {
      await sleepBeside(patience / STEPS, noneIsLeft)
      if (noneIsLeft.aborted) return
      const limit = isUrgent() ? 1 : STEPS
      for (const [socket, watched] of sockets) {
        const left = unread(socket)
        watched.steps = left > 0 && left === watched.left ? watched.steps + 1 : 0
        watched.left = left
        if (watched.steps >= limit) socket.destroy()
      }
    }
  }
}

/** Bytes that the system has not yet taken from a socket, as in Node's own write timeout. */
function unread(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength === 0 ? 0 : (handle?.writeQueueSize ?? 0)
}

/** Replies longer than this leave in pieces of this many characters. */
const LONG = 1024 * 1024
const PIECE = 256 * 1024

/**
 * Sends a long reply in pieces, one per turn of the event loop, because encoding it and handing it to the system blocks
 * the server. Must come after hooks that need the text.
 */
export const sendInPieces: OnSend = (_request, reply, payload, done) => {
  if (typeof payload !== 'string' || payload.length <= LONG) {
    done()
    return
  }
  void reply.header('content-length', Buffer.byteLength(payload))
  done(null, Readable.from(piecesOf(payload), { objectMode: false }))
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start + PIECE)
    yield text.slice(start, end)
    start = end
    await new Promise(inNextTurn)
  }
}

/** A surrogate pair must not be split: its halves have no encoding. */
function endOfPiece(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

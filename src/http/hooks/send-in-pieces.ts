import { Readable } from 'node:stream'
import type { OnSend } from '../request-context.js'

/** Replies longer than this leave in pieces of this many characters. */
const LONG = 1024 * 1024
const PIECE = 256 * 1024

/**
 * Sends a long reply in pieces, one in each turn of the event loop: encoding it and handing it to the system takes a
 * while, in which nobody else is served. Must come after hooks that need the text.
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
    await new Promise(setImmediate)
  }
}

/** A surrogate pair must not be divided: its halves have no encoding. */
function endOfPiece(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

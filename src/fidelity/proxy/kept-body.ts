import type { Readable } from 'node:stream'
import type { PassedBody } from '../passed.js'

/** Bytes that all bodies may still take until they are written. */
export interface Room {
  left: number
}

/** Keeps a body as it passes, unless it is too large. */
export function keepBody(limit: number, room: Room) {
  let chunks: Buffer[] = []
  let [size, taken, isTaken] = [0, 0, false]
  let reason: string | undefined
  return { follow, take, release }

  /** Keeps the data of a stream. Call it in the turn in which the stream is piped. */
  function follow(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      // An upload can go on after an early reply, but nothing would release it.
      if (isTaken) return
      if (size > limit) drop(`it has more than ${limit} bytes`)
      else if (room.left < chunk.length) drop('too many bodies were in flight')
      else if (reason === undefined) {
        chunks.push(chunk)
        taken += chunk.length
        room.left -= chunk.length
      }
    })
  }

  function take(): PassedBody {
    // A copy, because a small Buffer is part of a pool, which cannot be transferred to a thread.
    const bytes = reason === undefined ? new Uint8Array(Buffer.concat(chunks)) : undefined
    chunks = []
    isTaken = true
    return { size, bytes, reason }
  }

  function drop(why: string): void {
    reason ??= why
    release()
  }

  /** Makes room for other bodies. Call it when the data is no longer needed. */
  function release(): void {
    room.left += taken
    taken = 0
    chunks = []
  }
}

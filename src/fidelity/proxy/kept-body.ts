import type { Readable } from 'node:stream'
import type { PassedBody } from '../passed.js'

/** Bytes that all bodies may still take until they are written. */
export interface Room {
  left: number
}

/** Keeps a body as it passes, unless it is too large. */
export class KeptBody {
  readonly #limit: number
  readonly #room: Room
  #chunks: Buffer[] = []
  #length = 0
  #taken = 0
  #isTaken = false
  #reason: string | undefined

  constructor(limit: number, room: Room) {
    this.#limit = limit
    this.#room = room
  }

  /** Keeps the data of a stream. Call it in the turn in which the stream is piped. */
  follow(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      // An upload can go on after an early reply, but nothing would release it.
      if (this.#isTaken) return
      if (this.#length > this.#limit) this.#drop(`it has more than ${this.#limit} bytes`)
      else if (this.#room.left < chunk.length) this.#drop('too many bodies were in flight')
      else if (this.#reason === undefined) {
        this.#chunks.push(chunk)
        this.#taken += chunk.length
        this.#room.left -= chunk.length
      }
    })
  }

  take(): PassedBody {
    // A copy, because a small Buffer is part of a pool, which cannot be transferred to a thread.
    const bytes = this.#reason === undefined ? new Uint8Array(Buffer.concat(this.#chunks)) : undefined
    this.#chunks = []
    this.#isTaken = true
    return { size: this.#length, bytes, reason: this.#reason }
  }

  #drop(reason: string): void {
    this.#reason ??= reason
    this.release()
  }

  /** Makes room for other bodies. Call it when the data is no longer needed. */
  release(): void {
    this.#room.left += this.#taken
    this.#taken = 0
    this.#chunks = []
  }
}

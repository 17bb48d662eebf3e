import type { Readable } from 'node:stream'
import type { PassedBody } from '../passed.js'

/** Bytes of all bodies that are kept until they are written; those beyond it pass, and are left out. */
export interface Room {
  left: number
}

/** A body as it passes, kept as long as it is not too large. */
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

  /** Keeps what passes. Must be called in the same turn in which the stream is piped. */
  follow(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      // After an early reply, an upload can go on: nobody would make room again.
      if (this.#isTaken) return
      if (this.#length > this.#limit) this.#drop(`it has more than ${this.#limit} bytes`)
      else if (this.#room.left < chunk.length) this.#drop('too much was under way at once')
      else if (this.#reason === undefined) {
        this.#chunks.push(chunk)
        this.#taken += chunk.length
        this.#room.left -= chunk.length
      }
    })
  }

  /** Takes out what has passed. */
  take(): PassedBody {
    const bytes = this.#reason === undefined ? joined(this.#chunks, this.#length) : undefined
    this.#chunks = []
    this.#isTaken = true
    return { size: this.#length, bytes, reason: this.#reason }
  }

  #drop(reason: string): void {
    this.#reason ??= reason
    this.release()
  }

  /** Makes room for other bodies, when what was taken out is not needed any more. */
  release(): void {
    this.#room.left += this.#taken
    this.#taken = 0
    this.#chunks = []
  }
}

/** Bytes of their own, which can be given to a thread. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

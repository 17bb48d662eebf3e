import type { Readable } from 'node:stream'
import { decompress, textOf, valueOf } from '../body.js'

/** A body as it passes, kept as long as it is not too large. */
export class KeptBody {
  readonly #limit: number
  #chunks: Buffer[] = []
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Keeps what passes. Must be called in the same turn in which the stream is piped. */
  follow(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      if (this.#length <= this.#limit) this.#chunks.push(chunk)
      else this.#chunks = []
    })
  }

  /**
   * What has passed; undefined: nothing.
   * @throws {BodyNotKept} if it was too large, or is no text
   */
  value(headers: Readonly<Record<string, string>>): unknown {
    if (this.#length === 0) return undefined
    if (this.#length > this.#limit) throw new BodyNotKept(this.#length)
    const bytes = decompress(Buffer.concat(this.#chunks), headers['content-encoding'])
    const text = bytes === undefined ? undefined : textOf(bytes)
    if (text === undefined) throw new BodyNotKept(this.#length)
    return valueOf(text, headers['content-type'])
  }
}

/** A body was too large to keep, or cannot be read, and then nobody can tell whether there are secrets in it. */
export class BodyNotKept extends Error {
  /** @param size in bytes */
  constructor(readonly size: number) {
    super()
  }
}

import { appendFile, constants as FILE, open, truncate } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { PRIVATE } from '../lib/private-file.js'
import { sleep } from '../lib/time.js'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** A gzip header without name and time. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** An empty block that ends a deflate stream. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Does not create a file again that was deleted: its beginning is gone. */
const APPEND = { flag: FILE.O_APPEND | FILE.O_WRONLY }

/** Bytes of earlier text that a write can refer to. Each open file keeps them in memory. */
const WINDOW = 8 * 1024

/** Milliseconds between two writes: larger writes take less time and space. */
const REST_MS = 20

/** Characters that may wait to be written. */
const MOST_WAITING = 16 * 1024 * 1024

/**
 * A gzip file to append lines to. Each write ends at a byte boundary, so that a file without an end can be read up to
 * the last whole line. Between writes, there is no open file descriptor and no compressor: the next write uses the
 * preceding text as its dictionary.
 */
export class RecordingFile {
  readonly #path: string
  readonly #onTrouble: (error: unknown) => void
  #waiting: string[] = []
  #length = 0
  #tail = Buffer.alloc(0)
  #checksum = 0
  #plainBytes = 0
  /** Bytes written, except by a failed write. */
  #bytes = 0
  #isWhole = true
  #work: Promise<void> | undefined
  readonly #ending = new AbortController()

  /**
   * @param path a new file, which the first write creates
   * @param onTrouble called when lines are lost
   */
  constructor(path: string, onTrouble: (error: unknown) => void) {
    this.#path = path
    this.#onTrouble = onTrouble
  }

  /** Adds a line, to be written soon. */
  append(line: string): void {
    this.#length += line.length
    if (this.#length > MOST_WAITING && this.#waiting.length > 0) {
      this.#lose(new Error('lines come faster than they can be written'))
      return
    }
    this.#waiting.push(line)
    this.#work ??= this.#write()
  }

  /** Writes the waiting lines, and ends the file. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#work
    if (this.#bytes === 0 || !this.#isWhole) return
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(this.#checksum, 0)
    trailer.writeUInt32LE(this.#plainBytes % 2 ** 32, 4)
    await appendFile(this.#path, Buffer.concat([LAST_BLOCK, trailer]), APPEND).catch(this.#onTrouble)
  }

  async #write(): Promise<void> {
    // Lines from the same turn of the event loop are written together.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const text = Buffer.from(`${this.#waiting.join('\n')}\n`)
      this.#waiting = []
      this.#length = 0
      try {
        await this.#writeText(text)
      } catch (error) {
        this.#lose(error)
      }
      if (!this.#ending.signal.aborted) await sleep(REST_MS, this.#ending.signal)
    }
    this.#work = undefined
  }

  async #writeText(text: Buffer): Promise<void> {
    const dictionary = this.#tail.length === 0 ? {} : { dictionary: this.#tail }
    const deflated = await deflate(text, { ...dictionary, finishFlush: constants.Z_SYNC_FLUSH })
    const isFirst = this.#bytes === 0
    const data = isFirst ? Buffer.concat([HEADER, deflated]) : deflated
    if (!this.#isWhole) await truncate(this.#path, this.#bytes)
    this.#isWhole = false
    if (isFirst) await (await open(this.#path, 'a', PRIVATE)).close()
    await appendFile(this.#path, data, APPEND)
    this.#isWhole = true
    this.#bytes += data.length
    this.#plainBytes += text.length
    this.#checksum = crc32(text, this.#checksum)
    this.#tail = Buffer.from(Buffer.concat([this.#tail, text.subarray(-WINDOW)]).subarray(-WINDOW))
  }

  #lose(error: unknown): void {
    this.#waiting = []
    this.#length = 0
    this.#onTrouble(error)
  }
}

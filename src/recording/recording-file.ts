import { appendFile, constants as FILE, open, truncate } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { PRIVATE } from '../lib/private-file.js'
import { inNextTurn, sleep } from '../lib/time.js'

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
 * @param path a new file, which the first write creates
 * @param onTrouble called when lines are lost
 */
export function recordingFile(path: string, onTrouble: (error: unknown) => void) {
  let waiting: string[] = []
  let length = 0
  let tail = Buffer.alloc(0)
  let checksum = 0
  let plainBytes = 0
  /** Bytes written, except by a failed write. */
  let bytes = 0
  let isWhole = true
  let work: Promise<void> | undefined
  const ending = new AbortController()
  return { append, end }

  /** Adds a line, to be written soon. */
  function append(line: string): void {
    length += line.length
    if (length > MOST_WAITING && waiting.length > 0) {
      lose(new Error('lines come faster than they can be written'))
      return
    }
    waiting.push(line)
    work ??= write()
  }

  /** Writes the waiting lines, and ends the file. */
  async function end(): Promise<void> {
    ending.abort()
    await work
    if (bytes === 0 || !isWhole) return
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(checksum, 0)
    trailer.writeUInt32LE(plainBytes % 2 ** 32, 4)
    await appendFile(path, Buffer.concat([LAST_BLOCK, trailer]), APPEND).catch(onTrouble)
  }

  async function write(): Promise<void> {
    // Lines from the same turn of the event loop are written together.
    await new Promise(inNextTurn)
    while (waiting.length > 0) {
      const text = Buffer.from(`${waiting.join('\n')}\n`)
      waiting = []
      length = 0
      await writeText(text).catch(lose)
      if (!ending.signal.aborted) await sleep(REST_MS, ending.signal)
    }
    work = undefined
  }

  async function writeText(text: Buffer): Promise<void> {
    const dictionary = tail.length === 0 ? {} : { dictionary: tail }
    const deflated = await deflate(text, { ...dictionary, finishFlush: constants.Z_SYNC_FLUSH })
    const isFirst = bytes === 0
    const data = isFirst ? Buffer.concat([HEADER, deflated]) : deflated
    if (!isWhole) await truncate(path, bytes)
    isWhole = false
    if (isFirst) await (await open(path, 'a', PRIVATE)).close()
    await appendFile(path, data, APPEND)
    isWhole = true
    bytes += data.length
    plainBytes += text.length
    checksum = crc32(text, checksum)
    tail = Buffer.from(Buffer.concat([tail, text.subarray(-WINDOW)]).subarray(-WINDOW))
  }

  function lose(error: unknown): void {
    waiting = []
    length = 0
    onTrouble(error)
  }
}

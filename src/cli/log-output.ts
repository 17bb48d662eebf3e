import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of characters queued; further lines are dropped. */
const LIMIT = 4 * 1024 * 1024

/** Number of characters written at once, roughly. */
const CHUNK = 64 * 1024

/** Milliseconds before lines are written, with those that come meanwhile, and before a failed write is retried. */
const PAUSE_MS = 10
/** Milliseconds for which a failed write is retried when the process exits. */
const FINAL_MS = 700

/** Writes bytes to a file descriptor. @returns how many were written @throws `EAGAIN` if it accepts none now */
type Write = (bytes: Buffer) => number

/** Acts after a while, if the process has not ended. */
type Later = (act: () => void) => unknown

/** A call of the system for each request would cost a fifth of the request. */
const inAMoment: Later = (act) => setTimeout(act, PAUSE_MS).unref()

/**
 * Writes log lines without ever blocking: lines that come together are written together, and those that a pipe does
 * not accept are queued, up to a limit. Lines beyond it are dropped and counted.
 */
export class LogOutput implements DestinationStream {
  readonly #write: Write
  readonly #limit: number
  readonly #later: Later
  /** The newest lines, and the number of characters in them. */
  #lines: string[] = []
  #linesLength = 0
  /**
   * Lines before them, joined: a logger builds each from dozens of strings, which garbage collection would have to look
   * through for as long as nobody reads the log.
   */
  readonly #chunks: string[] = []
  /** Number of characters in the queue. */
  #length = 0
  /** The rest of a chunk that was partly written. */
  #rest: Buffer | undefined
  #omitted = 0
  #isPlanned = false
  /** Called with the number of dropped lines, when there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(write: Write, limit = LIMIT, later = inAMoment) {
    this.#write = write
    this.#limit = limit
    this.#later = later
  }

  write(line: string): void {
    if (this.#omitted > 0 || this.#length + line.length > this.#limit) {
      this.#omitted++
    } else {
      this.#lines.push(line)
      this.#linesLength += line.length
      this.#length += line.length
      if (this.#linesLength >= CHUNK) this.#join()
    }
    if (this.#isPlanned) return
    this.#isPlanned = true
    this.#later(this.#go)
  }

  /** Writes the queue when the process exits: waits for a reader, but not for long. */
  finish(patience = FINAL_MS): void {
    const end = Date.now() + patience
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    while (!this.#flush() && Date.now() < end) Atomics.wait(nobody, 0, 0, PAUSE_MS)
  }

  readonly #go = (): void => {
    this.#isPlanned = !this.#flush()
    if (this.#isPlanned) this.#later(this.#go)
  }

  /** Writes as much as is accepted. @returns whether that was all */
  #flush(): boolean {
    for (;;) {
      this.#tell()
      const bytes = this.#rest ?? this.#next()
      if (bytes === undefined) return true
      try {
        const written = this.#write(bytes)
        this.#rest = written < bytes.length ? bytes.subarray(written) : undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
          this.#rest = bytes
          return false
        }
        // The reader has gone, or the disk is full. Nobody is left to tell.
        this.#rest = undefined
      }
    }
  }

  #tell(): void {
    if (this.#omitted === 0 || this.#length > this.#limit / 2) return
    const omitted = this.#omitted
    this.#omitted = 0
    this.onRoom(omitted)
  }

  #next(): Buffer | undefined {
    if (this.#chunks.length === 0 && this.#lines.length > 0) this.#join()
    const chunk = this.#chunks.shift()
    if (chunk === undefined) return undefined
    this.#length -= chunk.length
    return Buffer.from(chunk)
  }

  #join(): void {
    this.#chunks.push(this.#lines.join(''))
    this.#lines = []
    this.#linesLength = 0
  }
}

export function writeTo(fd: number): Write {
  return (bytes) => writeSync(fd, bytes)
}

import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** How many characters may wait to be written; what comes then is left out. */
const LIMIT = 4 * 1024 * 1024

/** How many are written at once. */
const CHUNK = 64 * 1024

/** Milliseconds until what could not be written is tried again, and for how long it is tried when the process ends. */
const RETRY_MS = 10
const FINAL_MS = 700

/** Writes bytes to a file descriptor. @returns how many. @throws `EAGAIN` if it takes none for now */
export type Write = (bytes: Buffer) => number

/**
 * Where the lines of the log go, without anybody ever waiting for it: lines of one turn of the event loop are written
 * together, and what a pipe does not take waits, up to a limit. Beyond it lines are left out, and counted.
 */
export class LogOutput implements DestinationStream {
  readonly #write: Write
  readonly #limit: number
  #lines: string[] = []
  /** How many characters wait in the lines. */
  #length = 0
  /** What a pipe has taken the beginning of. */
  #rest: Buffer | undefined
  #omitted = 0
  #isPlanned = false
  /** Is told how many lines were left out, when there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(write: Write, limit = LIMIT) {
    this.#write = write
    this.#limit = limit
  }

  write(line: string): void {
    if (this.#omitted > 0 || this.#length + line.length > this.#limit) {
      this.#omitted++
    } else {
      this.#lines.push(line)
      this.#length += line.length
    }
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(this.#go)
  }

  /** Writes what waits, now that the process ends: it waits for a reader, but not for long. */
  finish(patience = FINAL_MS): void {
    const end = Date.now() + patience
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    while (!this.#flush() && Date.now() < end) Atomics.wait(nobody, 0, 0, RETRY_MS)
  }

  readonly #go = (): void => {
    this.#isPlanned = !this.#flush()
    if (this.#isPlanned) setTimeout(this.#go, RETRY_MS).unref()
  }

  /** Writes as much as is taken. @returns whether that was all */
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
        // The reader has gone, or the disk is full. There is nobody to tell.
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
    if (this.#lines.length === 0) return undefined
    let [count, length] = [0, 0]
    while (count < this.#lines.length && length < CHUNK) length += this.#lines[count++]!.length
    this.#length -= length
    return Buffer.from((count === this.#lines.length ? this.#lines.splice(0) : this.#lines.splice(0, count)).join(''))
  }
}

/** Writes to a file descriptor. */
export function writeTo(fd: number): Write {
  return (bytes) => writeSync(fd, bytes)
}

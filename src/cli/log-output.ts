import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of bytes queued. */
const LIMIT = 4 * 1024 * 1024

/** At most, in UTF-8, for each unit of a string. */
const BYTES_PER_CHARACTER = 3

/** How long lines are collected before they are written, and the pause before a failed write is retried. */
const PAUSE_MS = 10
/** How long failed writes are retried when the process exits. */
const FINAL_MS = 700

/**
 * Formats and writes log lines in batches, without ever blocking: what a pipe does not accept waits in a queue. If that
 * is full, further lines are dropped and counted.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number
  /** Bytes, because the garbage collector would copy waiting strings, for a fifth of the cost of a request. */
  readonly #queue = Buffer.allocUnsafe(LIMIT)
  #start = 0
  #end = 0
  #omitted = 0
  #isPlanned = false
  /** Write the lines of the next batch. */
  readonly #waiting: (() => void)[] = []
  /** Called with the number of dropped lines once there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Writes lines with the next batch. Formatting one between two requests takes several times as long. */
  later(write: () => void): void {
    this.#waiting.push(write)
    if (!this.#isPlanned) this.#plan()
  }

  /** Queues a line, while a batch is written. */
  write(line: string): void {
    if (this.#omitted > 0 || !this.#hasRoom(line)) this.#omitted++
    else this.#end += this.#queue.write(line, this.#end)
  }

  /** Writes the queue when the process exits, and waits briefly for a reader. */
  finish(): void {
    const end = Date.now() + FINAL_MS
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    while (!this.#flush() && Date.now() < end) Atomics.wait(nobody, 0, 0, PAUSE_MS)
  }

  /** A system call for each request would cost a fifth of the request. */
  #plan(): void {
    this.#isPlanned = true
    setTimeout(() => {
      const isDone = this.#flush()
      this.#isPlanned = false
      if (!isDone) this.#plan()
    }, PAUSE_MS).unref()
  }

  #hasRoom(line: string): boolean {
    if (line.length * BYTES_PER_CHARACTER <= LIMIT - this.#end) return true
    if (this.#start > 0) {
      this.#queue.copyWithin(0, this.#start, this.#end)
      this.#end -= this.#start
      this.#start = 0
    }
    return Buffer.byteLength(line) <= LIMIT - this.#end
  }

  /** @returns whether everything was accepted */
  #flush(): boolean {
    for (;;) {
      this.#reportOmitted()
      for (const write of this.#waiting.splice(0)) write()
      if (this.#start === this.#end) {
        this.#start = this.#end = 0
        return true
      }
      try {
        this.#start += writeSync(this.#fd, this.#queue, this.#start, this.#end - this.#start)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
        // The reader has gone, or the disk is full, so there is nowhere to report it.
        this.#start = this.#end
      }
    }
  }

  #reportOmitted(): void {
    if (this.#omitted === 0 || this.#end - this.#start > LIMIT / 2) return
    const omitted = this.#omitted
    this.#omitted = 0
    this.onRoom(omitted)
  }
}

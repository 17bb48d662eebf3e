import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of bytes queued. */
const LIMIT = 4 * 1024 * 1024

/** How long lines are collected before they are written, and the pause before a failed write is retried. */
const PAUSE_MS = 10
/** How long failed writes are retried when the process exits. */
const FINAL_MS = 700

/**
 * Formats and writes log lines in batches, without ever blocking: what a pipe does not accept waits in a queue. If that
 * is full, further lines are dropped and counted.
 */
export class LogOutput implements DestinationStream {
  /** The queue: bytes that are being written, lines behind them, and the number of bytes of both. */
  #bytes = Buffer.alloc(0)
  #text = ''
  #length = 0
  #omitted = 0
  #isPlanned = false
  /** Write the lines of the next batch. */
  readonly #waiting: (() => void)[] = []
  /** Called with the number of dropped lines once there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(private readonly fd: number) {}

  /** Writes lines with the next batch. Formatting one between two requests takes several times as long. */
  later(write: () => void): void {
    this.#waiting.push(write)
    if (!this.#isPlanned) this.#plan()
  }

  /** Queues a line, while a batch is written. */
  write(line: string): void {
    const length = Buffer.byteLength(line)
    if (this.#omitted > 0 || this.#length + length > LIMIT) {
      this.#omitted++
      return
    }
    this.#text += line
    this.#length += length
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

  /** @returns whether everything was accepted */
  #flush(): boolean {
    for (;;) {
      if (this.#omitted > 0 && this.#length <= LIMIT / 2) {
        const omitted = this.#omitted
        this.#omitted = 0
        this.onRoom(omitted)
      }
      for (const write of this.#waiting.splice(0)) write()
      if (this.#length === 0) return true
      if (this.#bytes.length === 0) {
        this.#bytes = Buffer.from(this.#text)
        this.#text = ''
      }
      let written = this.#bytes.length
      try {
        written = writeSync(this.fd, this.#bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
        // The reader has gone, or the disk is full, so there is nowhere to report it.
      }
      this.#bytes = this.#bytes.subarray(written)
      this.#length -= written
    }
  }
}

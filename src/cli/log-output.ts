import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of bytes queued; further lines are dropped. */
const LIMIT = 4 * 1024 * 1024

/** No character of a string takes more bytes. */
const BYTES_PER_CHARACTER = 3

/** Milliseconds before lines are written, with those that come meanwhile, and before a failed write is retried. */
const PAUSE_MS = 10
/** Milliseconds for which a failed write is retried when the process exits. */
const FINAL_MS = 700

/**
 * Writes log lines without ever blocking: lines that come together are written together, and those that a pipe does
 * not accept are queued, up to a limit. Lines beyond it are dropped and counted.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number
  /** Queued as bytes: the garbage collector would copy strings that wait, at a fifth of the cost of a request. */
  readonly #queue = Buffer.allocUnsafe(LIMIT)
  #start = 0
  #end = 0
  #omitted = 0
  #isPlanned = false
  /** Called with the number of dropped lines, when there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#omitted > 0 || !this.#hasRoom(line)) this.#omitted++
    else this.#end += this.#queue.write(line, this.#end)
    if (!this.#isPlanned) this.#plan()
  }

  /** Writes the queue when the process exits: waits for a reader, but not for long. */
  finish(): void {
    const end = Date.now() + FINAL_MS
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    while (!this.#flush() && Date.now() < end) Atomics.wait(nobody, 0, 0, PAUSE_MS)
  }

  /** A call of the system for each request would cost a fifth of the request. */
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

  /** Writes as much as is accepted. @returns whether that was all */
  #flush(): boolean {
    for (;;) {
      this.#reportOmitted()
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

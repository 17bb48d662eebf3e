import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of characters queued; further lines are dropped. */
const LIMIT = 4 * 1024 * 1024

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
  #lines: string[] = []
  /** Number of characters in them. */
  #length = 0
  /** The rest of lines that were partly written. */
  #rest: Buffer | undefined
  #omitted = 0
  #isPlanned = false
  /** Called with the number of dropped lines, when there is room again. */
  onRoom: (omitted: number) => void = () => undefined

  constructor(fd: number) {
    this.#fd = fd
  }

  get #waiting(): number {
    return this.#length + (this.#rest?.length ?? 0)
  }

  write(line: string): void {
    if (this.#omitted > 0 || this.#waiting + line.length > LIMIT) {
      this.#omitted++
    } else {
      this.#lines.push(line)
      this.#length += line.length
    }
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

  /** Writes as much as is accepted. @returns whether that was all */
  #flush(): boolean {
    for (;;) {
      this.#tell()
      const bytes = this.#rest ?? this.#next()
      if (bytes === undefined) return true
      try {
        const written = writeSync(this.#fd, bytes)
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
    if (this.#omitted === 0 || this.#waiting > LIMIT / 2) return
    const omitted = this.#omitted
    this.#omitted = 0
    this.onRoom(omitted)
  }

  #next(): Buffer | undefined {
    if (this.#lines.length === 0) return undefined
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#length = 0
    return bytes
  }
}

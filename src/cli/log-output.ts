import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Maximum number of characters queued; further lines are dropped. */
const LIMIT = 4 * 1024 * 1024

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
  #lines: string[] = []
  /** Number of characters in them. */
  #length = 0
  /** The rest of lines that were partly written. */
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
      this.#length += line.length
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
    if (this.#lines.length === 0) return undefined
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#length = 0
    return bytes
  }
}

export function writeTo(fd: number): Write {
  return (bytes) => writeSync(fd, bytes)
}

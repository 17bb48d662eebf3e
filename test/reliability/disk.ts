import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** Compiles the library that logs disk writes and lets them fail. @returns undefined if that is not possible */
export function compileLog(t: Test, directory: string): string | undefined {
  if (process.platform !== 'linux') {
    t.comment('only Linux preloads a library like this')
    return undefined
  }
  const library = join(directory, 'disk-log.so')
  const source = fileURLToPath(new URL('disk-log.c', import.meta.url))
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' })
    return library
  } catch (error) {
    t.comment(`the library that notes what reaches the disk cannot be compiled: ${(error as Error).message}`)
    return undefined
  }
}

/** An entry of `disk-log.c`: a successful call that changed a database's files. */
export interface DiskCall {
  readonly op: 'C' | 'W' | 'T' | 'S' | 'U'
  /** Index into {@link SUFFIXES}, or {@link DIRECTORY}. */
  readonly file: number
  /** Where it wrote, or the size to which it truncated the file. */
  readonly offset: number
  readonly data: Buffer
  /** Length of the log after it. */
  readonly position: number
}

const SUFFIXES = ['', '-wal', '-journal'] as const
const DIRECTORY = 3
const SECTOR = 512

/** Copies the files of a database that is in use, as a crash would leave them. */
export function copyDatabase(from: string, to: string): void {
  for (const suffix of SUFFIXES) {
    rmSync(to + suffix, { force: true })
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  }
}

export function readCalls(log: Buffer): DiskCall[] {
  const calls: DiskCall[] = []
  for (let at = 0; at < log.length;) {
    const end = at + 16 + log.readUInt32LE(at + 4)
    calls.push({
      op: String.fromCharCode(log[at]!) as DiskCall['op'],
      file: log[at + 1]!,
      offset: Number(log.readBigUInt64LE(at + 8)),
      data: log.subarray(at + 16, end),
      position: end
    })
    at = end
  }
  return calls
}

/**
 * How much unsynced data a power cut loses: all, none, some sectors of each call, or those with random bytes where a
 * file was extended but not written.
 */
export const LOSSES = ['all', 'none', 'sectors', 'garbage'] as const
export type Loss = (typeof LOSSES)[number]

class Content {
  synced: Buffer = Buffer.alloc(0)
  waiting: DiskCall[] = []

  sync(): void {
    this.synced = this.#after(
      this.waiting.map((call) => ({ call, sectors: () => true })),
      Buffer.alloc(SECTOR)
    )
    this.waiting = []
  }

  /** The content on the disk after a power cut. */
  after(loss: Loss, chance: () => number): Buffer {
    const isLucky = () => chance() < 0.5
    const noise = Buffer.from(Array.from({ length: SECTOR }, () => (loss === 'garbage' ? chance() * 256 : 0)))
    const all = this.waiting.map((call) => ({ call, sectors: () => loss === 'none' || isLucky() }))
    return loss === 'all' ? this.synced : this.#after(all, noise)
  }

  #after(calls: { call: DiskCall; sectors: () => boolean }[], noise: Buffer): Buffer {
    const most = Math.max(this.synced.length, ...calls.map(({ call: { offset, data } }) => offset + data.length))
    const content = Buffer.alloc(most)
    this.synced.copy(content)
    for (let index = this.synced.length; index < most; index++) content[index] = noise[index % SECTOR]!
    let size = this.synced.length
    for (const {
      call: { op, offset, data },
      sectors
    } of calls) {
      if (op === 'T') {
        if (!sectors()) continue
        content.fill(0, offset)
        size = offset
        continue
      }
      for (let from = 0; from < data.length;) {
        const to = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR))
        if (sectors()) {
          data.copy(content, offset + from, from, to)
          size = Math.max(size, offset + to)
        }
        from = to
      }
    }
    return content.subarray(0, size)
  }
}

/**
 * A disk that surely keeps only what was synced: the content of files and, by a sync of the directory, their names. A
 * sector is written completely or not at all.
 */
export class Disk {
  readonly #synced = new Map<number, Content>()
  readonly #names = new Map<number, Content>()
  #waiting: { file: number; content: Content | undefined }[] = []

  apply(call: DiskCall): void {
    const { op, file } = call
    if (op === 'S' && file === DIRECTORY) {
      this.#rename(this.#synced, this.#waiting)
      this.#waiting = []
    } else if (op === 'S') {
      this.#names.get(file)?.sync()
    } else if (op === 'W' || op === 'T') {
      this.#names.get(file)!.waiting.push(call)
    } else {
      const change = { file, content: op === 'C' ? new Content() : undefined }
      this.#rename(this.#names, [change])
      this.#waiting.push(change)
    }
  }

  /** Writes the files that a power cut leaves. */
  cut(path: string, loss: Loss, chance: () => number): void {
    const names = new Map(this.#synced)
    const reached =
      loss === 'none' ? this.#waiting.length : loss === 'all' ? 0 : Math.floor(chance() * (this.#waiting.length + 1))
    this.#rename(names, this.#waiting.slice(0, reached))
    for (const [file, suffix] of SUFFIXES.entries()) {
      rmSync(`${path}${suffix}`, { force: true })
      const content = names.get(file)
      if (content !== undefined) writeFileSync(`${path}${suffix}`, content.after(loss, chance))
    }
  }

  #rename(names: Map<number, Content>, changes: readonly { file: number; content: Content | undefined }[]): void {
    for (const { file, content } of changes) {
      if (content === undefined) names.delete(file)
      else names.set(file, content)
    }
  }
}

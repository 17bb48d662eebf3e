import { type FileHandle, open } from 'node:fs/promises'
import { PRIVATE } from '../../lib/private-file.js'
import { HAR_HEAD, HAR_TAIL } from './write.js'

/**
 * An HTTP Archive that is complete after each entry: one write replaces the end of the file by the entry and a new end,
 * so nothing is lost if the process is killed.
 */
export class HarFile {
  readonly #file: FileHandle
  /** Where the next entry goes. */
  #end: number
  #isFirst = true
  #work: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle, end: number) {
    this.#file = file
    this.#end = end
  }

  /** Creates a file without entries. @throws the error of the file system, also if a file exists that must stay */
  static async create(path: string, mayReplace: boolean): Promise<HarFile> {
    const file = await open(path, mayReplace ? 'w' : 'wx', PRIVATE)
    // A file that exists would keep its mode; a device must.
    if (mayReplace && (await file.stat()).isFile()) await file.chmod(PRIVATE)
    await writeAll(file, Buffer.from(HAR_HEAD + HAR_TAIL), 0)
    return new HarFile(file, Buffer.byteLength(HAR_HEAD))
  }

  /** Adds an entry, in JSON. @throws an error if the file cannot be written, which is then as before */
  append(entry: Uint8Array): Promise<void> {
    const written = this.#work.then(() => this.#write(entry))
    this.#work = written.catch(() => undefined)
    return written
  }

  /** Closes the file when everything is written. */
  async close(): Promise<void> {
    await this.#work
    await this.#file.close()
  }

  async #write(entry: Uint8Array): Promise<void> {
    const before = this.#isFirst ? '\n' : ',\n'
    const end = this.#end
    const stats = await this.#file.stat()
    // Entries would be lost in a removed file, and spoil one that a second recorder writes.
    if (stats.isFile() && (stats.nlink === 0 || stats.size !== end + HAR_TAIL.length))
      throw new Error('another program has removed or changed it')
    try {
      await writeAll(this.#file, Buffer.concat([Buffer.from(before), entry, Buffer.from(HAR_TAIL)]), end)
    } catch (error) {
      await this.#restore(end)
      throw error
    }
    this.#isFirst = false
    this.#end = end + before.length + entry.length
  }

  /** Removes an entry that was partly written. */
  async #restore(end: number): Promise<void> {
    const tail = Buffer.from(HAR_TAIL)
    await writeAll(this.#file, tail, end)
      .then(() => this.#file.truncate(end + tail.length))
      .catch(() => undefined)
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten
}

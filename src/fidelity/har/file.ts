import { open } from 'node:fs/promises'
import { PRIVATE } from '../../lib/private-file.js'
import { HAR_HEAD, HAR_TAIL } from './write.js'

/**
 * Creates an HTTP Archive that is complete after each entry: one write replaces the end of the file by the entry and a
 * new end, so nothing is lost if the process is killed.
 * @throws the error of the file system, also if a file exists that must stay
 */
export async function createHar(path: string, mayReplace: boolean) {
  const file = await open(path, mayReplace ? 'w' : 'wx', PRIVATE)
  // A file that exists would keep its mode; a device must.
  if (mayReplace && (await file.stat()).isFile()) await file.chmod(PRIVATE)
  await writeAll(Buffer.from(HAR_HEAD + HAR_TAIL), 0)
  let before = '\n'
  /** Where the next entry goes. */
  let end = Buffer.byteLength(HAR_HEAD)
  return { append, close: () => file.close() }

  /** Adds an entry, in JSON, after the one before is written. @throws if it cannot; the file is then as before */
  async function append(entry: Uint8Array): Promise<void> {
    const stats = await file.stat()
    // Entries would be lost in a removed file, and spoil one that a second recorder writes.
    if (stats.isFile() && (stats.nlink === 0 || stats.size !== end + HAR_TAIL.length))
      throw new Error('another program has removed or changed it')
    const tail = Buffer.from(HAR_TAIL)
    try {
      await writeAll(Buffer.concat([Buffer.from(before), entry, tail]), end)
    } catch (error) {
      // Remove an entry that was partly written.
      await writeAll(tail, end)
        .then(() => file.truncate(end + tail.length))
        .catch(() => undefined)
      throw error
    }
    end += before.length + entry.length
    before = ',\n'
  }

  async function writeAll(bytes: Buffer, position: number): Promise<void> {
    for (let written = 0; written < bytes.length;)
      written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}

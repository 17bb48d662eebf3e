import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { TextDecoder } from 'node:util'
import { constants, createGunzip } from 'node:zlib'
import { fileProblem } from '../lib/file-problem.js'
import { MAX_LINE } from './format.js'
import { RecordingError } from './recording-error.js'

/**
 * Reads the lines of a recording, compressed or not, without keeping it in memory. If its end is missing, reads all
 * whole lines.
 * @throws {RecordingError} if the file cannot be read, is damaged, or has a line that is too long
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  // A missing end is no error: the server may have been killed.
  const source = (await isGzip(path)) ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }) : new PassThrough()
  const file = createReadStream(path)
  file.on('error', (error) => source.destroy(error))
  file.pipe(source)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let parts: string[] = []
  let length = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      let rest = decoder.decode(chunk, { stream: true })
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        parts.push(rest.slice(0, end))
        yield parts.join('')
        parts = []
        length = 0
        rest = rest.slice(end + 1)
      }
      length += rest.length
      if (length > MAX_LINE) throw new RecordingError(`has a line of more than ${MAX_LINE} characters`)
      if (rest !== '') parts.push(rest)
    }
  } catch (error) {
    throw error instanceof RecordingError ? error : new RecordingError(problemOf(error), { cause: error })
  } finally {
    file.destroy()
    source.destroy()
  }
}

async function isGzip(path: string): Promise<boolean> {
  let file
  try {
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } catch (error) {
    throw new RecordingError(problemOf(error), { cause: error })
  } finally {
    await file?.close()
  }
}

function problemOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'Z_DATA_ERROR' && (error as Error).message === 'incorrect header check') return 'is not a recording'
  if (code.startsWith('Z_') || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is damaged'
  return fileProblem(error, 'read')
}

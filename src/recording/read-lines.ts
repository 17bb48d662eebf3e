import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { TextDecoder } from 'node:util'
import { constants, createGunzip } from 'node:zlib'
import { fileProblem } from '../lib/file-problem.js'
import { isUtf16, textIn } from '../lib/text-in.js'
import { MAX_LINE } from './format.js'
import { RecordingError } from './recording-error.js'

/**
 * Reads the lines of a recording, compressed or not, without keeping it in memory. If its end is missing, reads all
 * whole lines.
 * @throws {RecordingError} if the file cannot be read, is damaged, or has a line that is too long
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const beginning = await beginningOf(path)
  // A missing end is no error: the server may have been killed.
  const source = isGzip(beginning) ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }) : new PassThrough()
  const file = createReadStream(path)
  file.on('error', (error) => source.destroy(error))
  file.pipe(source)
  const decoder = new TextDecoder(isUtf16(beginning) ? 'utf-16le' : 'utf-8', { fatal: true })
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

/** Whether the contents of a file begin like a recording, compressed or not. */
export async function isRecording(path: string): Promise<boolean> {
  const beginning = await beginningOf(path)
  return isGzip(beginning) || textIn(beginning).startsWith('{"svcmock":')
}

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Bytes at the beginning of a file that identify its format. */
const BEGINNING = 64

async function beginningOf(path: string): Promise<Buffer> {
  let file
  try {
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
    return buffer.subarray(0, bytesRead)
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

import { open } from 'node:fs/promises'
import { fileProblem } from '../lib/file-problem.js'
import { RecordingError } from '../recording/recording-error.js'
import type { Exchange } from './exchange.js'
import { HarProblem, readHar, type Unnumbered } from './har/read.js'
import { readRecording } from './recorded.js'

/** A file of exchanges cannot be used. The message is one line for the user. */
export class ExchangeFileError extends Error {
  override readonly name = 'ExchangeFileError'
}

/** Maximum size of an HTTP Archive, in bytes: it is read as a whole. */
const MAX_HAR_BYTES = 256 * 1024 * 1024

/** Bytes at the beginning of a file that identify its format. */
const BEGINNING = 64

/**
 * Reads exchanges from HTTP Archives and recordings, in the order in which they were sent. The contents of a file, not
 * its name, tell its format.
 * @param maxBytes lower in tests
 * @throws {ExchangeFileError} if a file cannot be used
 */
export async function readExchanges(files: readonly string[], maxBytes = MAX_HAR_BYTES): Promise<Exchange[]> {
  const all: Unnumbered[] = []
  for (const file of files) for (const exchange of await readFrom(file, maxBytes)) all.push(exchange)
  return all.sort((a, b) => a.sent - b.sent).map((exchange, index) => ({ number: index + 1, ...exchange }))
}

async function readFrom(file: string, maxBytes: number): Promise<Unnumbered[]> {
  try {
    const text = await textOfHar(file, maxBytes)
    return text === undefined ? await readRecording(file) : readHar(text)
  } catch (error) {
    if (error instanceof HarProblem || error instanceof RecordingError)
      throw new ExchangeFileError(`${file} ${error.message}`, { cause: error })
    throw error
  }
}

/** The text of an HTTP Archive; undefined if the file is a recording. */
async function textOfHar(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
      const beginning = buffer.toString('latin1', 0, bytesRead)
      if (beginning.startsWith('\x1f\x8b') || /^\{"svcmock":/.test(beginning)) return undefined
      if (bytesRead === 0) throw new HarProblem('is empty')
      if (size > maxBytes)
        throw new HarProblem(`has ${size} bytes; at most ${maxBytes} are read, so save fewer exchanges in each file`)
      return (await file.readFile('utf8')).replace(/^\ufeff/, '')
    } finally {
      await file.close()
    }
  } catch (error) {
    throw error instanceof HarProblem ? error : new HarProblem(fileProblem(error, 'read'), { cause: error })
  }
}

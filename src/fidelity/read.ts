import { readFile, stat } from 'node:fs/promises'
import { fileProblem } from '../lib/file-problem.js'
import { textIn } from '../lib/text-in.js'
import { isRecording } from '../recording/read-lines.js'
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
    return (await isRecording(file)) ? await readRecording(file) : readHar(await textOfHar(file, maxBytes))
  } catch (error) {
    if (error instanceof HarProblem || error instanceof RecordingError)
      throw new ExchangeFileError(`${file} ${error.message}`, { cause: error })
    throw error
  }
}

/** The text of an HTTP Archive. @throws {HarProblem} if it is empty or too large, or cannot be read */
async function textOfHar(path: string, maxBytes: number): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size === 0) throw new HarProblem('is empty')
    if (size > maxBytes)
      throw new HarProblem(`has ${size} bytes; at most ${maxBytes} are read, so save fewer exchanges in each file`)
    return textIn(await readFile(path))
  } catch (error) {
    throw error instanceof HarProblem ? error : new HarProblem(fileProblem(error, 'read'), { cause: error })
  }
}

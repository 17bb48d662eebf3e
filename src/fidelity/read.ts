import { open } from 'node:fs/promises'
import { fileProblem } from '../lib/file-problem.js'
import { RecordingError } from '../recording/recording-error.js'
import type { Exchange } from './exchange.js'
import { ExchangeFileError } from './exchange-file-error.js'
import { HarProblem, readHar, type Unnumbered } from './har/read.js'
import { readRecording } from './recorded.js'

/** Maximum size of an HTTP Archive, in bytes: it is read as a whole. */
const MAX_HAR_BYTES = 256 * 1024 * 1024

/** How much of a file says what it is, in bytes. */
const BEGINNING = 64

/** How to read files of exchanges. */
interface ReadOptions {
  /** Gets a sentence about a file that can be read, but says less than it could. */
  readonly onRemark?: (remark: string) => void
  /** Lowered by tests. */
  readonly maxBytes?: number
}

/**
 * Reads exchanges from HTTP Archives and recordings, in the order in which they were sent. The contents of a file say
 * what it is, not its name.
 * @throws {ExchangeFileError} if a file cannot be used
 */
export async function readExchanges(
  files: readonly string[],
  { onRemark, maxBytes = MAX_HAR_BYTES }: ReadOptions = {}
): Promise<Exchange[]> {
  const all: Unnumbered[] = []
  for (const file of files) for (const exchange of await readFrom(file, maxBytes, onRemark)) all.push(exchange)
  return all.sort((a, b) => a.sent - b.sent).map((exchange, index) => ({ number: index + 1, ...exchange }))
}

async function readFrom(file: string, maxBytes: number, onRemark: ReadOptions['onRemark']) {
  try {
    const text = await textOfHar(file, maxBytes)
    if (text === undefined) return await readRecording(file)
    const exchanges = readHar(text)
    const isBare = exchanges.every(({ body }) => body === undefined)
    if (isBare && exchanges.some(({ isBodyOmitted }) => isBodyOmitted === true))
      onRemark?.(`${file} has no bodies of replies, so only statuses and headers can be compared; save it with content`)
    return exchanges
  } catch (error) {
    if (error instanceof HarProblem || error instanceof RecordingError)
      throw new ExchangeFileError(file, error.message, { cause: error })
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
      if (beginning.startsWith('PK\x03\x04'))
        throw new HarProblem('is a zip archive; unpack it, and name the .har file in it')
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

import { readFile } from 'node:fs/promises'
import type { ControlPlane } from '../control-plane.js'
import { ServiceError } from '../lib/errors.js'
import { prepareState } from './prepare.js'
import type { PreparedState } from './schemas.js'

/** A seed file cannot be used; the message is one line for the user. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError'
}

/** A file cannot be read as a document; the message says why, as the end of a sentence that begins with the file. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

/**
 * Reads a state document from a file, in JSON or YAML.
 * @throws {DocumentError} if it cannot be read, or is neither
 */
export async function readDocument(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new DocumentError(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`, {
      cause: error
    })
  })
  // JSON is YAML, too; the library is loaded only where a file is.
  const { parse } = await import('yaml')
  try {
    return parse(text, { prettyErrors: true, logLevel: 'error' })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new DocumentError(`is neither JSON nor YAML: ${reason!.replace(/:$/, '')}`, { cause: error })
  }
}

/**
 * Reads the baseline of new sandboxes.
 * @throws {SeedFileError} naming everything that is wrong in the file by its path
 */
export async function readSeedFile(path: string, plane: ControlPlane): Promise<PreparedState> {
  try {
    return await prepareState(await readDocument(path), plane)
  } catch (error) {
    if (error instanceof DocumentError)
      throw new SeedFileError(`the seed file ${path} ${error.message}`, { cause: error.cause })
    if (!(error instanceof ServiceError)) throw error
    const faults = error.details.map(({ FieldName, Reason }) => `${FieldName === '' ? 'it' : FieldName} ${Reason}`)
    throw new SeedFileError(`the seed file ${path} is not valid: ${faults.join('; ').replaceAll(/\s+/g, ' ')}`, {
      cause: error
    })
  }
}

import { readFile } from 'node:fs/promises'
import type { ControlPlane } from '../control-plane.js'
import { ServiceError } from '../lib/errors.js'
import { prepareState } from './prepare.js'
import type { PreparedState } from './schemas.js'

/** A seed file cannot be used. The message is one line for the user. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError'
}

/** A file cannot be read as a document. The message completes the sentence that starts with the file name. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

/**
 * Reads a state document from a JSON or YAML file.
 * @throws {DocumentError} if it cannot be read, or is neither
 */
export async function readDocument(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new DocumentError(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`, {
      cause: error
    })
  })
  // JSON is valid YAML, too. The library is only loaded when a file is read.
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
 * @throws {SeedFileError} naming the paths of all errors in the file
 */
export async function readSeedFile(path: string, plane: ControlPlane): Promise<PreparedState> {
  try {
    return await prepareState(await readDocument(path), plane)
  } catch (error) {
    if (error instanceof DocumentError)
      throw new SeedFileError(`the seed file ${path} ${error.message}`, { cause: error.cause })
    if (!(error instanceof ServiceError)) throw error
    const errors = error.details.map(({ FieldName, Reason }) => `${FieldName === '' ? 'it' : FieldName} ${Reason}`)
    throw new SeedFileError(`the seed file ${path} is not valid: ${errors.join('; ').replaceAll(/\s+/g, ' ')}`, {
      cause: error
    })
  }
}

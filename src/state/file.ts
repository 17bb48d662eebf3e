import { readFile } from 'node:fs/promises'
import { ServiceError } from '../errors.js'
import type { World } from '../world.js'
import { prepareState } from './prepare.js'
import type { PreparedState } from './schemas.js'

/** A seed file cannot be used; the message is one line for the user. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError'
}

/**
 * Reads a state document from a file, in JSON or YAML.
 * @throws {SeedFileError} if it cannot be read, or is neither
 */
export async function readDocument(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SeedFileError(`the seed file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`, { cause: error })
  })
  // JSON is YAML, too; the library is loaded only where a file is.
  const { parse } = await import('yaml')
  try {
    return parse(text, { prettyErrors: true, logLevel: 'error' })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new SeedFileError(`the seed file ${path} is neither JSON nor YAML: ${reason!.replace(/:$/, '')}`, { cause: error })
  }
}

/**
 * Reads the baseline of new sandboxes.
 * @throws {SeedFileError} naming everything that is wrong in the file by its path
 */
export async function readSeedFile(path: string, engine: World['engine']): Promise<PreparedState> {
  const document = await readDocument(path)
  try {
    return await prepareState(document, engine)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const faults = error.details.map(({ FieldName, Reason }) => `${FieldName === '' ? 'it' : FieldName} ${Reason}`)
    throw new SeedFileError(`the seed file ${path} is not valid: ${faults.join('; ').replaceAll(/\s+/g, ' ')}`, { cause: error })
  }
}

import { listErrors } from '../interface/describe-errors.js'
import { DocumentError, readDocumentFile } from '../interface/document-file.js'
import { ServiceError } from '../interface/errors.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { prepareState } from './prepare.js'
import { type PreparedState, StateSchema } from './schemas.js'
import { SeedFileError } from './seed-file-error.js'

/**
 * Reads the baseline of new sandboxes.
 * @throws {SeedFileError} naming all errors in the file, where they are, and what was probably meant
 */
export async function readSeedFile(path: string, plane: ControlPlane): Promise<PreparedState> {
  const file = await readDocumentFile(path).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error
    throw new SeedFileError(`the seed file ${path} ${error.message}`, { cause: error.cause ?? error })
  })
  try {
    return await prepareState(file.document, plane)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const errors = listErrors(file, error.details, { name: 'a state document', schema: StateSchema })
    throw new SeedFileError(`the seed file ${path} is not valid: ${errors.join('; ')}`, { cause: error })
  }
}

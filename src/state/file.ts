import type { ControlPlane } from '../control-plane.js'
import { ServiceError } from '../lib/errors.js'
import { describeErrors } from './describe-errors.js'
import { DocumentError, readDocumentFile, SeedFileError } from './document-file.js'
import { prepareState } from './prepare.js'
import type { PreparedState } from './schemas.js'

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
    throw new SeedFileError(`the seed file ${path} is not valid: ${describeErrors(file, error.details)}`, {
      cause: error
    })
  }
}

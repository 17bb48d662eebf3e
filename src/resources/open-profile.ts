import { parse } from 'node:path'
import { listErrors } from '../interface/describe-errors.js'
import { DocumentError, type DocumentFile, MOST_BY_HAND, readDocumentFile } from '../interface/document-file.js'
import { ServiceError } from '../interface/errors.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { ProfileError } from '../lib/profile-error.js'
import { BUILT_IN, compileProfile, type Profile } from '../profile/profile.js'
import { ProfileSchema } from '../profile/schemas.js'
import { SHIPPED_PROFILES } from '../profile/shipped.js'
import { builtInWording } from './vocabulary.js'

interface Source {
  readonly file: Pick<DocumentFile, 'document'> & Partial<DocumentFile>
  /** How messages name it. */
  readonly name: string
  /** Without extension. */
  readonly fileName?: string
}

/**
 * Opens the profile that an option names.
 * @param given the name of a shipped profile, the path of a file in JSON or YAML, or the document itself; empty for the
 * built-in profile
 * @throws {ProfileError} with all problems and their places
 */
export async function openProfile(given: string | object): Promise<Profile> {
  if (given === '') return BUILT_IN
  const { file, name, fileName } = await read(given)
  try {
    return compileProfile(file.document, builtInWording, fileName)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const problems = listErrors(file, error.details, { name: 'a profile', schema: ProfileSchema })
    throw new ProfileError(`${name} is not valid: ${problems.join('; ')}`, { cause: error }, problems)
  }
}

async function read(given: string | object): Promise<Source> {
  if (typeof given !== 'string') return { file: { document: given }, name: 'the profile' }
  const name = `the profile ${given}`
  const shipped = Object.hasOwn(SHIPPED_PROFILES, given) && SHIPPED_PROFILES[given]
  if (shipped) return { file: { document: shipped.document }, name }
  const file = await readDocumentFile(given, { most: MOST_BY_HAND }).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error
    throw new ProfileError(`${name} ${error.message}${didYouMean(nearest(given, Object.keys(SHIPPED_PROFILES)))}`, {
      cause: error.cause ?? error
    })
  })
  return { file, name, fileName: parse(given).name }
}

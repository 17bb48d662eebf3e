import { parse } from 'node:path'
import { describeErrors } from '../interface/describe-errors.js'
import { DocumentError, type DocumentFile, MOST_BY_HAND, readDocumentFile } from '../interface/document-file.js'
import { ServiceError } from '../interface/errors.js'
import { BUILT_IN, compileProfile, type Profile } from './profile.js'
import { ProfileError } from './profile-error.js'
import { ProfileSchema } from './schemas.js'
import { SHIPPED_PROFILES } from './shipped.js'

type BuiltIn = Parameters<typeof compileProfile>[1]

/**
 * The profile that an option names.
 * @param given name of a profile that comes with svc-mock, path of a file in JSON or YAML, or the document itself;
 * empty: the built-in profile
 * @param builtIn the words that a profile can change
 * @throws {ProfileError} naming all errors, where they are, and what was probably meant
 */
export async function openProfile(given: string | object, builtIn: BuiltIn): Promise<Profile> {
  if (given === '') return BUILT_IN
  const shipped = typeof given === 'string' && Object.hasOwn(SHIPPED_PROFILES, given) && SHIPPED_PROFILES[given]
  if (shipped) return compiled({ document: shipped.document }, `the profile ${given}`, builtIn)
  if (typeof given !== 'string') return compiled({ document: given }, 'the profile', builtIn)
  const file = await readDocumentFile(given, { most: MOST_BY_HAND }).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error
    throw new ProfileError(`the profile ${given} ${error.message}`, { cause: error.cause ?? error })
  })
  return compiled(file, `the profile ${given}`, builtIn, parse(given).name)
}

function compiled(
  file: Pick<DocumentFile, 'document'> & Partial<DocumentFile>,
  name: string,
  builtIn: BuiltIn,
  fileName?: string
): Profile {
  try {
    return compileProfile(file.document, builtIn, fileName)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const kind = { name: 'a profile', schema: ProfileSchema }
    throw new ProfileError(`${name} is not valid: ${describeErrors(file, error.details, kind)}`, { cause: error })
  }
}

import { parse } from 'node:path'
import { listErrors } from '../interface/describe-errors.js'
import { DocumentError, type DocumentFile, MOST_BY_HAND, readDocumentFile } from '../interface/document-file.js'
import { ServiceError } from '../interface/errors.js'
import { BUILT_IN, compileProfile, type Profile } from './profile.js'
import { ProfileError } from './profile-error.js'
import { ProfileSchema } from './schemas.js'
import { SHIPPED_PROFILES } from './shipped.js'

type BuiltIn = Parameters<typeof compileProfile>[1]

/** A profile as it is written, and how messages name it. */
interface Source {
  readonly file: Pick<DocumentFile, 'document'> & Partial<DocumentFile>
  readonly name: string
  /** Name of the file without its extension. */
  readonly fileName?: string
}

/**
 * The profile that an option names.
 * @param given name of a profile that comes with svc-mock, path of a file in JSON or YAML, or the document itself;
 * empty: the built-in profile
 * @param builtIn the words that a profile can change
 * @throws {ProfileError} naming all errors, where they are, and what was probably meant
 */
export async function readProfile(given: string | object, builtIn: BuiltIn): Promise<Profile> {
  return given === '' ? BUILT_IN : compiled(await read(given), builtIn)
}

/**
 * The document of a profile, which need not be valid.
 * @param given as for {@link readProfile}, but not empty
 * @throws {ProfileError} if a file cannot be read
 */
export async function profileDocument(given: string | object): Promise<unknown> {
  return (await read(given)).file.document
}

async function read(given: string | object): Promise<Source> {
  if (typeof given !== 'string') return { file: { document: given }, name: 'the profile' }
  const name = `the profile ${given}`
  const shipped = Object.hasOwn(SHIPPED_PROFILES, given) && SHIPPED_PROFILES[given]
  if (shipped) return { file: { document: shipped.document }, name }
  const file = await readDocumentFile(given, { most: MOST_BY_HAND }).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error
    throw new ProfileError(`${name} ${error.message}`, { cause: error.cause ?? error })
  })
  return { file, name, fileName: parse(given).name }
}

function compiled({ file, name, fileName }: Source, builtIn: BuiltIn): Profile {
  try {
    return compileProfile(file.document, builtIn, fileName)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const kind = { name: 'a profile', schema: ProfileSchema }
    const problems = listErrors(file, error.details, kind)
    throw new ProfileError(`${name} is not valid: ${problems.join('; ')}`, { cause: error }, problems)
  }
}

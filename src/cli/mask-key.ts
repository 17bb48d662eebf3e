import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileProblem } from '../lib/file-problem.js'
import { PRIVATE } from '../lib/private-file.js'
import { UsageError } from './usage.js'

/** As many characters cannot be guessed. */
const SHORTEST = 20

/**
 * Reads the secret that masking depends on, or draws one, which only its owner may read.
 * @param file undefined: masking gets a new secret, which nobody keeps
 * @throws {UsageError} if the file cannot be used
 */
export async function maskKeyIn(file: string | undefined): Promise<string> {
  const fresh = randomBytes(32).toString('base64url')
  if (file === undefined) return fresh
  try {
    await writeFile(file, `${fresh}\n`, { flag: 'wx', mode: PRIVATE })
    return fresh
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`--mask-key: ${file} ${fileProblem(error, 'written')}`)
  }
  const key = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--mask-key: ${file} ${fileProblem(error, 'read')}`)
  })
  if (key.trim().length < SHORTEST)
    throw new UsageError(
      `--mask-key: ${file} has no secret of at least ${SHORTEST} characters; remove it for a new one`
    )
  return key.trim()
}

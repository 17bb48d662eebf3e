import { fileProblem } from '../lib/file-problem.js'
import { UsageError } from './usage.js'

/** The error that says why a file that the user has named cannot be written. */
export function writeError(file: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return new UsageError(`${file} exists; --force overwrites it`)
  // A full disk is not a usage error.
  const Failure = code === 'ENOSPC' ? Error : UsageError
  return new Failure(`${file} ${fileProblem(error, 'written')}`)
}

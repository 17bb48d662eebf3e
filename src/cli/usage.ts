import { existsSync, statSync } from 'node:fs'
import { fileProblem } from '../lib/file-problem.js'
import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import { OptionError } from '../options.js'

/** A usage error. The message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Whether an error is one of usage. Some options turn out to be wrong only when the server is built. */
export const isOfUsage = (error: unknown): boolean => error instanceof UsageError || error instanceof OptionError

/** Whether one of the flags is given, before any `--`. */
export function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => flags.includes(arg))
}

/** @throws {UsageError} if a value is not a whole number within bounds @param name of the flag */
export function wholeNumberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, but is ${text}`)
}

/**
 * Reads a duration, in milliseconds.
 * @param unit of a plain number, such as `s`
 * @throws {UsageError} if it is invalid, or out of bounds
 */
export function durationOf(name: string, text: string, { unit = '', least = 1, most = Infinity } = {}): number {
  const duration = parseDuration(/^\d+$/.test(text) ? `${text}${unit}` : text)
  const length = duration === undefined ? -1 : lengthOf(duration)
  if (length >= least && length <= most) return length
  const bounds = [
    least > 0 ? ', and more than zero' : '',
    most < Infinity ? `, at most ${Math.floor(most / 86_400_000)} days` : ''
  ]
  throw new UsageError(`${name} must be a duration ${DURATION_FORMS}${bounds.join('')}, but is ${text}`)
}

/** @throws {UsageError} if a file to write is one of those to read */
export function keepInput(flag: string, file: string, inputs: readonly string[]): void {
  if (inputs.some((input) => isSameFile(input, file)))
    throw new UsageError(`${flag} would overwrite ${file}, which is to be read; name another file`)
}

/** Whether two paths lead to the same file, even by a link. */
export function isSameFile(one: string, other: string): boolean {
  const identity = identityOf(one)
  return identity !== undefined && identity === identityOf(other)
}

/** Identifies a file, whichever path or link leads to it; undefined if there is none, or it is a device. */
function identityOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const stats = statSync(path, { bigint: true })
  return stats.isFile() ? `${stats.dev} ${stats.ino}` : undefined
}

/** Explains why a file that the user has named cannot be written. */
export function writeError(file: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return new UsageError(`${file} exists; --force overwrites it`)
  // A full disk is not a usage error.
  const Failure = code === 'ENOSPC' ? Error : UsageError
  return new Failure(`${file} ${fileProblem(error, 'written')}`)
}

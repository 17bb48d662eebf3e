import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import { UsageError } from './usage.js'

/** @throws {UsageError} if a value is no whole number within bounds @param name what the command line calls it */
export function wholeNumberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, but is ${text}`)
}

/**
 * Reads a duration, in milliseconds.
 * @param unit that of a number alone, such as `s`
 * @throws {UsageError} if it is none, or out of bounds
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

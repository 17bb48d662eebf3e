import { OPERATION_IDS } from '../interface/operation-ids.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { DURATION_FORMS, lengthOf, parseDuration, parseTimestamp } from '../lib/time.js'
import { isTraceId } from '../lib/trace.js'
import type { CheckedValue } from '../test-control/control-call.js'
import { wordsIn } from './command.js'
import { UsageError } from './usage.js'

/** Checks the value of a flag or an argument. @returns the end of a sentence that says what is wrong, if anything is */
type Check = (text: string) => string | undefined

/** @throws {UsageError} if a value is wrong @param name what the command line calls it */
export function checkValue(name: string, text: string, check: Check | undefined): void {
  const problem = check?.(text)
  if (problem !== undefined) throw new UsageError(`${name} ${problem}`)
}

/** @param known words that may be meant */
const must = (isRight: (text: string) => boolean, what: string, known: readonly string[] = []): Check => {
  return (text) => (isRight(text) ? undefined : `must be ${what}, but is ${text}${didYouMean(nearest(text, known))}`)
}

const duration = must((text) => parseDuration(text) !== undefined, `a duration ${DURATION_FORMS}`)
const timestamp = must((text) => parseTimestamp(text) !== undefined, 'a timestamp such as 2027-01-01T00:00:00Z')
const number = must((text) => text.trim() !== '' && !Number.isNaN(Number(text)), 'a number')
const count = must((text) => /^0*[1-9]\d*$/.test(text), 'a whole number from 1 on')
const status = must((text) => /^([1-5]\d\d|[1-5]xx)$/i.test(text), 'a status such as 404, or a class such as 4xx')
const traceId = must(isTraceId, 'a trace-id: 32 hexadecimal digits in lower case, not all 0')
const goal = must((text) => text === 'idle' || /^.+=.+$/.test(text), 'idle or WORKSPACE=STATUS', ['idle'])

/** One of several words. */
const oneOf = (...known: readonly string[]) => must((text) => known.includes(text), `one of ${known.join(', ')}`, known)

/** Some of several words, separated by commas. */
export const someOf = (...known: readonly string[]): Check => {
  const check = oneOf(...known)
  return (text) =>
    text
      .split(',')
      .map(check)
      .find((problem) => problem !== undefined)
}

/** The id of an operation. Only what looks misspelt is wrong here: another server may have others. */
const operation: Check = (text) => {
  const meant = nearest(text, OPERATION_IDS)
  return meant && `must be an operation, but is ${text}${didYouMean(meant)}`
}

const GOAL = 'idle|WORKSPACE=STATUS'

/** The checks, by what stands for a value in the help. */
const CHECKS: Readonly<Record<string, Check>> = {
  '404|4xx': status,
  DURATION: duration,
  FACTOR: number,
  IDLE: duration,
  N: count,
  NEXT: count,
  OPERATION: operation,
  TIMESTAMP: timestamp,
  TRACE: traceId,
  [GOAL]: goal
} satisfies Record<CheckedValue, Check>

/** The check of a value, by what stands for it in the help, which may list all valid words. */
export function checkOf(placeholder = ''): Check | undefined {
  const words = wordsIn(placeholder)
  return words.length > 0 ? oneOf(...words) : CHECKS[placeholder]
}

/** A value as a body has it, by what stands for it in the help. */
export function bodyValueOf(placeholder: string | undefined, text: string): unknown {
  if (placeholder === 'FACTOR') return Number(text)
  const equals = text.lastIndexOf('=')
  if (placeholder !== GOAL || equals < 0) return text
  return { workspace_id: text.slice(0, equals), status: text.slice(equals + 1) }
}

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

/** Checks the operations that a fault or an expectation names. @throws {UsageError} for one that looks misspelt */
export function checkOperations(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { operation: named, sequence = [] } = body as { operation?: unknown; sequence?: unknown }
  if (typeof named === 'string') checkValue('operation', named, operation)
  if (Array.isArray(sequence)) sequence.forEach(checkOperations)
  return body
}

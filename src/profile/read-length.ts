import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import type { Complain } from './complain.js'

/** Reads the duration in a field. @returns milliseconds; undefined if it is none */
export function readLength(text: string, field: string, complain: Complain): number | undefined {
  const duration = parseDuration(text)
  if (duration === undefined) complain(field, `must be a duration ${DURATION_FORMS}`)
  return duration && lengthOf(duration)
}

/** The same for a duration that must be longer than zero. */
export function readPositiveLength(text: string, field: string, complain: Complain): number | undefined {
  const length = readLength(text, field, complain)
  if (length === 0) complain(field, 'must be longer than zero')
  return length
}

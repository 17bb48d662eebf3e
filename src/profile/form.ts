import { type TSchema, Type } from '@sinclair/typebox'
import { OPERATION_IDS, operationProblem } from '../interface/operation-ids.js'
import { enumeration, requestText } from '../interface/schemas.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'

// The parts that the forms of a profile's sections consist of.

/** Reports a field of a profile that does not fit others. */
export type Complain = (field: string, reason: string) => void

/** Complains of a name that is unknown. @returns whether it is known */
export function checkKnown(
  name: string,
  known: readonly string[],
  field: string,
  reason: string,
  complain: Complain
): boolean {
  if (known.includes(name)) return true
  complain(field, `${reason}${didYouMean(nearest(name, known))}`)
  return false
}

/** The same for an operationId. */
export function checkOperation(id: string, field: string, complain: Complain): boolean {
  const problem = operationProblem(id)
  if (problem !== undefined) complain(field, problem)
  return problem === undefined
}

export const text = (description: string) => Type.String({ ...requestText, description })

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** An entry for each of some names, which the section checks. */
export const by = <T extends TSchema>(description: string, entry: T) =>
  Type.Record(Type.String(), entry, { description })

/** A field for each of some names. */
export const forEach = <Name extends string, T>(names: readonly Name[], valueOf: (name: Name) => T): Record<Name, T> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, T>

export const someOperations = (description: string) =>
  Type.Optional(
    Type.Array(enumeration(OPERATION_IDS, 'An operation.'), { minItems: 1, uniqueItems: true, description })
  )

/** A duration, which {@link readLength} reads. */
export const length = (description: string) => Type.String({ maxLength: 256, description })

/** Reads the duration in a field. @returns milliseconds; undefined if it is none */
export function readLength(given: string, field: string, complain: Complain): number | undefined {
  const duration = parseDuration(given)
  if (duration === undefined) complain(field, `must be a duration ${DURATION_FORMS}`)
  return duration && lengthOf(duration)
}

/** The same for a duration that must be longer than zero. @returns 0 if it is none */
export function readPositiveLength(given: string, field: string, complain: Complain): number {
  const milliseconds = readLength(given, field, complain)
  if (milliseconds === 0) complain(field, 'must be longer than zero')
  return milliseconds ?? 0
}

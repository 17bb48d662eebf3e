import { type TSchema, Type } from '@sinclair/typebox'
import { operationProblem } from '../interface/operation-ids.js'
import { requestText } from '../interface/schemas.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { lengthOf, parseDuration } from '../lib/time.js'

// Building blocks of the sections of a profile.

/** Reports an error in a field of a profile. */
export type Complain = (field: string, reason: string) => void

/** Reports an unknown name. @returns whether it is known */
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

/** Reports an unknown operationId. @returns whether it is known */
export function checkOperation(id: string, field: string, complain: Complain): boolean {
  const problem = operationProblem(id)
  if (problem !== undefined) complain(field, problem)
  return problem === undefined
}

export const text = (description: string) => Type.String({ ...requestText, description })

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** Entries by names that the section checks itself. */
export const by = <T extends TSchema>(description: string, entry: T) =>
  Type.Record(Type.String(), entry, { description })

export const forEach = <Name extends string, T>(names: readonly Name[], valueOf: (name: Name) => T): Record<Name, T> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, T>

/** A duration for {@link readLength}. */
export const length = (description: string) => Type.String({ maxLength: 256, format: 'length', description })
export const positiveLength = (description: string) =>
  Type.String({ ...length(description), format: 'positive-length' })

/** Reads a valid duration. @returns milliseconds */
export const readLength = (given: string) => lengthOf(parseDuration(given)!)

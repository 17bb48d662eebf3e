import type { Static, TSchema } from '@sinclair/typebox'
import type { FieldError } from './errors.js'
import { fieldErrorsBy, lazyCompiler, mergeFieldErrors, throwFieldErrors } from './validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program.
 * @param others faults that a schema cannot see; where it finds one in the same field, that one counts
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(
  schema: T,
  value: unknown,
  others: readonly FieldError[] = []
): asserts value is Static<T> {
  throwFieldErrors(mergeFieldErrors(schemaErrors(schema, value), others))
}

/** What is wrong with a value by a schema. */
export function schemaErrors(schema: TSchema, value: unknown): FieldError[] {
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  return fieldErrorsBy(validate, value)
}

import type { Static, TSchema } from '@sinclair/typebox'
import type { FieldError } from './errors.js'
import { fieldErrorsBy, lazyCompiler, throwFieldErrors } from './validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks input to the control API, over HTTP or from a program.
 * @param others see {@link mergeFieldErrors}
 * @throws {ServiceError} `invalidBody` naming every invalid field
 */
export function check<T extends TSchema>(
  schema: T,
  value: unknown,
  others: readonly FieldError[] = []
): asserts value is Static<T> {
  throwFieldErrors(schemaErrors(schema, value), others)
}

export function schemaErrors(schema: TSchema, value: unknown): FieldError[] {
  // A program can pass a promise by mistake; to a schema, that is an object without fields. The name of a type, unlike
  // its prototype, is the same in every realm.
  const wrong = /^\[object (Promise|Map|Set|Date|Uint8Array)\]$/.exec(Object.prototype.toString.call(value))?.[1]
  if (wrong !== undefined) return [{ field: '', reason: `must be an object, not a ${wrong}` }]
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  return fieldErrorsBy(validate, value)
}

import type { Static, TSchema } from '@sinclair/typebox'
import type { FieldError } from './errors.js'
import { fieldErrorsBy, lazyCompiler, throwFieldErrors } from './validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks input to the control API, over HTTP or from a program.
 * @param others field errors that a schema cannot detect; the schema's error for the same field takes precedence
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
  const wrong = wrongObject(value)
  if (wrong !== undefined) return [{ field: '', reason: `must be an object, not a ${wrong}` }]
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  return fieldErrorsBy(validate, value)
}

/**
 * Names what a program passes by mistake, such as a promise that it has not awaited. To a schema, that is an object
 * without any fields.
 */
function wrongObject(value: unknown): string | undefined {
  // The name of the type, unlike its prototype, is the same in every realm.
  return /^\[object (Promise|Map|Set|Date|Uint8Array)\]$/.exec(Object.prototype.toString.call(value))?.[1]
}

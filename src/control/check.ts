import type { Static, TSchema } from '@sinclair/typebox'
import { invalidBody } from '../errors.js'
import { faultsOf, lazyCompiler } from '../http/validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program.
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown): asserts value is Static<T> {
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  if (!validate(value ?? null)) throw invalidBody(faultsOf(validate.errors ?? []))
}

import type { Static, TSchema } from '@sinclair/typebox'
import { invalidBody, type Fault } from '../errors.js'
import { faultsOf, lazyCompiler, mergeFaults } from '../http/validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program.
 * @param others faults that a schema cannot see; where it finds one in the same field, that one counts
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown, others: readonly Fault[] = []): asserts value is Static<T> {
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  const faults = mergeFaults(validate(value ?? null) ? [] : faultsOf(validate.errors ?? []), others)
  if (faults.length > 0) throw invalidBody(faults)
}

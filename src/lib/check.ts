import type { Static, TSchema } from '@sinclair/typebox'
import type { Fault } from './errors.js'
import { faultsBy, lazyCompiler, mergeFaults, refuseFaults } from './validation.js'

const compile = lazyCompiler()
const validators = new WeakMap<TSchema, ReturnType<typeof compile>>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program.
 * @param others faults that a schema cannot see; where it finds one in the same field, that one counts
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown, others: readonly Fault[] = []): asserts value is Static<T> {
  refuseFaults(mergeFaults(faultsOfSchema(schema, value), others))
}

/** What is wrong with a value by a schema. */
export function faultsOfSchema(schema: TSchema, value: unknown): Fault[] {
  const validate = validators.get(schema) ?? compile(schema)
  validators.set(schema, validate)
  return faultsBy(validate, value)
}

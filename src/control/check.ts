import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import { invalidBody, type Fault } from '../errors.js'
import { ajvOptions, faultsOf, mergeFaults } from '../http/validation.js'

const ajv = new Ajv(ajvOptions.customOptions)
const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program. A schema is compiled at its first use.
 * @param others faults that a schema cannot see; where it finds one in the same field, that one counts
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown, others: readonly Fault[] = []): asserts value is Static<T> {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  const faults = validate(value ?? null) ? [] : faultsOf(validate.errors ?? [])
  const all = mergeFaults(faults, others)
  if (all.length > 0) throw invalidBody(all)
}

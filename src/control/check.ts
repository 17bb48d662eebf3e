import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import { invalidBody, type Fault } from '../errors.js'
import { ajvOptions, faultsOf } from '../http/validation.js'

const ajv = new Ajv(ajvOptions.customOptions)
const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program. A schema is compiled at its first use.
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown): asserts value is Static<T> {
  const faults = faultsOfSchema(schema, value)
  if (faults.length > 0) throw invalidBody(faults)
}

/** What is wrong with a value by a schema. */
export function faultsOfSchema(schema: TSchema, value: unknown): Fault[] {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  return validate(value ?? null) ? [] : faultsOf(validate.errors ?? [])
}

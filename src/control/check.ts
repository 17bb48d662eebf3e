import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import { invalidBody } from '../errors.js'
import { ajvOptions, faultsOf } from '../http/validation.js'

const ajv = new Ajv(ajvOptions.customOptions)
const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Checks what a caller of the control API has given, over HTTP or from a program. A schema is compiled at its first use.
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function check<T extends TSchema>(schema: T, value: unknown): asserts value is Static<T> {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (!validate(value ?? null)) throw invalidBody(faultsOf(validate.errors ?? []))
}

import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { FieldError } from '../lib/errors.js'
import { fieldErrorsBy, lazyCompiler, mergeFieldErrors, throwFieldErrors } from '../lib/validation.js'

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

/** How Fastify gets its validators. */
export function validatorFactory(named: readonly object[]): ValidatorFactory {
  const compile = lazyCompiler(named)
  // Fastify's type is that of its own compilers, which return what Ajv does.
  return (() =>
    ({ schema, httpPart }: { schema: object; httpPart: string }) =>
      httpPart === 'params' ? isText : compile(schema)) as unknown as ValidatorFactory
}

/** What stands in a path is text, and no more is asked of it; so reads need no Ajv. */
const isText = () => true

/**
 * Checks a body against a schema that was not known before the request; a schema is compiled once.
 * @param others faults that a schema cannot see; where it finds one in the same field, that one counts
 * @throws {ServiceError} `invalidBody` naming every field at fault
 */
export function checkBody(request: FastifyRequest, schema: object, others: readonly FieldError[] = []): void {
  request.bodySchema = schema
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  throwFieldErrors(mergeFieldErrors(fieldErrorsBy(validate, request.body), others))
}

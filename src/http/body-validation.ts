import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { FieldError } from '../interface/errors.js'
import { fieldErrorsBy, lazyCompiler, mergeFieldErrors, throwFieldErrors } from '../interface/validation.js'

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

export function validatorFactory(named: readonly object[]): ValidatorFactory {
  const compile = lazyCompiler(named)
  // Fastify's type describes its own compilers, which return what Ajv does.
  return (() =>
    ({ schema, httpPart }: { schema: object; httpPart: string }) =>
      httpPart === 'params' ? isText : compile(schema)) as unknown as ValidatorFactory
}

/** Path parameters are text, and nothing else is checked, so reads do not need Ajv. */
const isText = () => true

/**
 * Checks a body against a schema that depends on the request. A schema is compiled once.
 * @param others field errors that a schema cannot detect; the schema's error for the same field takes precedence
 * @throws {ServiceError} `invalidBody` naming every invalid field
 */
export function checkBody(request: FastifyRequest, schema: object, others: readonly FieldError[] = []): void {
  request.bodySchema = schema
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  throwFieldErrors(mergeFieldErrors(fieldErrorsBy(validate, request.body), others))
}

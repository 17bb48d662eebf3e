import { type TSchema, Type } from '@sinclair/typebox'
import { ERROR_TYPES } from './errors.js'
import { ref, replySchema } from './schemas.js'

/** `middleware.Error`. */
export const MiddlewareErrorSchema = replySchema('P-019', 'middleware.Error', 'One error of a call.', {
  FieldName: Type.String({
    description: 'Path of the invalid field in dotted form; empty if the error is about no field.'
  }),
  Reason: Type.String({ description: 'The problem, in words.' }),
  Type: Type.Unsafe<(typeof ERROR_TYPES)[number]>({
    type: 'string',
    enum: [...ERROR_TYPES],
    description: 'The kind of error.'
  })
})

/** The schema of an error with the types that a profile adds. */
export function withTypes<T extends TSchema>(schema: T, types: readonly string[]): T {
  const { properties } = schema as unknown as typeof MiddlewareErrorSchema
  return { ...schema, properties: { ...properties, Type: { ...properties.Type, enum: [...ERROR_TYPES, ...types] } } }
}

// The interface documents the envelope's own fields, so they are not marked as assumed. Their order was observed.
const envelopeFields = {
  RequestID: Type.Optional(Type.String({ description: 'Id of the request; also in the header X-Request-Id.' })),
  Error: Type.Optional(Type.Boolean({ description: 'Whether the call failed.' })),
  Message: Type.Optional(Type.String({ description: 'What happened, in words.' })),
  ErrorDetails: Type.Optional(
    Type.Union([Type.Array(ref(MiddlewareErrorSchema)), Type.Null()], {
      description: 'The errors, one entry each; null if the call succeeded.'
    })
  )
}

/** `middleware.Response`: the envelope without a payload. */
export const MiddlewareResponseSchema = Type.Object(
  { ...envelopeFields, Result: Type.Optional(Type.Null({ description: 'Always null.' })) },
  { $id: 'middleware.Response', description: 'The envelope of a reply without a payload, and of most errors.' }
)

/** The envelope around a payload. */
export function envelope(result: TSchema): TSchema {
  return Type.Object({ ...envelopeFields, Result: Type.Optional(result) })
}

/** A payload that repeats the `Message`, as text. */
export const TextResult = Type.String({ description: 'What happened, in words.' })

/** The reply of a successful call, before it is serialized. */
export interface Success<T> {
  readonly RequestID: string
  readonly Error: false
  readonly Message: string
  readonly ErrorDetails: null
  readonly Result: T | null
}

/** Wraps a payload, if there is one, in the envelope. */
export function success<T>(request: { readonly id: string }, message: string, result?: T): Success<T> {
  return { RequestID: request.id, Error: false, Message: message, ErrorDetails: null, Result: result ?? null }
}

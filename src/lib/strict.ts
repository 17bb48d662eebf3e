import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { DURATION_FORMS } from './time.js'

/** A strict object: the control API refuses unknown fields, so that typos show. */
export const strict = <T extends TProperties>(
  properties: T,
  options: { description?: string; minProperties?: number } = {}
) => Type.Object(properties, { additionalProperties: false, ...options })

export const id = (description: string) => Type.String({ minLength: 1, maxLength: 256, description })

export const timestamp = (description: string) => Type.String({ description: `${description} Timestamp.` })

export const duration = (description: string) =>
  Type.String({ description: `${description} Duration ${DURATION_FORMS}.` })

export const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

import { Type } from '@sinclair/typebox'
import type { FieldError } from '../interface/errors.js'
import type { Shape } from '../interface/schemas.js'
import { didYouMean, nearest } from '../lib/nearest.js'

/** The part `omit` of a profile. */
export const OmitSchema = Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 1000, uniqueItems: true }), {
  description: 'By built-in names of schemas and fields: fields that replies do not have.'
})
export type OmitDocument = Shape<typeof OmitSchema>

/** The fields of each schema that replies have. */
export type ReplyFields = ReadonlyMap<string, readonly string[]>

/** @param path path of the part in its document */
export function omitErrors(omit: OmitDocument, replies: ReplyFields, path = 'omit'): FieldError[] {
  return Object.entries(omit).flatMap(([schema, fields]) => {
    const known = replies.get(schema)
    if (known === undefined)
      return [
        {
          field: `${path}.${schema}`,
          reason: `is not a schema of a reply${didYouMean(nearest(schema, [...replies.keys()]))}`
        }
      ]
    return fields.flatMap((field, index) =>
      known.includes(field)
        ? []
        : [
            {
              field: `${path}.${schema}.${index}`,
              reason: `must be a field of ${schema}, but is ${field}${didYouMean(nearest(field, known))}`
            }
          ]
    )
  })
}

/** Fields that replies do not have, by schema. */
export type Omitted = ReadonlyMap<string, ReadonlySet<string>>

export function compileOmit(omit: OmitDocument): Omitted {
  return new Map(Object.entries(omit).map(([schema, fields]) => [schema, new Set(fields)]))
}

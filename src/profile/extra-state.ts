import { type TObject, Type } from '@sinclair/typebox'
import { closed } from '../lib/closed.js'
import { byProfile, schemaUnder } from './by-profile.js'
import { type Extra, withFields } from './fields.js'
import type { StoredKind } from './stored-kinds.js'

/** The further fields of a resource in a state document. */
export function extraState(kind: StoredKind) {
  return Type.Optional(
    byProfile(Type.Unsafe<Extra>({ type: 'object', additionalProperties: false }), ({ fields }) => ({
      properties: fields.stored.get(kind) ?? {},
      description: 'What requests have set of the fields that the profile adds.'
    }))
  )
}

/** A part of a request in a state document, with its further fields. */
export function partState<T extends TObject>(schema: T) {
  return byProfile(closed(schema.properties as T['properties']), (assumed) => {
    const { properties } = schemaUnder(withFields(schema, assumed.fields), assumed)
    return { properties }
  })
}

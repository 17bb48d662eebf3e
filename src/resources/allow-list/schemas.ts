import { Type } from '@sinclair/typebox'

// The interface documents these fields, so they are not marked as assumed.
export const CurrentIPSchema = Type.Object({
  IsAllowed: Type.Optional(Type.Boolean({ description: 'Whether the allow list lets the caller in.' })),
  CurrentIP: Type.Optional(Type.String({ description: "The caller's address." }))
})

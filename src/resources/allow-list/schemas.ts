import { type Static, Type } from '@sinclair/typebox'
import { requestSchema } from '../../interface/schemas.js'

export const AllowedIPSchema = requestSchema(
  'P-023',
  'AllowedIP',
  'An address or block that may call; sent and answered in this form.',
  {
    cidr: Type.String({
      format: 'cidr',
      description:
        'An IPv4 or IPv6 address or CIDR block; answered in canonical form: a bare address as a block of ' +
        'one, host bits cleared, IPv6 compressed, an IPv4-mapped block as IPv4.'
    }),
    note: Type.Optional(Type.String({ maxLength: 256, description: 'A remark; may be empty.' })),
    id: Type.Optional(Type.String({ description: 'Set by the server; ignored in a request.' }))
  }
)
export type AllowedIP = Static<typeof AllowedIPSchema>

// The interface documents these fields, so they are not marked as assumed.
export const CurrentIPSchema = Type.Object({
  IsAllowed: Type.Optional(Type.Boolean({ description: 'Whether the allow list lets the caller in.' })),
  CurrentIP: Type.Optional(Type.String({ description: "The caller's address." }))
})

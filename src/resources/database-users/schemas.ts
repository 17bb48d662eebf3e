import { type Static, Type } from '@sinclair/typebox'
import { replySchema, requestSchema, requestText } from '../../interface/schemas.js'

export const InDatabaseUserRequestSchema = requestSchema(
  'P-045',
  'InDatabaseUserRequest',
  'An in-database user; which fields are needed depends on the operation.',
  {
    username: Type.Optional(Type.String({ ...requestText, description: 'Name of the user.' })),
    password: Type.Optional(Type.String({ ...requestText, description: 'Password; no reply shows it.' }))
  }
)

/** Fields that in-database users and org users share. */
export const identityFields = {
  id: Type.String(),
  username: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  enabled: Type.Boolean(),
  path: Type.String({ description: 'Always `/`.' }),
  tenantID: Type.String({ description: 'Id of the org.' }),
  auth0UserID: Type.String({ description: 'Id at the identity provider, beginning with `auth|`.' }),
  srn: Type.String({ description: 'Resource name.' })
}

export const IAMUserSchema = replySchema(
  'P-044',
  'svcIAM.IAMUser',
  'An in-database user: enabled, with empty email and names.',
  {
    ...identityFields,
    created: Type.String({ description: 'Timestamp.' }),
    updated: Type.String({ description: 'Timestamp of the creation or the last new password.' })
  }
)
export type IAMUser = Static<typeof IAMUserSchema>

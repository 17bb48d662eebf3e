import { type Static, Type } from '@sinclair/typebox'
import { assumed, enumeration, mark, ref, replySchema, requestSchema } from '../../interface/schemas.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { identityFields } from '../database-users/schemas.js'

export const OrgRoleSchema = replySchema('P-047', 'org_handler.OrgRole', 'A role of an org user.', {
  id: Type.String({ description: 'Follows from the org and the name.' }),
  name: Type.String(),
  displayName: Type.String(),
  path: Type.String({ description: 'Always `/`.' }),
  tenantID: Type.String({ description: 'Id of the org.' }),
  srn: Type.String({ description: 'Resource name.' })
})

const OrgUser = Type.Partial(
  Type.Object(
    mark('P-046', {
      ...identityFields,
      authID: Type.String({ description: 'The same as auth0UserID.' }),
      roles: Type.Array(ref(OrgRoleSchema)),
      metadata: Type.Partial(
        Type.Object(
          mark('P-046', {
            lastLogin: Type.Optional(Type.String({ description: 'Timestamp; only if a state document gives it.' })),
            attachedTo: Type.Array(Type.String(), { description: 'What the user is attached to; always empty.' })
          })
        )
      ),
      created: Type.String({ description: 'Timestamp.' }),
      updated: Type.String({ description: 'Timestamp of the creation or the last new roles.' })
    })
  )
)
export type OrgUser = Required<Static<typeof OrgUser>>

export const OrgListUserResponseSchema = Type.Array(OrgUser, {
  $id: 'org_handler.OrgListUserResponse',
  description: 'The users of the org; the username is the e-mail address.',
  ...assumed('P-046')
})

/** More roles than exist. There is a limit because checking each takes time. */
export const MOST_ROLES = 100

export const PutOrgUsersRolesSchema = requestSchema(
  'P-048',
  'org_handler.PutOrgUsersRoles',
  'The new roles of the user.',
  {
    roles: Type.Array(enumeration(ORG_ROLE_NAMES, 'Name of a role.'), {
      minItems: 1,
      maxItems: MOST_ROLES,
      uniqueItems: true,
      description: 'They replace the old ones.'
    })
  }
)

import { Type } from '@sinclair/typebox'
import { enumeration, requestSchema } from '../../interface/schemas.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { MOST_ROLES } from './fields.js'

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

import { Type } from '@sinclair/typebox'
import { OPERATION_IDS } from '../interface/operation-ids.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { forEach } from './form.js'
import { ORG_ROLE_NAMES } from './org-roles.js'

const rolesOf = (description: string) =>
  Type.Optional(Type.Array(enumeration(ORG_ROLE_NAMES, 'Name of a role.'), { uniqueItems: true, description }))

export const RolesSchema = strict(
  {
    api_key: rolesOf('Roles of every API key; all if absent.'),
    allow: strict(
      forEach(OPERATION_IDS, (id) => rolesOf(`Roles that may call ${id}.`)),
      { description: 'The roles that may call an operation. Every user may call the others.' }
    )
  },
  { description: 'Which roles may call which operations.' }
)
export type Roles = Shape<typeof RolesSchema>

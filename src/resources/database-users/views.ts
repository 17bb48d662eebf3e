import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { viewer } from '../field-table.js'
import { DATABASE_USERS } from './fields.js'

const EMPTY = () => ''

/** An in-database user as the interface shows it. */
export const toDatabaseUserView = viewer<
  typeof DATABASE_USERS.fields,
  { readonly org: Pick<Org, 'orgId'>; readonly words: StateWords }
>(DATABASE_USERS.fields, {
  email: EMPTY,
  firstName: EMPTY,
  lastName: EMPTY,
  enabled: () => true,
  path: () => '/',
  tenantID: (_, { org }) => org.orgId,
  auth0UserID: ({ id }) => `auth|${id}`,
  srn: ({ id }, { org }) => `srn:svc:iam:${org.orgId}:user/${id}`
})

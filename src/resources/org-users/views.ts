import { toSeconds } from '../../lib/time.js'
import { ORG_ROLES, type OrgRoleName } from '../../profile/org-roles.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { uuidFrom } from '../../sim/random.js'
import { viewer } from '../field-table.js'
import { ORG_USERS } from './fields.js'

/** An org user as the interface shows it. */
export const toOrgUserView = viewer<
  typeof ORG_USERS.fields,
  { readonly org: Pick<Org, 'orgId'>; readonly words: StateWords }
>(ORG_USERS.fields, {
  path: () => '/',
  tenantID: (_, { org }) => org.orgId,
  auth0UserID: ({ authId }) => authId,
  srn: ({ id }, { org }) => `srn:svc:iam:${org.orgId}:user/${id}`,
  roles: ({ roles }, { org }) => roles.map((name) => toRoleView(org.orgId, name as OrgRoleName)),
  metadata: ({ lastLogin }) => ({ ...(lastLogin === null ? {} : { lastLogin: toSeconds(lastLogin) }), attachedTo: [] })
})

function toRoleView(orgId: string, name: OrgRoleName) {
  const id = uuidFrom('role', orgId, name)
  return { id, name, displayName: ORG_ROLES[name], path: '/', tenantID: orgId, srn: `srn:svc:iam:${orgId}:role/${id}` }
}

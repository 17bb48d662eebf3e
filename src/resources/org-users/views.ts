import { ORG_ROLES, type OrgRoleName } from '../../profile/org-roles.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { uuidFrom } from '../../sim/random.js'
import { withExtra } from '../extra.js'
import type { OrgUserRecord } from './fields.js'
import type { OrgUser } from './schemas.js'

/** An org user as the interface shows it. */
export function toOrgUserView({ orgId }: Pick<Org, 'orgId'>, user: OrgUserRecord): OrgUser {
  const reply: OrgUser = {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    enabled: user.enabled,
    path: '/',
    tenantID: orgId,
    auth0UserID: user.authId,
    srn: `srn:svc:iam:${orgId}:user/${user.id}`,
    authID: user.authId,
    roles: user.roles.map((name) => toRoleView(orgId, name as OrgRoleName)),
    metadata: { ...(user.lastLogin === null ? {} : { lastLogin: user.lastLogin }), attachedTo: [] },
    created: user.created,
    updated: user.updated
  }
  return withExtra(reply, user)
}

function toRoleView(orgId: string, name: OrgRoleName) {
  const id = uuidFrom('role', orgId, name)
  return { id, name, displayName: ORG_ROLES[name], path: '/', tenantID: orgId, srn: `srn:svc:iam:${orgId}:role/${id}` }
}

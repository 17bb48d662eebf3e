import type { OrgRoleName } from '../../profile/org-roles.js'

/** E-mail address of the user on whose behalf every credential calls. */
export const CALLER = 'owner@svc.test'

/** Creation time of the initial users: fixed, so that it does not depend on the first use of a sandbox. */
const BEGINNING = '2025-01-01T00:00:00.000Z'

const user = (email: string, first_name: string, last_name: string, roles: OrgRoleName[]) => ({
  email,
  first_name,
  last_name,
  roles,
  created: BEGINNING
})

/** The initial users of an org, as in a state document: the caller, who is its admin, and two members. */
export const ORG_SEED = [
  user(CALLER, 'Olive', 'Owner', ['org-admin']),
  user('ada@svc.test', 'Ada', 'Admin', ['workgroup-admin', 'workspace-admin']),
  user('max@svc.test', 'Max', 'Member', ['workspace-member'])
]

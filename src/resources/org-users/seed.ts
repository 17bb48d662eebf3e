import type { OrgUserRecord } from './fields.js'

/** E-mail address of the user on whose behalf every credential calls. */
export const CALLER = 'owner@svc.test'

/** Creation time of the initial users. Fixed, so that sandboxes do not differ by when they were first used. */
const BEGINNING = '2025-01-01T00:00:00.000Z'

const user = (
  email: string,
  firstName: string,
  lastName: string,
  roles: string[]
): Omit<OrgUserRecord, 'id' | 'authId'> => ({
  username: email,
  email,
  firstName,
  lastName,
  enabled: true,
  lastLogin: null,
  roles,
  created: BEGINNING,
  updated: BEGINNING
})

/** The initial users of an org: one org admin, on whose behalf every credential calls, and two members. */
export const ORG_SEED = [
  user(CALLER, 'Olive', 'Owner', ['org-admin']),
  user('ada@svc.test', 'Ada', 'Admin', ['workgroup-admin', 'workspace-admin']),
  user('max@svc.test', 'Max', 'Member', ['workspace-member'])
]
